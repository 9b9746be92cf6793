#!/usr/bin/env php
<?php

use function App\helper;
//> import helper from App helper

/** Adds. */
function add(int $a, int $b = 1): int
//> function add vis=public cc=1 sig="function add(int $a, int $b = 1): int" doc="Adds." end=3
{
    return $a + $b;
}

if (!function_exists('maybe')) {
    function maybe() { function inner() {} }
//> function maybe
//> function maybe\inner
}

#[Pure]
#[Deprecated("no", since: 1), Other]
function marked() { yield 1; }
//> function marked deco=Pure deco="Deprecated("no", since: 1)" deco=Other mods=generator sig="function marked()"

#[Attr]
/** Behind the attribute. */
function documented() {}
//> function documented doc="Behind the attribute." sig="function documented()"

const LIMIT = 10;
//> constant LIMIT sig="const LIMIT = 10"
define('VERSION', '1.0');
//> constant VERSION sig="define('VERSION', '1.0')"
\define("App\NAMED", 1);
//> constant App\NAMED
define($dynamic, 1);
define("x{$y}", 1);

/** The settings. */
$settings = ['a' => 1];
//> static settings vis=public sig="$settings = ['a' => 1]" doc="The settings."
$settings = [];
$a['b'] = 1;
$object->field = 2;
if ($settings) {
    $nested = 1;
}

$double = function (int $x) use ($settings): int { return $x ? $x * 2 : 0; };
//> function double vis=private cc=2 sig="$double = function (int $x) use ($settings): int"
$triple = static fn ($x) => $x * 3;
//> function triple vis=private mods=static sig="$triple = static fn ($x)"
array_map(fn ($x) => $x && 1, $list);
usort($list, function ($a, $b) { return $a <=> $b; });

function outer() {
//> function outer cc=1
    $local = 1;
    static $kept = 0;
    global $settings;
    $inner = fn () => $local or 1;
//> function outer\inner cc=2
    return new class(1) extends Foo implements Bar {
        public $prop;
//> field outer\<class1>\prop
        public function run() { if (1) {} }
//> method outer\<class1>\run cc=2
    };
}
