"A thing with an outline."
abstract type Shape{T} end
#> interface Shape mods=abstract vis=public doc="A thing with an outline." sig="abstract type Shape{T}" end=0
abstract type Round <: Shape{Float64} end
#> interface Round sig="abstract type Round <: Shape{Float64}"
primitive type Word <: Unsigned 24 end
#> struct Word mods=- sig="primitive type Word <: Unsigned"

"""
    Point{T}

A place.
"""
struct Point{T <: Real} <: Shape{T}
#> struct Point mods=- doc="A place." sig="struct Point{T <: Real} <: Shape{T}" end=12
    "To the right."
    x::T
#> field Point.x vis=public doc="To the right." sig="x::T"
    y
#> field Point.y sig="y" doc=""
    """
    Upwards.
    """
    z::Vector{<:T}
#> field Point.z doc="Upwards."
    Point(x, y) = new(x, y)
#> constructor Point.Point vis=public cc=1 sig="Point(x, y)"
    function Point{T}(x) where {T}
#> constructor Point.Point#2 end=2
        new{T}(x, x)
    end
end

# Methods outside that make a point.
Point(pair::Tuple) = Point(pair...)
#> constructor Point#2 vis=public sig="Point(pair::Tuple)"
Point{Int}(x::Int) = Point(x, 0)
#> constructor Point#3
Elsewhere{T}(x) where {T} = x
#> constructor Elsewhere

mutable struct Counter
#> struct Counter mods=mut end=6
    const name::String
#> field Counter.name mods=const sig="const name::String"
    @atomic count::Int
#> field Counter.count deco=atomic sig="count::Int" mods=-
    const limit::Int = 10
#> field Counter.limit mods=const sig="const limit::Int = 10"
    helper() = 1
#> function Counter.helper
    Counter() = new("", 0)
#> constructor Counter.Counter
end

"Options with defaults."
Base.@kwdef struct Options
#> struct Options deco="Base.@kwdef" doc="Options with defaults." end=3
    depth::Int = 1
#> field Options.depth sig="depth::Int = 1"
    name = "x"
#> field Options.name
end

struct Empty end
#> struct Empty end=0
struct Pair2 a; b::Int end
#> struct Pair2
#> field Pair2.a
#> field Pair2.b

@enum Color red=1 green=2 blue
#> enum Color sig="@enum Color" end=0
#> enum_member Color.red vis=public sig="red=1"
#> enum_member Color.green sig="green=2"
#> enum_member Color.blue sig="blue"
"What grows on trees."
@enum Fruit::UInt8 begin
#> enum Fruit sig="@enum Fruit::UInt8" doc="What grows on trees." end=4
    "It keeps the doctor away."
    apple
#> enum_member Fruit.apple doc="It keeps the doctor away."
    pear = 2
#> enum_member Fruit.pear doc="" sig="pear = 2"
end
@enum(Direction, up, down = -1)
#> enum Direction sig="@enum(Direction, up, down = -1)"
#> enum_member Direction.up
#> enum_member Direction.down

const Points = Vector{Point}
#> type_alias Points sig="const Points = Vector{Point}"
const AnyShape{T} = Union{Shape{T}, Nothing}
#> type_alias AnyShape sig="const AnyShape{T} = Union{Shape{T}, Nothing}"
"A limit."
const LIMIT = 100
#> constant LIMIT sig="const LIMIT = 100" doc="A limit." vis=public
const FIRST, SECOND = 1, 2
#> constant FIRST sig="const FIRST, SECOND = 1, 2"
#> constant SECOND
const TABLE = Dict{String,Int}()
#> constant TABLE
counter::Int = 0
#> static counter sig="counter::Int = 0" mods=-
left, right = 1, 2
#> static left
#> static right
(; top, bottom) = margins
#> static top
#> static bottom
global everywhere = 1
#> static everywhere sig="global everywhere = 1"
counter = 2
if counter > 1
    decided = true
#> static decided
end
@static if Sys.iswindows()
    separator = "\\"
#> static separator
end
for i in 1:3
    not_a_variable = i
end
let
    neither = 1
end
table["key"] = 1
object.field = 2
first_one, = values
#> static first_one
