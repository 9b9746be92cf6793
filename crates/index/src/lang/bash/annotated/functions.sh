#!/usr/bin/env bash
# Functions in every form.

set -euo pipefail

# Prints its arguments.
#
# Nothing else.
say() {
#> function say vis=public cc=1 mods=- end=2 col=1 sig="say()" doc="Prints its arguments."
    printf '%s\n' "$*"
}

function keyword {
#> function keyword sig="function keyword" col=10
    say "function no() { :; }"
}

function both() {
#> function both sig="function both()" end=1
}

function spaced ( )
#> function spaced sig="function spaced ( )" end=3
{
    :
}

in_subshell() (
#> function in_subshell end=3 sig="in_subshell()"
    cd /tmp && unset x
    hidden=1
)
when_true() if true; then :; fi
#> function when_true cc=2 end=0
is_set() [[ -n $1 ]]
#> function is_set cc=1
arithmetic() (( $1 > 2 ))
#> function arithmetic

outer() {
#> function outer cc=2
    if true; then
        inner() { [ "$1" ] || return; }
#> function outer.inner cc=2 vis=public
    fi
    local not_recorded=1
    also_not=2
}

git-sub_command:with.dots() { :; }
#> function git-sub_command:with.dots
_private() { :; }
#> function _private vis=public
redirected() {
#> function redirected end=2
    cat
} >/dev/null 2>&1
over() { echo 1; }
#> function over
over() { echo 2; }
#> function over#2

#######################################
# Removes what is old.
# Globals:
#   DIRECTORY
#######################################
cleanup() {
#> function cleanup doc="Removes what is old." end=2
    rm -r "$DIRECTORY"
}

# shellcheck disable=SC2120
# Told to a linter only above.
linted() { :; }
#> function linted doc="Told to a linter only above."

# Of a linter.
# shellcheck disable=SC2120
after_lint() { :; }
#> function after_lint doc="Of a linter."

# Belongs to nobody.

undocumented() { :; } # of this line
#> function undocumented doc=""
next() { :; }
#> function next doc=""

if [ -t 1 ]; then
    # Coloured.
    colour() { :; }
#> function colour doc="Coloured." vis=public
else
    colour() { :; }
#> function colour#2 doc=""
fi
