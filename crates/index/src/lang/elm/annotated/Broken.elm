module Broken exposing (before, last)


before x =
--> function before vis=public
    x


wrong =
    ( 1,


after y =
--> function after cc=2
    if y then
        1

    else
        2


type T
--> enum T
    = A
--> enum_member T.A


last z =
--> function last vis=public
    z
