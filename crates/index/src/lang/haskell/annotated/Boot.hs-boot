module Boot where
data T
--> struct T
f :: T -> Int
