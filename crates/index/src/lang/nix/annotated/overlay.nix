final: prev: {
  widget = prev.widget.overrideAttrs (old: { no = 1; });
#> constant widget
  lib = prev.lib.extend (f: p: { no = x: x; });
#> constant lib
}
