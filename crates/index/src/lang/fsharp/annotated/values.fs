/// Values of all sorts.
module Acme.Values

/// Adds two numbers.
/// Really.
let add (a: int) b : int = a + b
//> function add vis=public cc=1 sig="let add (a: int) b : int" doc="Adds two numbers." end=0
let answer = 42
//> constant answer sig="let answer = 42" mods=-
let mutable counter = 0
//> static counter mods=mut
[<Literal>]
let Pi = 3.14
//> constant Pi deco="Literal" sig="let Pi = 3.14"
let inline private square x = x * x
//> function square vis=private sig="let inline private square x"
let internal hidden () = 1
//> function hidden vis=internal
let unitary(): unit = ()
//> function unitary sig="let unitary(): unit"

let rec even n =
//> function even cc=2 sig="let rec even n" end=1
    if n = 0 then true else odd (n - 1)
/// The other half.
and odd n =
//> function odd cc=3 sig="and odd n" doc="The other half." end=4
    // decides
    match n with
    | 0 -> false
    | _ -> n <> 0 && even (n - 1)
    // trailing

let curried = fun a b -> a
//> function curried sig="let curried = fun a b"
let cases = function A -> 1 | B when ok -> 2 | _ -> 3
//> function cases cc=4 sig="let cases = function"
let declared : int -> int = compose f g
//> function declared sig="let declared : int -> int"
let composed = f >> g
//> constant composed
let first, (second, _) = 1, (2, 3)
//> constant first sig="let first, (second, _) = 1, (2, 3)"
//> constant second
let (Some inner) = value
//> constant inner
let { Name = name } as whole = person
//> constant name
//> constant whole
let (|Even|Odd|) n = if n % 2 = 0 then Even else Odd
//> function |Even|Odd| cc=2 sig="let (|Even|Odd|) n"
let (|Prefix|_|) (p: string) s = None
//> function |Prefix|_|
let (+.) a b = a
//> function +. col=5
let ``name with spaces`` () = 1
//> function name·with·spaces sig="let ``name with spaces`` ()"
let _ = ignore 1
do printfn "nobody's name"
let generic<'T> = typeof<'T>
//> constant generic

[<Obsolete("no"); CompiledName("X")>]
[<Other>]
let decorated x = x
//> function decorated deco="Obsolete("no")" deco="CompiledName("X")" deco="Other" sig="let decorated x"
[<DllImport("libc")>]
extern int puts(string s)
//> function puts mods=extern sig="extern int puts(string s)" deco="DllImport("libc")"

let table = [ (fun x -> x); (fun y -> if y then 1 else 2) ]
//> constant table
//> function table.<lambda1> cc=1 sig="fun x"
//> function table.<lambda2> cc=2
let outer xs =
//> function outer cc=2 end=5
    let helper x = if x then 1 else 2
    let mutable local = 0
    xs |> List.map (fun x -> if x then helper x else local)
//> function outer.<lambda1> cc=2
    |> ignore
    { new IDisposable with member _.Dispose () = () }
//> class outer.<class1> sig="new IDisposable"
//> method outer.<class1>.Dispose vis=private

/// Nested.
[<AutoOpen>]
module internal Nested =
//> namespace Nested vis=internal doc="Nested." deco="AutoOpen" sig="module internal Nested" end=4
    let y = 2
//> constant Nested.y
    module Deep =
//> namespace Nested.Deep
        // only this
        let z = 3
//> constant Nested.Deep.z
// of nobody
module Abbreviation = System.IO
//> import Abbreviation from System.IO -
