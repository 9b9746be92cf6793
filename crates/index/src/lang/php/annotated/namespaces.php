<?php
namespace First\Part;
//> namespace First\Part sig="namespace First\Part" col=17

class A {}
//> class First\Part\A
function f() {}
//> function First\Part\f

namespace Second;
//> namespace Second

class A { function m() {} }
//> class Second\A
//> method Second\A\m
const X = 1;
//> constant Second\X
