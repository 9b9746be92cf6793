module Complexity

let plain x = let y = x in y |> f
//> function plain cc=1
let branches x = if x > 0 then 1 elif x < 0 then 2 else 3
//> function branches cc=3
let logic a b = a && b || not a
//> function logic cc=3
let loops () =
//> function loops cc=3
    for i in 1..3 do
        while ready () do
            step i
let matches x =
//> function matches cc=5
    match x with
    | 1 | 2 -> "a"
    | n when n > 3 -> "b"
    | other -> "c"
    | _ -> "d"
let onOneLine x = match x with 1 -> "a" | n when n > 3 -> "b" | _ -> "c"
//> function onOneLine cc=4
let catches f =
//> function catches cc=3
    try f ()
    with
    | :? ArgumentException -> 1
    | _ -> 2
let computation xs =
//> function computation cc=3
    async {
        let! r = foo ()
        if r then return 1
        for x in xs do
            yield x
        return! bar ()
    }
let value = if cond then 1 else 2
//> constant value cc=0
