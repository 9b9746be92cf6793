use strict;
sub none { 1 }
#> function none cc=1
sub branches {
#> function branches cc=8
    if ($a && $b) { 1 }
    elsif ($a || $b) { 2 }
    else { 3 }
    unless ($a) { 4 }
    return $a ? 1 : 2 if $b;
}
sub loops {
#> function loops cc=9
    for my $i (@list) { 1 }
    foreach (@list) { 2 }
    for (my $i = 0; $i < 3; $i++) { 3 }
    while (1) { last }
    until (0) { 4 }
    print for @list;
    shift @list while @list;
    do { 1 } until 1;
}
sub words {
#> function words cc=5
    open my $f, '<', $x or die;
    $a and $b;
    $x //= 1;
    $y ||= 2;
    $z = $x || $y && 3;
}
sub catches {
#> function catches cc=2
    eval { work() };
    try { work() } catch ($e) { 1 } finally { 2 }
}
sub nested {
#> function nested cc=1
    return map { $_ } sort { $a <=> $b } grep { 1 } sub { $_[0] && 1 };
}
