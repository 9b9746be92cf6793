use strict;
use Test::More tests => 2;
#> import Test::More from Test::More -

ok 1, 'first';
subtest 'adds numbers' => sub {
#> test adds·numbers cc=2 sig="subtest 'adds numbers'" vis=private end=2
    is 1 + 1, 2 if 1;
};
subtest(nested => sub {
#> test nested
    subtest "deeper" => sub { ok 1 };
#> test nested::deeper
});
sub helper { 1 }
#> function helper
sub test_named { 1 }
#> test test_named
{
    package My::Tests;
#> namespace My::Tests
    sub setup : Test(setup) { 1 }
#> test My::Tests::setup
}
done_testing;
