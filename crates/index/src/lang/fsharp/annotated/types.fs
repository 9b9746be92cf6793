namespace Acme.Types

open System
//> import * from System *
open type System.Math
//> import * from System.Math *

/// A point.
type Point =
//> struct Point doc="A point." sig="type Point" end=4
    { /// Across.
      X: int
//> field Point.X sig="X: int" doc="Across."
      mutable Y: float }
//> field Point.Y mods=mut
    member this.Length = sqrt this.Y
//> method Point.Length mods=property,getter sig="member this.Length"

type internal Color =
//> enum Color vis=internal sig="type internal Color"
    | Red
//> enum_member Color.Red vis=public
    /// Like grass.
    | Green of int * name: string
//> enum_member Color.Green sig="Green of int * name: string" doc="Like grass."
    | [<Old>] Blue
//> enum_member Color.Blue deco="Old"
    static member Create () = Red
//> method Color.Create mods=static sig="static member Create ()"
type Short = A | B of int
//> enum Short
//> enum_member Short.A
//> enum_member Short.B
type Level = Low = 0 | High = 1
//> enum Level
//> enum_member Level.Low sig="Low = 0"
//> enum_member Level.High
type Alias = int list
//> type_alias Alias sig="type Alias = int list"
type Same = Other
//> type_alias Same
type Callback = int -> unit
//> type_alias Callback
type Handler = delegate of int * string -> unit
//> type_alias Handler
[<Measure>] type kg
//> type_alias kg deco="Measure"
exception Bad of string * int
//> struct Bad sig="exception Bad of string * int"

/// A shape.
[<AbstractClass>]
type Shape<'T>(name: string, ?size: int) =
//> class Shape mods=abstract deco="AbstractClass" doc="A shape." sig="type Shape<'T>(name: string, ?size: int)" end=23
    inherit Base(name)
    let mutable hidden = 1
//> field Shape.hidden vis=private mods=mut
    let helper x = if x then 1 else 2
//> method Shape.helper vis=private cc=2
    static let cache = Dictionary<int, int>()
//> field Shape.cache vis=private mods=static
    do printfn "made"
    new () = Shape("x")
//> constructor Shape.new sig="new ()"
    member val Auto = 1 with get, set
//> field Shape.Auto mods=- sig="member val Auto = 1 with get, set"
    member val Fixed = 1
//> field Shape.Fixed mods=readonly
    member this.Name = name
//> method Shape.Name mods=property,getter
    /// Both ways.
    member this.Area
//> method Shape.Area mods=property,getter,setter doc="Both ways." cc=2 end=2 sig="member this.Area"
        with get () = 1.0
        and set (v: float) = if v > 0.0 then hidden <- 2
    member x.Scale (factor: float, ?other) = factor
//> method Shape.Scale mods=- sig="member x.Scale (factor: float, ?other)"
    member private x.Hidden () = 1
//> method Shape.Hidden vis=private
    abstract Draw : int -> unit
//> method Shape.Draw mods=abstract sig="abstract Draw : int -> unit"
    default this.Draw x = ()
//> method Shape.Draw#2 mods=default
    override this.ToString () = name
//> method Shape.ToString mods=override
    static member (+) (a: Shape<'T>, b: Shape<'T>) = a
//> method Shape.+ mods=static
    member inline internal _.Curried<'U> a b = a
//> method Shape.Curried vis=internal
    interface IDisposable with
        member this.Dispose () = ()
//> method Shape.Dispose
    [<DefaultValue>] val mutable private field : int
//> field Shape.field vis=private mods=mut deco="DefaultValue" sig="val mutable private field : int"
and [<Struct>] Pair = { A: int; B: int }
//> struct Pair deco="Struct" sig="Pair"
//> field Pair.A
//> field Pair.B

type IShape =
//> interface IShape sig="type IShape"
    inherit IDisposable
    abstract Area : float
//> field IShape.Area mods=abstract
    abstract member Move : int * int -> unit
//> method IShape.Move mods=abstract
[<Interface>]
type IMarker = interface end
//> interface IMarker
type Plain = class end
//> class Plain
[<Struct>]
type Vector(x: float) =
//> struct Vector
    member _.X = x
//> method Vector.X

type System.String with
    member this.Shout () = this.ToUpper ()
//> method System.String.Shout
type List<'T> with
    static member Empty = []
//> method List.Empty mods=static,property,getter

namespace Acme.Types.Inner
//> namespace Inner sig="namespace Acme.Types.Inner"

type Last = | Only
//> enum Inner.Last
//> enum_member Inner.Last.Only
