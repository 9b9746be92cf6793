{-# LANGUAGE GADTs #-}
{- |
Module      : Data.Shapes
Copyright   : (c) Nobody
License     : BSD3

Shapes and their areas.
-}
module Data.Shapes
  ( Shape(..), Point, mkPoint   -- * Types
  , Area(area, Unit), area'
  , Wrapper(Wrap), unwrap
  , Opaque, (<+>), pattern Origin, type (:+:)
  , module Data.List
  ) where

import Data.Map (Map, fromList, (!))
--> import Map from Data.Map Map
--> import fromList from Data.Map fromList
--> import ! from Data.Map !
import qualified Data.Map as M
--> import M from Data.Map -
import Data.Map.Strict qualified as Strict (insert)
--> import Strict from Data.Map.Strict -
import Data.List hiding (insert)
--> import * from Data.List *
import qualified Data.Set
--> import Data.Set from Data.Set -
import Data.Maybe as Maybe
--> import Maybe from Data.Maybe -
--> import * from Data.Maybe *
import Data.Foo
  ( Foo(..)
--> import Foo from Data.Foo Foo
  , Bar(Baz, field)
--> import Bar from Data.Foo Bar
--> import Baz from Data.Foo Baz
--> import field from Data.Foo field
  )
import Data.Orphans ()
--> import - from Data.Orphans -
import {-# SOURCE #-} "pkg" Data.Loop
--> import * from Data.Loop *

-- | A shape.
-- It has an area.
data Shape
--> enum Shape vis=public sig="data Shape" doc="A shape." end=11
  = Circle Double            -- ^ By its radius.
--> enum_member Shape.Circle vis=public sig="Circle Double" doc="By its radius."
  | Rectangle                -- ^ By its sides,
--> enum_member Shape.Rectangle doc="By its sides, which are positive." sig="Rectangle"
                             -- which are positive.
      { width, height :: !Double
--> field Shape.Rectangle.width sig="width, height :: !Double" vis=public
--> field Shape.Rectangle.height
      , label :: String      -- ^ What it is called.
--> field Shape.Rectangle.label sig="label :: String" doc="What it is called."
      , -- | Whether it is filled.
        filled :: Bool
--> field Shape.Rectangle.filled doc="Whether it is filled."
      }
  -- | Two shapes.
  | Shape :&: Shape
--> enum_member Shape.:&: doc="Two shapes." sig="Shape :&: Shape"
  deriving (Show, Eq)

data Point = Point { px :: Int, py :: Int }
--> struct Point vis=public sig="data Point"
--> constructor Point.Point vis=private sig="Point"
--> field Point.px vis=private sig="px :: Int"
--> field Point.py vis=private

newtype Wrapper a = Wrap { unwrap :: a } deriving newtype Show
--> struct Wrapper vis=public sig="newtype Wrapper a"
--> constructor Wrapper.Wrap vis=public cc=1
--> field Wrapper.unwrap vis=public

data Opaque
--> struct Opaque vis=public
data a :+: b = L a | R b
--> enum :+: vis=public sig="data a :+: b"
--> enum_member :+:.L vis=private
--> enum_member :+:.R vis=private

data Expr a where
--> enum Expr vis=private sig="data Expr a" end=3
  -- | A number.
  Number, Digit :: Int -> Expr Int
--> enum_member Expr.Number sig="Number, Digit :: Int -> Expr Int" doc="A number."
--> enum_member Expr.Digit
  If :: { test :: Bool } -> Expr a
--> enum_member Expr.If
--> field Expr.If.test

type Names = [String]
--> type_alias Names vis=private sig="type Names = [String]"
type family Element a where
--> type_alias Element vis=private sig="type family Element a"
  Element [a] = a
data family Vector a
--> type_alias Vector
data instance Vector Int = IntVector Int
--> constructor Vector.IntVector

-- | What has an area.
class Show a => Area a where
--> trait Area vis=public sig="class Show a => Area a" doc="What has an area." end=9
  type Unit a
--> type_alias Area.Unit vis=public
  -- | The area.
  area :: a -> Double
--> method Area.area vis=public mods=default doc="The area." sig="area :: a -> Double" cc=2 end=2
  area x | unknown x = 0
         | otherwise = 1
  scale, shrink :: Double -> a -> a
--> method Area.scale vis=private mods=default sig="scale, shrink :: Double -> a -> a" end=0 cc=2
--> method Area.shrink vis=private mods=abstract
  {-# MINIMAL shrink #-}
  scale 0 x = x
  scale _ x = shrink 1 x

instance Area Shape where
  type Unit Shape = Double
--> type_alias Area.Shape.Unit
  area (Circle r) = pi * r * r
--> method Area.Shape.area vis=public cc=3 end=2 sig="area (Circle r)"
  area Rectangle {..} = width * height
  area (a :&: b) = area a + area b
  shrink = const id
--> method Area.Shape.shrink
instance (Area a, Area b) => Area (Either a b) where { area _ = 0; shrink _ x = x }
--> method Area.Either.area
--> method Area.Either.shrink
instance MonadState s (Parser s) where
  get :: Parser s s
  get = Parser
--> method MonadState.Parser.get sig="get :: Parser s s"
instance M.Foldable [] where foldr = undefined
--> method M.Foldable.[].foldr
deriving instance Eq Point

-- | A point.
mkPoint :: Int -> Int -> Point
mkPoint = Point
--> function mkPoint vis=public sig="mkPoint :: Int -> Int -> Point" doc="A point." cc=1 end=0

area' :: Shape  -- ^ Of this.
      -> Double -- ^ The result.
-- A remark between the two.
area' = area
--> function area' vis=public sig="area' :: Shape -> Double"

infixl 6 <+>
-- | Adds.

(<+>) :: Point -> Point -> Point
Point a b <+> Point c d = Point (a + c) (b + d)
--> function <+> vis=public sig="(<+>) :: Point -> Point -> Point" doc="Adds."
x `plus` y = x + y
--> function plus vis=private sig="x `plus` y"
(f .: g) x y = f (g x y)
--> function .: sig="(f .: g) x y"

pattern Origin :: Point
pattern Origin = Point 0 0
--> constructor Origin vis=public sig="pattern Origin :: Point"
pattern Pair a b <- (a, b) where
--> constructor Pair vis=private end=1
  Pair a b = (a, b)

foreign import ccall unsafe c_sin :: Double -> Double
--> function c_sin mods=extern sig="foreign import ccall unsafe c_sin :: Double -> Double"

origin, unit :: Int
origin = 0
--> constant origin sig="origin, unit :: Int" vis=private
unit = 1
--> constant unit sig="origin, unit :: Int"
names = ["a", "b"]
--> constant names sig="names = ["a", "b"]"
(first, second) = (1, 2)
--> constant first sig="(first, second) = (1, 2)"
--> constant second
plugin = Plugin { run = id }
--> constant plugin
makeLenses ''Point
