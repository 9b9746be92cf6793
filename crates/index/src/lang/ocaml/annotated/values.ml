(** Values of all sorts.

    More about them. *)

let answer = 42
(*> constant answer vis=public sig="let answer = 42" doc="" *)

(** Adds two numbers.
    Really. *)
let add a b = a + b
(*> function add vis=public cc=1 sig="let add a b" doc="Adds two numbers." end=0 *)

let typed (a : int) ?(b = 1) ~c : int -> int = fun x -> a + x [@@inline always]
(*> function typed sig="let typed (a : int) ?(b = 1) ~c : int -> int" deco="inline always" *)
(** Documented after. *)

let curried = fun a b -> a
(*> function curried sig="let curried = fun a b" doc="" *)
let cases = function A -> 1 | B -> 2 | _ -> 3
(*> function cases cc=3 sig="let cases = function" *)
let wrapped = (fun x -> x)
(*> function wrapped *)
let declared : int -> int = compose f g
(*> function declared sig="let declared : int -> int" *)
let poly : type a. a t -> a = fun x -> x
(*> function poly sig="let poly : type a. a t -> a" *)
let abstract (type a) (x : a) = x
(*> function abstract *)
let point_free = compose f g
(*> constant point_free *)
let counter = ref 0
(*> constant counter *)

let rec even n = n = 0 || odd (n - 1)
(*> function even cc=2 sig="let rec even n" *)

(** The other half. *)
and odd n = n <> 0 && even (n - 1)
(*> function odd cc=2 sig="and odd n" doc="The other half." *)
and unit = ()
(*> constant unit sig="and unit = ()" *)

let ( + ) a b = a
(*> function + sig="let ( + ) a b" col=5 *)
let (&&) a b = a
(*> function && cc=1 *)
let ( let* ) = bind
(*> constant let* *)
let ( !! ) x = x
(*> function !! *)

let a, (b, _) = pair
(*> constant a sig="let a, (b, _) = pair" *)
(*> constant b *)
let { name; age = years } = person
(*> constant name *)
(*> constant years *)
let (Some inner | Other inner) = value
(*> constant inner *)
(*> constant inner#2 *)
let (x : int) = 1
(*> constant x *)

let () = print_endline "nobody's name"
let _ = fun x -> if x then 1 else 2
let _private = 1
(*> constant _private vis=public *)
let[@tail_mod_cons] rec map f = function [] -> [] | x :: l -> f x :: map f l
(*> function map cc=3 sig="let[@tail_mod_cons] rec map f" *)

external length : string -> int = "%string_length" [@@noalloc]
(*> function length mods=extern sig="external length : string -> int = "%string_length"" deco="noalloc" *)

let table = [ ("a", fun x -> x); ("b", function A when ok -> 1 | _ -> 2) ]
(*> constant table *)
(*> function table.<lambda1> cc=1 sig="fun x" *)
(*> function table.<lambda2> cc=3 sig="function" *)

let outer l =
(*> function outer cc=2 end=7 *)
  let helper x = if x then 1 else 2 in
  let rec loop = fun y -> loop y in
  let open List in
(*> import * from List * *)
  let module Local = struct let z = 1 end in
(*> namespace outer.Local vis=private *)
(*> constant outer.Local.z vis=private *)
  let exception Stop in
(*> struct outer.Stop vis=private *)
  iter (fun x -> if x then helper x) l;
(*> function outer.<lambda1> cc=2 *)
  loop Local.z
