namespace Acme

open System
//> import * from System *

/// What to do with shapes.
module Shapes =
//> namespace Shapes doc="What to do with shapes." sig="module Shapes"
    /// Adds.
    val add: a: int -> b: int -> int
//> function Shapes.add mods=declare sig="val add: a: int -> b: int -> int" doc="Adds."
    val limit: int
//> constant Shapes.limit mods=declare
    val internal (+.): int -> int -> int
//> function Shapes.+. vis=internal
    type Color =
//> enum Shapes.Color
        | Red
//> enum_member Shapes.Color.Red
        | Green of int
//> enum_member Shapes.Color.Green
        member IsRed: bool
//> field Shapes.Color.IsRed mods=declare sig="member IsRed: bool"
    [<Class>]
    type Shape =
//> class Shapes.Shape deco="Class"
        new: name: string -> Shape
//> constructor Shapes.Shape.new mods=declare sig="new: name: string -> Shape"
        /// Its size.
        member Area: float with get, set
//> field Shapes.Shape.Area doc="Its size."
        member Move: x: int * ?y: int -> unit
//> method Shapes.Shape.Move sig="member Move: x: int * ?y: int -> unit"
        static member (+): Shape * Shape -> Shape
//> method Shapes.Shape.+ mods=static,declare
        member Long:
//> method Shapes.Shape.Long end=2
            a: int ->
                unit
        abstract Draw: unit -> unit
//> method Shapes.Shape.Draw mods=abstract,declare
        interface IDisposable
    type Abstract
//> type_alias Shapes.Abstract
    exception Broken of string
//> struct Shapes.Broken
    module Inner =
//> namespace Shapes.Inner
        val y: int
//> constant Shapes.Inner.y
