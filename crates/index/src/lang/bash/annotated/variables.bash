readonly VERSION=1.0
#> constant VERSION vis=public sig="readonly VERSION=1.0" cc=0
declare -r LEFT=1 RIGHT=2
#> constant LEFT sig="declare -r LEFT=1 RIGHT=2"
#> constant RIGHT col=19
declare -rx SHARED
#> constant SHARED
typeset -r OLD=1
#> constant OLD
# Where things are.
export HOME_DIRECTORY='/srv' OTHER=2
#> static HOME_DIRECTORY doc="Where things are." sig="export HOME_DIRECTORY='/srv' OTHER=2" end=0
#> static OTHER
export PATH
declare -A table=([a]=1 [b]=2)
#> static table sig="declare -A table=([a]=1 [b]=2)"
declare -a list
#> static list
declare -f no_function
declare -p no_query
typeset -i number=3
#> static number

# The first value counts.
mode=fast # not this
#> static mode doc="The first value counts." sig="mode=fast" end=0
mode=slow
one=1 two=2
#> static one sig="one=1"
#> static two
three=3
#> static three
empty=
#> static empty sig="empty="
array=(
#> static array end=3 sig="array=(1 2)"
    1
    2
)
array[0]=5
array+=(3)
appended+=x
text="two
#> static text end=2
no=1
lines"
computed=$(inner=1; echo "$inner")
#> static computed sig="computed=$(inner=1; echo "$inner")"
(in_child=1)
ENVIRONMENT=1 command --option=2
A=1 B=2 \
    command
seq 3 | piped=1
for ((i = 0; i < 3; i++)); do
    in_loop=$i
#> static in_loop
done
if [ "$mode" = fast ]; then
    conditional=1
#> static conditional
fi
[ -n "$mode" ] && short=1
#> static short
: "${DEFAULT:=1}"
(( counter = 3 ))
let other=4
alias ll='ls -l' la="ls -a"
#> macro ll cc=1 sig="alias ll='ls -l' la="ls -a"" col=7
#> macro la col=18
alias -p
alias g=git
#> macro g

use() {
#> function use
    alias inside='no'
    readonly local_constant=1
    global=2
}
