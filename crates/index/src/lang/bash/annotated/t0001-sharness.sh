#!/bin/sh
#> file: t/t0001-sharness.sh

test_description='Titles.'
#> static test_description

. ./test-lib.sh
#> import * from ./test-lib.sh *

test_expect_success 'it works' '
#> test it·works sig="test_expect_success 'it works'" end=3 cc=1
	one=1 &&
	test $one = 1
'

# Not yet.
test_expect_failure POSIX "it $works not" 'false'
#> test it·$works·not doc="Not yet."

helper () {
#> function helper
	test_expect_success "in $1" 'true'
#> test helper.in·$1
}
