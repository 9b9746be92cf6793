#!/bin/dash
# Nothing here but what is annotated is a definition.
cat <<END
function no() {
no=1
# not a comment
END
cat <<-'QUOTED'
	nothing() {
	}
	QUOTED
echo 'function no() { :; }
no=1
' "no() { :; }"
# function no() { :; }
echo function no
echo alias no=1
func() {
#> function func
    cat <<EOF
readonly NO=1
EOF
    awk 'function f(x) { return x }'
}
test_not_in_a_test_file() { :; }
#> function test_not_in_a_test_file
functional=1
#> static functional
readonlyish=1
#> static readonlyish
if_only() { echo if; }
#> function if_only cc=1
grep -q 'x' <<< "no() { :; }"
