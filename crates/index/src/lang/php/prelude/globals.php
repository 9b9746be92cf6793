<?php
class __Type {}
class __Generator {}
class __Array { function __invoke(...$a) { return $this[0]->{$this[1]}(...$a); } }
class Closure { function call($o, ...$a) { return $this(...$a); } function bindTo($o) { return $this; } function __invoke(...$a) { return $this(...$a); } static function fromCallable($f) { return $f; } }
function array_map($f, $a, $b) { $r = []; foreach ($a as $x) { $r[] = $f($x); } return $r; }
function array_filter($a, $f) { foreach ($a as $x) { $f($x); } return $a; }
function array_walk($a, $f) { foreach ($a as $x) { $f($x); } }
function array_reduce($a, $f, $s) { foreach ($a as $x) { $t = $f($s, $x); return $f($t, $x); } return $s; }
function usort($a, $f) { foreach ($a as $x) { $f($x, $x); } }
function uasort($a, $f) { foreach ($a as $x) { $f($x, $x); } }
function uksort($a, $f) { $f($a, $a); }
function array_find($a, $f) { foreach ($a as $x) { $f($x); return $x; } }
function array_any($a, $f) { foreach ($a as $x) { $f($x); } }
function array_all($a, $f) { foreach ($a as $x) { $f($x); } }
function call_user_func($f, ...$a) { return $f(...$a); }
function call_user_func_array($f, $a) { return $f(...$a); }
function iterator_to_array($a) { $r = []; foreach ($a as $x) { $r[] = $x; } return $r; }
function array_values($a) { return $a; }
function array_reverse($a) { return $a; }
function array_slice($a) { return $a; }
function array_unique($a) { return $a; }
function array_merge(...$as) { $r = []; foreach ($as as $a) { foreach ($a as $x) { $r[] = $x; } } return $r; }
function array_push($a, ...$xs) { foreach ($xs as $x) { $a[] = $x; } }
function array_unshift($a, ...$xs) { foreach ($xs as $x) { $a[] = $x; } }
function array_pop($a) { foreach ($a as $x) { return $x; } }
function array_shift($a) { foreach ($a as $x) { return $x; } }
function end($a) { foreach ($a as $x) { return $x; } }
function reset($a) { foreach ($a as $x) { return $x; } }
function current($a) { foreach ($a as $x) { return $x; } }
function array_column($a, $k) { return $a; }
function spl_autoload_register($f) { $f(''); }
function set_error_handler($f) { $f(); }
function register_shutdown_function($f, ...$a) { $f(...$a); }
function preg_replace_callback($p, $f, $s) { $f($s); }
function ob_start($f) { $f(''); }
