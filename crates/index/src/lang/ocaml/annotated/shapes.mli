(** Shapes and what to do with them. *)

open Base
(*> import * from Base * *)
include Comparable.S with type t := t
(*> import * from Comparable.S * *)
include module type of Defaults
(*> import * from Defaults * *)

type t
(*> type_alias t doc="A shape." *)
(** A shape. *)

(** {1 Making} *)

val circle : float -> t
(*> function circle mods=declare sig="val circle : float -> t" doc="Round." vis=public cc=1 *)
(** Round. *)
val square : float -> t
(*> function square doc="Not round." *)
(** Not round. *)

(** The smallest. *)
val unit : t [@@deprecated]
(*> constant unit mods=declare sig="val unit : t" doc="The smallest." deco="deprecated" *)
val ( + ) : t -> t -> t
(*> function + doc="" *)
external area : t -> float = "shape_area"
(*> function area mods=extern *)

module Set : Set.S with type elt = t
(*> namespace Set sig="module Set : Set.S with type elt = t" *)
module Nested : sig
(*> namespace Nested *)
  val f : int -> int
(*> function Nested.f mods=declare *)
end
module type Drawable = sig
(*> interface Drawable *)
  type canvas = { width : int  (** Pixels. *) }
(*> struct Drawable.canvas *)
(*> field Drawable.canvas.width doc="Pixels." *)
end
exception Broken of string
(*> struct Broken *)
class canvas : int -> object
(*> class canvas sig="class canvas : int -> object method draw : t -> unit end" *)
  method draw : t -> unit
(*> method canvas.draw *)
end
class plain : object
(*> class plain sig="class plain" *)
  val x : int
(*> field plain.x *)
end
