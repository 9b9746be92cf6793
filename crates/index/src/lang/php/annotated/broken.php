<?php
class Before
//> class Before
{
    public function fine() {}
//> method Before\fine
    public function broken() { $a = ; $b = [1, ; }
//> method Before\broken
    public function () {}
    private $still;
//> field Before\still
}

function after($x)
//> function after cc=2
{
    return $x ? 1 : 2;
}
]]
class Last { const X = 1; function m() {} }
//> class Last
//> constant Last\X
//> method Last\m
