# Functions in all their forms.

"""
    area(width, height)

The area of a rectangle. In whatever unit.
"""
function area(width, height)
#> function area vis=public cc=1 end=2 mods=- col=10 sig="function area(width, height)" doc="The area of a rectangle."
    width * height
end

"Twice."
double(x) = 2x
#> function double cc=1 end=0 sig="double(x)" doc="Twice."

# A comment documents nothing.
half(x::Number)::Float64 = x / 2
#> function half sig="half(x::Number)::Float64" doc=""

function keywords(a::T, rest...; scale = 1, kwargs...)::T where {T <: Real, S}
#> function keywords sig="function keywords(a::T, rest...; scale = 1, kwargs...)::T where {T <: Real, S}" end=2
    a
end

many(x::T) where {T} where {S} = x
#> function many sig="many(x::T) where {T} where {S}"

long(
#> function long sig="long(first, second,)" end=5
    first,
    second,
) = begin
    first + second
end

function declared end
#> function declared mods=declare sig="function declared" end=0
function Base.announced end
#> function Base.announced mods=declare sig="function Base.announced"

# Methods for the functions of other modules.
Base.show(io::IO, x::Point) = print(io, "Point")
#> function Base.show vis=public sig="Base.show(io::IO, x::Point)" col=6
function Base.Docs.getdoc(x::Point)
#> function Base.Docs.getdoc end=1
end

# Operators.
+(a::Point, b::Point) = Point(a.x + b.x)
#> function + sig="+(a::Point, b::Point)"
Base.:-(a::Point) = a
#> function Base.-
function Base.:(==)(a::Point, b::Point)
#> function Base.== end=2
    true
end
a ⊕ b = a + b
#> function ⊕ sig="a ⊕ b" col=3
(f ∘ g)(x) = f(g(x))
#> function ∘
function (<)(a::Point, b::Point) end
#> function <

# What an instance does when it is called.
(p::Polynomial)(x) = p.at(x)
#> method Polynomial sig="(p::Polynomial)(x)"
function (::Polynomial{T})(x, y) where {T}
#> method Polynomial#2 end=2
    x
end

# Macros around functions.
@inline fast(x) = x
#> function fast deco=inline sig="fast(x)" col=9
"""
Checked by nobody.
"""
Base.@propagate_inbounds @inline function faster(x)
#> function faster deco="Base.@propagate_inbounds" deco=inline doc="Checked by nobody." sig="function faster(x)" end=2
    x
end
@inline(fastest(x) = x)
#> function fastest deco=inline
@doc "Told by a macro." told(x) = x
#> function told doc="Told by a macro." sig="told(x)"
@doc raw"""
Raw \LaTeX.
""" function raw_told() end
#> function raw_told doc="Raw \LaTeX."

# Functions without a name, and those that get one from a variable.
square = x -> x^2
#> function square sig="square = x" end=0
const cube = function (x)
#> function cube sig="const cube = function (x)" end=2
    x^3
end
map(x -> x + 1, 1:3)
#> function <lambda1> vis=private sig="x"
open("file") do io
#> function <lambda2> sig="do io" end=2
    read(io)
end

function outer(x)
#> function outer cc=1 end=6
    inner(y) = y
#> function outer.inner vis=private
    function nested() end
#> function outer.nested vis=private
    local_function = (a, b) -> a
#> function outer.local_function sig="local_function = (a, b)"
    local_variable = 1
    return function (z) z end
end

# Names that only `var` can spell.
var"a name"(x) = x
#> function a·name sig="var"a name"(x)"
f′(x) = x
#> function f′
_hidden(x) = x
#> function _hidden vis=private

"""
A macro.
"""
macro repeat(n, body)
#> macro repeat cc=1 end=2 sig="macro repeat(n, body)" doc="A macro."
    esc(body)
end
macro text_str(s) s end
#> macro text_str
