;> file: test/my/shapes_test.cljs
(ns my.shapes-test
  (:require-macros [my.macros :refer [check]])
;> import check from my.macros check
  (:require [cljs.test :refer-macros [deftest is]]))
;> import deftest from cljs.test deftest
;> import is from cljs.test is

(use-fixtures :each setup)

(deftest area-test
;> test area-test vis=public cc=1 end=2
  (testing "zero"
    (is (= 0 1))))

(defspec linear 100 (prop/for-all [x gen/int] (= x x)))
;> test linear
(defn helper [] 1)
;> function helper
