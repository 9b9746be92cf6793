module Broken where

before :: Int
before = 1
--> constant before

open x = case x of { 1 -> (2

later :: Int -> Int
later y = y
--> function later

data Fine = Fine Int
--> struct Fine
--> constructor Fine.Fine
