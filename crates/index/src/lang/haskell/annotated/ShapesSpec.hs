--> file: test/Data/ShapesSpec.hs
module Data.ShapesSpec (spec) where

import Test.Hspec
--> import * from Test.Hspec *

spec :: Spec
spec = do
--> function spec vis=public
  describe "area" $ do
--> namespace spec.area end=4
    it "is positive" $
--> test spec.area.is·positive end=1 cc=1 sig="it "is positive""
      area shape `shouldSatisfy` (> 0)
    prop "is linear" prop_linear
--> test spec.area.is·linear
    it name $ pending

tests = testGroup "all" [ testCase "one" $ 1 @?= 1, testProperty "two" (\x -> x == x) ]
--> function tests
--> namespace tests.all
--> test tests.all.one
--> test tests.all.two

prop_linear :: Int -> Bool
prop_linear x = x == x
--> test prop_linear cc=1 vis=private
