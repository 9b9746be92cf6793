{ pkgs ? import <nixpkgs> { }, callPackage }:
#> import - from <nixpkgs> -
{
  imports = [ ./hardware.nix ../common.nix <module> ];
#> constant imports
#> import - from ./hardware.nix -
#> import - from ../common.nix -
#> import - from <module> -
  other = import ./other.nix { inherit pkgs; };
#> constant other
#> import other from ./other.nix -
  package = callPackage ./package { };
#> constant package
#> import package from ./package -
  second = pkgs.callPackage ./second.nix { };
#> constant second
#> import second from ./second.nix -
  home = import ~/home.nix;
#> constant home
#> import home from ~/home.nix -
  text = import "${pkgs}/x.nix";
#> constant text
#> import text from ${pkgs}/x.nix -
  all = [ (import ./in-list.nix) ];
#> constant all
#> import - from ./in-list.nix -
  variable = import pkgs;
#> constant variable
  important = f ./not-imported.nix;
#> constant important
}
