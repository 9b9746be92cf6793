module Broken

let before x = x
//> function before

let wrong = (1 +

let after y = if y then 1 else 2
//> function after cc=2

type T = { A: int }
//> struct T
//> field T.A

let last z = z
//> function last
