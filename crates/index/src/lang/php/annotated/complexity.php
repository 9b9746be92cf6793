<?php
function none() { return 1; }
//> function none cc=1
function branches($a, $b) {
//> function branches cc=9
    if ($a && $b) {
        return 1;
    } elseif ($a || $b) {
        return 2;
    } else if ($a) {
        return 3;
    } else {
        return $a ? 1 : 2;
    }
    if ($a): echo 1; elseif ($b): echo 2; endif;
}
function loops($list) {
//> function loops cc=6
    foreach ($list as $k => $v) {}
    for ($i = 0; $i < 1; $i++) {}
    while (false) {}
    do {} while (false);
    foreach ($list as $x): endforeach;
}
function cases($x) {
//> function cases cc=7
    switch ($x) {
        case 1:
        case 2: break;
        default: break;
    }
    return match (true) {
        $x > 1, $x > 2 => 1,
        $x and 1 => 2,
        $x xor 1 => 3,
        default => 4,
    };
}
function catches() {
//> function catches cc=4
    try {
        work();
    } catch (A | B $e) {
    } catch (\Exception) {
    } finally {
    }
    $x = $y ?? 1;
    $x ??= 2;
    $z = $x ?: 3;
    $a?->b;
}
function words($a, $b) { return $a AND $b or 1; }
//> function words cc=3
function nested() {
//> function nested cc=1
    array_map(function ($x) { if ($x) {} }, []);
}
