This is prose; f x = 2 is part of it.

> module Literate where
>
> -- | Twice.
> twice :: Int -> Int
> twice x = x + x
--> function twice doc="Twice." sig="twice :: Int -> Int" col=3

> long :: Int
>      -> Int
> long = id
--> function long sig="long :: Int -> Int"

More prose.

\begin{code}
  thrice x = x * 3
--> function thrice
\end{code}

The end.
