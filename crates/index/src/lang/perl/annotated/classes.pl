#!/usr/bin/perl
use v5.38;
use experimental 'class';

class Point {
#> class Point sig="class Point" end=6
    field $x :param = 0;
#> field Point::$x vis=private sig="field $x :param = 0"
    field @history;
#> field Point::@history
    method move ($dx, $dy) { $x += $dx; return $self; }
#> method Point::move vis=public sig="method move ($dx, $dy)"
    sub helper { 1 }
#> function Point::helper
    ADJUST { $x ||= 1 }
}
class Circle :isa(Point) {
#> class Circle
    method area { 3 }
#> method Circle::area
}
role Shaped { method shape { 1 } }
#> trait Shaped
#> method Shaped::shape
package Legacy { sub new { bless {}, shift } our $y = 1; }
#> namespace Legacy sig="package Legacy" end=0
#> constructor Legacy::new
#> static Legacy::$y
package Legacy::Deep;
#> namespace Legacy::Deep
sub dive { 1 }
#> function Legacy::Deep::dive
package main;
sub main_sub { 1 }
#> function main_sub
my $top = 1;
#> static $top vis=private
for my $i (1 .. 3) { my $no = $i; }
{ my $scoped = 1; }
if (1) { my $neither; sub conditional { 1 } }
#> function conditional
