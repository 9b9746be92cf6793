{ config, lib, pkgs, ... }:
with lib;
let cfg = config.services.widget; in
#> constant cfg vis=private
{
  options.services.widget = {
#> constant options.services.widget
    enable = mkEnableOption "the widget";
#> constant options.services.widget.enable
    # The port it listens on.
    port = mkOption { type = types.port; default = 80; };
#> constant options.services.widget.port doc="The port it listens on."
  };
  config = mkIf cfg.enable {
#> constant config
    systemd.services.no = { };
  };
} // {
  merged = true;
#> constant merged
}
