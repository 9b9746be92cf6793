(ns complexity
  (:require #?(:clj [jvm.only :as only] :cljs [js.only])
;> import only from jvm.only -
;> import js.only from js.only -
            #?@(:cljs [["react" :as react] [goog.string]])))
;> import react from react -
;> import goog.string from goog.string -

(defn branches [x]
;> function branches cc=5
  (if x 1 2)
  (when-not x 1)
  (if-let [y x] y)
  (while x (recur)))

(defn conditions [x]
;> function conditions cc=3
  (cond
    (nil? x) 1
    (pos? x) 2
    :else 3))

(defn cases [x]
;> function cases cc=5
  (case x 1 :one 2 :two :default)
  (condp = x 1 :one 2 :two :default))

(defn threads [x]
;> function threads cc=3
  (cond-> x true inc false dec))

(defn loops [xs]
;> function loops cc=6
  (for [x xs :when (odd? x) :let [y 1] z x] z)
  (doseq [x xs] x)
  (loop [i 0] i))

(defn failures []
;> function failures cc=3
  (try (run)
    (catch Exception e 1)
    (catch Error e 2)
    (finally 3)))

(defn operators [a b c]
;> function operators cc=4
  (and a b (or b c)))

(defn specs [] (s/and int? (s/or :a 1 :b 2)))
;> function specs cc=1

(defn inner [xs]
;> function inner cc=1
  (map (fn [x] (if x 1 2)) xs)
;> function inner/<lambda1> cc=2 sig="fn [x]"
  (map (fn named ([x] x) ([x y] y)) xs)
;> function inner/named vis=private
  (map #(when % 1) xs)
;> function inner/<lambda2> cc=2
  (letfn [(local [x] (or x 1))]
;> function inner/local vis=private cc=2 sig="local [x]"
    (local 1))
  (reify Runnable
;> class inner/<class1> sig="reify Runnable"
    (run [_] (if xs 1))))
;> method inner/<class1>/run cc=2

#?(:clj (defn platform [] :jvm)
;> function platform
   :cljs (defn platform [] :js))
;> function platform#2
