let before x = x
(*> function before *)

let wrong = (1 +
(*> constant wrong *)

let after y = if y then 1 else 2
(*> function after cc=2 *)

module M = struct
(*> namespace M *)
  let inside = 1
(*> constant M.inside *)
  let unfinished =
(*> constant M.unfinished *)
end

type t = { a : int }
(*> struct t *)
(*> field t.a *)

let last z = z
(*> function last *)
