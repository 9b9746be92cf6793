"""
    Geometry

Points and lines.
"""
module Geometry
#> namespace Geometry vis=public doc="Points and lines." sig="module Geometry" end=32

using LinearAlgebra, Printf
#> import * from LinearAlgebra *
#> import * from Printf *
using Base: show, @kwdef, print as output
#> import show from Base show
#> import @kwdef from Base @kwdef
#> import output from Base print
using ..Parent.Sibling
#> import * from ..Parent.Sibling *
import Base
#> import Base from Base -
import Base.convert, Statistics.mean as average
#> import convert from Base convert
#> import average from Statistics mean
import Base: +, (-), show
#> import + from Base +
#> import - from Base -
#> import show from Base show
import .Inner
#> import Inner from .Inner -
import DataFrames as DF
#> import DF from DataFrames -

export line, @trace, Inner
public internal_but_stable

include("lines.jl")
#> import * from lines.jl *
include(joinpath("a", "b.jl"))

line(x) = x
#> function Geometry.line vis=public
internal_but_stable() = 1
#> function Geometry.internal_but_stable vis=public
other() = 2
#> function Geometry.other vis=internal
_own() = 3
#> function Geometry._own vis=private
const SCALE = 2
#> constant Geometry.SCALE vis=internal
macro trace(x) x end
#> macro Geometry.trace vis=public
Base.length(x::Line) = 1
#> function Geometry.Base.length vis=public

module Inner
#> namespace Geometry.Inner vis=public
# This module exports nothing, so everything is for everybody.
free() = 1
#> function Geometry.Inner.free vis=public
end

baremodule Bare end
#> namespace Geometry.Bare vis=internal sig="baremodule Bare"

end # module
