# a = 1;
/* b = x: x; */
{
  text = "c = 1; ${toString { no = 1; }}";
#> constant text
  indented = ''d = x: x; ${"e"}'';
#> constant indented
  let_it = 1;
#> constant let_it
  inherit_from = 2;
#> constant inherit_from
  list = map (x: { no = x; }) [ 1 2 ];
#> constant list
  call = f { no = 1; } { no = 2; };
#> constant call
  condition = if true then { no = 1; } else { no = 2; };
#> constant condition
  url = https://example.org/a:b;
#> constant url
}
