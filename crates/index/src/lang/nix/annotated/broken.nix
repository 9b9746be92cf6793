{
  before = 1;
#> constant before
  f = x: x;
#> function f

  half = 1 +;
#> constant half
  open = [ 1 2 ;
#> constant open
  lost ] 2;

  after = 2;
#> constant after
  g = { a, b }: a;
#> function g
}
