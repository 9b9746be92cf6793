module Lookalikes where
-- f x = 1
{- g x = 2
   {- nested -} h = 3 -}
text = "k x = 4 -- no comment"
--> constant text
gap = "one\
--> constant gap end=1
      \ {- two"
quoted = [sql|
--> constant quoted end=2
  data Not = Here
  |]
char = '"'
--> constant char
escape c = c == '\n'
--> function escape
prime' = 1
--> constant prime'
module' = 'x'
--> constant module'
type_ = types
--> function type_
a |> b = b
--> function |>
where_ x = y where { y = x; data' = 1 }
--> function where_
splice = [d| data Quoted = Quoted; quoted' = 1 |]
--> function splice
