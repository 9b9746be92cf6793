before() {
#> function before
    :
}

lost() {
#> function lost
    if true; then
        ))
    fi
}

after() {
#> function after
    :
}

looped() for x in 1; do :; done
#> function looped sig="looped()"

last=1
#> static last
finally() { :; }
#> function finally
