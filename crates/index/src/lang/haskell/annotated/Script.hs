#!/usr/bin/env runhaskell
import System.IO
--> import * from System.IO *

main :: IO ()
main = putStrLn "hello"
--> function main vis=public sig="main :: IO ()" end=0
