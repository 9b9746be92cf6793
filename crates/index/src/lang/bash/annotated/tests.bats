#!/usr/bin/env bats
#> file: test/tests.bats

load helper

setup() {
#> function setup
    x=1
}

# Adds.
@test "adds two numbers" {
#> test adds·two·numbers doc="Adds." end=4 col=7 sig="@test "adds two numbers"" cc=2
    run add 1 2
    [ "$status" -eq 0 ]
    [ "$output" = 3 ] || false
}

  @test 'single quotes, ü' { # comment
#> test single·quotes,·ü end=2
    :
}
@test unquoted {
#> test unquoted
    :
}

function named_after_the_fact { #@test
#> test named_after_the_fact
    :
}

test_helper_is_a_test() { :; }
#> test test_helper_is_a_test
testing() { :; }
#> function testing
