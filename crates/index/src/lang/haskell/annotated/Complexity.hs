module Complexity where

plain :: Int -> Int
plain x = x
--> function plain cc=1 vis=public

clauses :: Int -> Int
clauses 0 = 1
--> function clauses cc=6 end=5
clauses n | n > 0, even n = 2
          | Just m <- half n = m
          | otherwise = local n
  where local 1 = 1
        local k = k

cases x = case x of
--> function cases cc=5 end=4
  1 -> 2
  n | n > 3 -> 4
    | n < 1 -> 5
  _ -> 6

conditions a b = if a && b || not a then 1 else 2
--> function conditions cc=4

multi x = if | x > 1 -> 1
--> function multi cc=2
             | otherwise -> 2

loops xs = [x + y | x <- xs, let y = 1, x > y]
--> function loops cc=3

lambdas xs = map (\x -> if x then 1 else 2) xs
--> function lambdas cc=1
--> function lambdas.<lambda1> cc=2

named = \x -> x
--> function named cc=1
matched = \case
--> function matched cc=2
  1 -> 2
  _ -> 3

action = do
--> function action cc=2
  line <- getLine
  let twice s = s ++ s
  if null line then pure () else putStrLn (twice line)

#if FAST
speed :: Int -> Int
speed 0 = 1
--> function speed cc=2 end=1
speed x = x
#else
speed x = x + 1
--> function speed#2 cc=1 end=0
#endif
