{ lib }:
rec {
  /**
    The same.

    # Type
    a -> a
  */
  id = x: x;
#> function id vis=public cc=1 mods=- doc="The same." sig="id = x" end=0
  curried = a: b: c:
#> function curried sig="curried = a: b: c" end=2
    let no = a; in
    b && c;
  named = { x, y ? 2, ... }@all: x;
#> function named sig="named = { x, y ? 2, ... }@all"
  # With a comment.
  commented = # not this
#> function commented doc="With a comment." cc=4
    x: if x && true || false then 1 else 2;
  wrapped = (x: x);
#> function wrapped
  returns = x: { inner = 1; f = y: if y then 1 else 2; };
#> function returns cc=1
  partial = lib.foldl' (acc: e: if acc then e else acc) [ ];
#> constant partial
  members = {
#> constant members
    one = x: x;
#> function members.one
    two = 2;
#> constant members.two
    three = { no = x: x; };
#> constant members.three
    inherit (lib) four;
#> import four from lib four
  };
  list = [ { no = 1; } ];
#> constant list
  nested.path = x: x;
#> function nested.path
  nested.other.path = 1;
#> constant nested.other.path
}
