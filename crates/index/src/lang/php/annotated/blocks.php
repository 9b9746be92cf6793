<?php
namespace One\Two {
//> namespace One\Two sig="namespace One\Two" end=4
    interface I {}
//> interface One\Two\I
    $shared = 1;
//> static One\Two\shared
    function g() {}
//> function One\Two\g
}
namespace {
    function global_one() {}
//> function global_one
}
