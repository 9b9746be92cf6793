module Lookalikes exposing (text)

-- no : Int
-- no = 1


{- type No = No {- nested -}
no x = x
-}
text : String
text =
--> constant text vis=public sig="text : String" end=6 doc=""
    """
type No = No

-- no comment
no x = x
"""


portable =
--> constant portable vis=private
    "port no : Int -> Int"


typeName importance =
--> function typeName
    case importance of
        "case _ of" ->
            '"'

        _ ->
            '\''


shader =
--> constant shader end=4
    [glsl|
        void main () { if (x) {} }

    |]
