#!/usr/bin/env ocaml
#use "topfind";;
(* let no = 1 (* nested " *) " *) module No = struct end *)
let text = "let no = 1 (* no comment"
(*> constant text *)
let quoted = {|
(*> constant quoted end=5 *)
  module No = struct

    let no () = 1 (* no comment *)
  end
|}
let tagged = {sql|SELECT {| 1 |} |sql}
(*> constant tagged *)
let character = '"' and other = '('
(*> constant character *)
(*> constant other *)
let ends_in_and = land 1
(*> constant ends_in_and *)
let rec' = 1 and type_ = 2
(*> constant rec' sig="let rec' = 1" *)
(*> constant type_ sig="and type_ = 2" *)
let f ~method_:m ?class_ = m
(*> function f *)
;;
print_string "let no = 1";;
[@@@warning "-32"]
let last = [%expr let no = 1 in no]
(*> constant last *)
let spliced = [%str let no = 1]
(*> constant spliced *)
