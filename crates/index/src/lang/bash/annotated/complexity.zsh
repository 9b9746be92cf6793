# Ways through a function.
decide() {
#> function decide cc=9 doc="Ways through a function."
    if [ "$1" = a ] && [[ $2 == b || $3 ]]; then
        :
    elif test "$1"; then
        :
    else
        :
    fi
    [ -z "$1" ] || return
    case $1 in
        a | b) ;;
        c) ;;
        *) ;;
    esac
    echo $((x > 1 ? 1 : 2))
}

loops() {
#> function loops cc=6
    for x in 1 2; do :; done
    for ((i = 0; i < 2; i++)); do :; done
    while read -r line; do :; done < file
    until false; do :; done
    select y in a b; do break; done
}

nested() {
#> function nested cc=2
    outer=$(
        if true; then echo; fi
    )
    inside() {
#> function nested.inside cc=2
        while :; do :; done
    }
}

stars() {
#> function stars cc=3
    case $1 in
        * | a) ;;
        *.c) ;;
        *) ;;
    esac
}

flags() {
#> function flags cc=2
    local lines=(${(f)1}) rest=${1%%]:*}
    [[ -n ${lines[(r)x]} ]] && echo "$rest"
}
after_flags() { :; }
#> function after_flags
