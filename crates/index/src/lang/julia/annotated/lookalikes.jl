# Words in strings, comments and quotes are no definitions.
text = "function no() end; struct No end"
#> static text
block = """
#> static block end=3
module No
no() = 1
"""
#= function no() end
   #= nested =#
   macro no() end
=#
symbols = (:function, :struct, :module)
#> static symbols
ended = symbols[end]
#> static ended
functional(x) = x
#> function functional
structure = 1
#> static structure
regex = r"function (\w+)"
#> static regex
command = `julia -e 'f(x) = 1'`
#> static command
call(f = 1; g = 2)
array[f(1)] = 2
x.y = z -> z
@info "message" key = 1
for op in (:+, :-)
    @eval $op(a::Point) = 1
    @eval Base.$op(a::Point) = 1
end
equal(x) == 1
expression = :(quoted(x) = 1)
#> static expression
quote
    quoted(x) = 1
    struct Quoted end
    function $name() end
end
begin
    grouped(x) = x
#> function grouped
end
"A string that documents nothing."

alone(x) = x
#> function alone doc=""
