package Broken;
sub before { 1 }
#> function before
sub broken {
#> function broken
    my $x = ;
    foo(;
}
sub after { my $self = shift; return 1 if 1; }
#> method after cc=2
our $still = 1;
#> static $still
1;
