type t = { mutable name : string; (** Its name. *) age : int }
(*> struct t sig="type t" *)
(*> field t.name mods=mut sig="mutable name : string" doc="Its name." *)
(*> field t.age mods=- doc="" *)

(** Colours. *)
type color =
(*> enum color doc="Colours." end=6 sig="type color" *)
  | Red  (** Like blood. *)
(*> enum_member color.Red doc="Like blood." *)
  | Green of int * string
(*> enum_member color.Green sig="Green of int * string" doc="Like grass." *)
      (** Like grass. *)
  | Blue of { depth : int; tone : float }
(*> enum_member color.Blue *)
(*> field color.Blue.depth *)
(*> field color.Blue.tone sig="tone : float" *)
  | Black
(*> enum_member color.Black *)
[@@deriving show, eq]

and 'a tree = Leaf | Node of 'a tree * 'a * 'a tree
(*> enum tree sig="and 'a tree" doc="A tree." *)
(*> enum_member tree.Leaf *)
(*> enum_member tree.Node doc="" *)
(** A tree. *)

type size =
(*> enum size *)
  (** Little. *)
  | Small
(*> enum_member size.Small doc="Little." *)
  (** A lot. *)
  | Large
(*> enum_member size.Large doc="A lot." *)

type _ gadt = Int : int -> int gadt | Bool : bool gadt
(*> enum gadt sig="type _ gadt" *)
(*> enum_member gadt.Int sig="Int : int -> int gadt" *)
(*> enum_member gadt.Bool *)

type 'a alias = 'a list
(*> type_alias alias sig="type 'a alias = 'a list" *)
type abstract
(*> type_alias abstract *)
type nonrec same = same
(*> type_alias same sig="type nonrec same = same" *)
type poly = [ `A | `B of int ]
(*> type_alias poly *)
type copy = Other.t = private { x : int }
(*> struct copy sig="type copy = Other.t = private" *)
(*> field copy.x *)
type ext = ..
(*> enum ext sig="type ext = .." *)
type ext += First of int | Second
(*> enum_member ext.First sig="First of int" *)
(*> enum_member ext.Second *)
type Other.event += Third
(*> enum_member Other.event.Third *)

(** Went wrong. *)
exception Bad of string * int [@@deprecated "no"]
(*> struct Bad sig="exception Bad of string * int" doc="Went wrong." deco="deprecated "no"" *)
exception Again = Bad
(*> struct Again *)
exception With of { code : int }
(*> struct With *)
(*> field With.code *)

class virtual ['a] stack (init : 'a list) = object (self)
(*> class stack mods=abstract sig="class virtual ['a] stack (init : 'a list)" end=9 *)
  inherit base as super
  val mutable items = init
(*> field stack.items vis=protected mods=mut sig="val mutable items = init" *)
  val! size : int = 0
(*> field stack.size mods=override *)
  (** Puts on top. *)
  method push x = if x then items <- x :: items
(*> method stack.push vis=public cc=2 sig="method push x" doc="Puts on top." *)
  method private hidden = function A -> 1 | B -> 2
(*> method stack.hidden vis=protected cc=3 *)
  method virtual pop : 'a
(*> method stack.pop mods=abstract sig="method virtual pop : 'a" *)
  initializer print_endline "made"
end

and queue = object method m = 1 end
(*> class queue sig="and queue" *)
(*> method queue.m *)

class type shape = object
(*> interface shape sig="class type shape" *)
  inherit drawable
  val side : int
(*> field shape.side *)
  method area : float
(*> method shape.area sig="method area : float" *)
end

let make () = object (self)
(*> function make cc=1 *)
  method run x = if x then 1 else 2
(*> method make.run cc=2 vis=private *)
end
