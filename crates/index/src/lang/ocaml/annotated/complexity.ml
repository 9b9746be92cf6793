let plain x = (* why *) let y = x in assert y; y |> f
(*> function plain cc=1 sig="let plain x" *)
let branches x = if x > 0 then 1 else if x < 0 then 2 else 3
(*> function branches cc=3 *)
let logic a b = a && b || not a & b or a
(*> function logic cc=5 *)
let loops () = for i = 0 to 3 do while ready () do step i done done
(*> function loops cc=3 *)
let matches x = match x with A | B -> 1 | C n when n > 0 -> 2 | other -> 3 | _ when late -> 4 | _ -> 5
(*> function matches cc=7 *)
let catches f = try f () with Not_found -> 1 | Exit when x -> 2 | _ -> 3
(*> function catches cc=5 *)
let monads = function
(*> function monads cc=6 *)
  | A -> let%lwt x = f () in (match%lwt x with B -> g () | exception E -> h ())
  | C -> if%lwt y then z () else w ()
let constant = if cond then 1 else 2
(*> constant constant cc=0 *)
