module Acme.Everything exposing (..)

import Basics
--> import Basics from Basics -


type Shape
--> enum Shape vis=public
    = Circle Float
--> enum_member Shape.Circle vis=public
    | Square
--> enum_member Shape.Square


type alias Pair a b =
--> type_alias Pair vis=public sig="type alias Pair a b = ( a, b )"
    ( a, b )


infix right 5 (|=) = pipe
--> function |= vis=public sig="infix right 5 (|=) = pipe"


pipe : a -> (a -> b) -> b
pipe a f =
--> function pipe vis=public
    f a


area shape =
--> function area cc=3 end=6
    case shape of
        Circle r ->
            r * r

        Square ->
            1


destructured { x, y } ( a, _ ) =
--> function destructured sig="destructured { x, y } ( a, _ )"
    x
