module Conditions

#if DEBUG
let debug = true
//> constant debug
#else
let debug = false
//> constant debug#2
#endif
let f x =
//> function f end=4
#if A
    1
#else
    2
#endif
type T() =
//> class T
#if B
    member _.X = 1
//> method T.X
#endif
    member _.Y = 2
//> method T.Y
