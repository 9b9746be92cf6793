(* A licence. *)

(** About this module. *)
open Printf
(*> import * from Printf * *)
open! Base.Export
(*> import * from Base.Export * *)
include Shared.Defaults
(*> import * from Shared.Defaults * *)
include (Checked : S with type t = int)
(*> import * from Checked * *)
include Functor (Arg)
include struct
  let included = 1
(*> constant included *)
end
open struct
  let opened = 1
(*> constant opened *)
end

(** Nested. *)
module Inner = struct
(*> namespace Inner sig="module Inner" doc="Nested." end=5 *)
  let f x = x
(*> function Inner.f *)
  module Deep = struct
(*> namespace Inner.Deep *)
    type t = int
(*> type_alias Inner.Deep.t *)
  end
end

module Alias = Other.Module
(*> namespace Alias sig="module Alias = Other.Module" *)
module Strings = Map.Make (String)
(*> namespace Strings sig="module Strings = Map.Make (String)" *)
module Ordered = Set.Make (struct
(*> namespace Ordered *)
  type t = int
(*> type_alias Ordered.<struct1>.t *)
  let compare = compare
(*> constant Ordered.<struct1>.compare *)
end)
module Sealed : sig
(*> namespace Sealed sig="module Sealed" *)
  type t
(*> type_alias Sealed.t *)
  val make : int -> t
(*> function Sealed.make *)
end = struct
  type t = int
(*> type_alias Sealed.t#2 *)
  let make x = x
(*> function Sealed.make#2 *)
end
module Make (X : S) (Y : sig val y : int end) : T with type t = X.t = struct
(*> namespace Make sig="module Make (X : S) (Y : sig val y : int end) : T with type t = X.t" *)
(*> constant Make.<sig1>.y *)
  let z = X.x
(*> constant Make.z *)
end
module Functor = functor (X : S) -> struct let w = 1 end
(*> namespace Functor sig="module Functor" *)
(*> constant Functor.w *)
module rec A : S = struct let v = B.v end
(*> namespace A sig="module rec A : S" *)
(*> constant A.v *)
and B : S = struct let v = A.v end
(*> namespace B sig="and B : S" *)
(*> constant B.v *)

module type S = sig
(*> interface S sig="module type S" end=7 *)
  type t
(*> type_alias S.t *)
  val run : t -> int
(*> function S.run sig="val run : t -> int" mods=- doc="Runs." *)
  (** Runs. *)
  val empty : t
(*> constant S.empty *)
  exception Failed
(*> struct S.Failed *)
  module Sub : sig val q : 'a. 'a -> int end
(*> namespace S.Sub sig="module Sub" *)
(*> function S.Sub.q *)
end
module type Same = S with type t = int
(*> interface Same sig="module type Same = S with type t = int" *)
module type Abstract
(*> interface Abstract *)

let pack = (module struct let x = 1 end : S)
(*> constant pack *)
(*> constant pack.<struct1>.x *)
let unpack (module X : S) = X.run
(*> function unpack *)
