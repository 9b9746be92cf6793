#[=======================================================================[.rst:
Functions
---------

What this file is for.
#]=======================================================================]

# Adds a plugin.
# With all it needs.
function(add_plugin name)
#> function add_plugin sig="function(add_plugin name)" doc="Adds a plugin." cc=10 vis=public end=21 col=10
  cmake_parse_arguments(ARG "STATIC" "OUT" "SOURCES" ${ARGN})
  if(ARG_STATIC AND NOT WIN32 OR (APPLE AND IOS))
    set(kind STATIC)
  elseif("${X}" STREQUAL "AND OR")
    set(kind SHARED)
  else()
    set(kind MODULE)
  endif()
  foreach(source IN LISTS ARG_SOURCES)
    while(source AND x)
      break()
    endwhile()
  endforeach()
  add_library(${name} ${kind} ${ARG_SOURCES})
#> target add_plugin.${name}
  function(inner)
#> function add_plugin.inner cc=2 end=3
    if(x)
    endif()
  endfunction()
  if(y)
  endif()
endfunction(add_plugin)

#[[ In a bracket. ]]
macro(say text)
#> macro say sig="macro(say text)" doc="In a bracket." cc=1 end=2
  message(STATUS "${text}")
endmacro()

MACRO ( Upper )
#> macro Upper sig="MACRO ( Upper )"
ENDMACRO()
function("quoted" a b)
#> function quoted
endfunction()
function(${prefix}_computed)
#> function ${prefix}_computed
endfunction()
function(long_list
#> function long_list end=3
  a # first
  b)
endfunction()
