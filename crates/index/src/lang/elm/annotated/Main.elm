port module Main exposing (Id, Model, Msg(..), Opaque, main, update, view)

{-| The program.

More about it.

@docs main

-}

import Browser
--> import Browser from Browser -
import Html exposing (Html, div)
--> import Html from Html -
--> import Html from Html Html
--> import div from Html div
import Json.Decode as Decode exposing (..)
--> import Decode from Json.Decode -
--> import * from Json.Decode *
import Url.Parser as Parser exposing ((</>), Parser, Tree(..))
--> import Parser from Url.Parser -
--> import </> from Url.Parser </>
--> import Parser from Url.Parser Parser
--> import Tree from Url.Parser Tree


{-| What is known.
-}
type alias Model =
--> struct Model vis=public sig="type alias Model" doc="What is known." end=6
    { count : Int
--> field Model.count vis=public sig="count : Int"
    , name : String
--> field Model.name

    -- not a doc
    , place : { x : Int, y : Int }
--> field Model.place
--> field Model.place.x
--> field Model.place.y
    }


type alias Id =
--> type_alias Id vis=public sig="type alias Id = Int" end=1
    Int


type alias Hidden a =
--> struct Hidden vis=private sig="type alias Hidden a"
    { a | hidden : List { no : Int } }
--> field Hidden.hidden vis=private


{-| What may happen. -}
type Msg
--> enum Msg vis=public sig="type Msg" doc="What may happen." end=3
    = Increment
--> enum_member Msg.Increment vis=public sig="Increment"
    | Set Int (Maybe String)
--> enum_member Msg.Set sig="Set Int (Maybe String)"
    | Move { dx : Int }
--> enum_member Msg.Move
--> field Msg.Move.dx


type Opaque a
--> enum Opaque vis=public sig="type Opaque a"
    = Opaque a
--> enum_member Opaque.Opaque vis=private


type Secret
--> enum Secret vis=private
    = Secret
--> enum_member Secret.Secret vis=private


{-| Says something. -}
port say : String -> Cmd msg
--> function say vis=private mods=extern sig="port say : String -> Cmd msg" doc="Says something."


port heard : (String -> msg) -> Sub msg
--> function heard mods=extern


main : Program () Model Msg
main =
--> constant main vis=public sig="main : Program () Model Msg" end=1
    Browser.element { init = init, update = update, view = view, subscriptions = \_ -> Sub.none }
--> function main.<lambda1> sig="\_"


{-| Does it.

In steps.

-}
update : Msg -> Model -> ( Model, Cmd Msg )
update msg model =
--> function update vis=public cc=8 sig="update : Msg -> Model -> ( Model, Cmd Msg )" doc="Does it." end=27 col=1
    case msg of
        Increment ->
            if model.count > 3 && ready || done then
                ( model, Cmd.none )

            else if late then
                ( model, say "late" )

            else
                init

        Set n _ ->
            let
                helper : Int -> Int
                helper x =
                    x + n

                ( a, b ) =
                    pair
            in
            ( { model | count = helper a }, Cmd.none )

        Move { dx } ->
            List.map (\x -> if x then 1 else 2) [ dx ]
--> function update.<lambda1> cc=2 sig="\x"

        _ ->
            init


view model =
--> function view vis=public cc=1 sig="view model"
    div [] []


init =
--> constant init vis=private sig="init = ( Model 0 "", Cmd.none )"
    ( Model 0 "", Cmd.none )


decoder : Decode.Decoder (Int -> Int)
decoder =
--> constant decoder sig="decoder : Decode.Decoder (Int -> Int)"
    succeed identity


pointFree : Int -> Int
-- between
pointFree =
--> function pointFree sig="pointFree : Int -> Int"
    add 1 >> negate


assigned =
--> function assigned cc=1 sig="assigned"
    \a b -> a
