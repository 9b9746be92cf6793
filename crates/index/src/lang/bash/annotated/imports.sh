#!/bin/sh
. ./lib.sh
#> import * from ./lib.sh *
source "$(dirname "$0")/common.sh"
#> import * from $(dirname "$0")/common.sh *
source '/etc/os-release'
#> import * from /etc/os-release *
. "$HOME/.cargo/env" && echo done
#> import * from $HOME/.cargo/env *
load() {
#> function load cc=2
    [ -r "$1" ] && . "$1"
#> import * from $1 *
}
echo source no.sh
echo . no.sh
dot=1
#> static dot
source lib/x.sh argument
#> import * from lib/x.sh *
