--> file: tests/ShapeTest.elm
module ShapeTest exposing (suite)

import Test exposing (..)
--> import Test from Test -
--> import * from Test *


suite : Test
suite =
--> constant suite vis=public
    describe "Shapes"
--> namespace suite.Shapes sig="describe "Shapes"" end=12
        [ test "have an area" <|
--> test suite.Shapes.have·an·area cc=2 vis=private
            \_ ->
                if True then
                    Expect.pass

                else
                    Expect.fail "no"
        , test "are round" (\() -> Expect.pass)
--> test suite.Shapes.are·round cc=1
        , fuzz int "any size" <|
--> test suite.Shapes.any·size
            \size -> Expect.pass
        , todo "later"
        ]


helper x =
--> function helper vis=private
    x
