# A package.
#
# Copyright somebody.
{ lib, stdenv, fetchurl ? null, ... }@args:

let
  # The version to build.
  version = "1.0";
#> constant version vis=private doc="The version to build." sig="version = "1.0"" cc=0 col=3
  helper = x: y: if x then y else null;
#> function helper vis=private cc=2 sig="helper = x: y"
  inherit (lib) mkIf;
#> import mkIf from lib mkIf
  inherit (lib.strings) concat "quoted";
#> import concat from lib.strings concat
#> import quoted from lib.strings quoted
  inherit args;
  settings = { a = 1; go = x: x; deep.er = { no = 1; }; };
#> constant settings vis=private
#> constant settings.a
#> function settings.go cc=1
#> constant settings.deep.er
in
stdenv.mkDerivation rec {
  /** What it is called. */
  pname = "widget-${version}";
#> constant pname vis=public doc="What it is called." sig="pname = "widget-${version}""
  /* Where it
     comes from. */
  src = fetchurl {
#> constant src end=3
    url = "https://example.org/x";
    sha256 = "";
  };
  buildPhase = ''
#> constant buildPhase end=4
    # not a comment
    no = 1;

  '';
  meta = with lib; {
#> constant meta end=3 sig="meta = with lib; { description = "A widget."; license = licenses.mit; }"
    description = "A widget.";
#> constant meta.description vis=public
    license = licenses.mit;
#> constant meta.license
  };
  passthru.tests.simple = runTest { name = "no"; };
#> constant passthru.tests.simple sig="passthru.tests.simple = runTest { name = "no"; }"
  "quoted name" = 2;
#> constant quoted·name
  "computed ${version}" = 3;
  ${version} = 4;
  inherit version;
  inherit (args) other;
#> import other from args other
}
