function(before)
#> function before
endfunction()

add_executable(ok a.c)
#> target ok

this is not a command
if(unclosed

function(after)
#> function after
endfunction()

add_library(last l.c)
#> target last
