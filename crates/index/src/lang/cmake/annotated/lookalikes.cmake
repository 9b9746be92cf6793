# function(commented)
# endfunction()
#[==[
function(in_bracket)
endfunction()
]==]
set(TEXT "function(in_text)
endfunction()")
set(BRACKET [=[
add_executable(no no.c)

]=])
message(STATUS add_library option)
my_function(function macro project)
my_option(NO "no" ON)
set_property(CACHE X PROPERTY Y z)
function(include)
#> function include
endfunction()
macro(set_option option)
#> macro set_option
  option(INNER "In a macro" ON)
#> constant set_option.INNER
endmacro()
add_executable()
project()
set()
option(${computed} "x" ON)
#> constant ${computed}
