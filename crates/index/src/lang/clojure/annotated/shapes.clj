;; Copyright nobody.
(ns ^{:author "nobody"} my.shapes
  "Shapes and their areas."
  (:refer-clojure :exclude [map])
  (:require [clojure.string :as str :refer [join split]]
;> import str from clojure.string -
;> import join from clojure.string join
;> import split from clojure.string split
            [clojure.set]
;> import clojure.set from clojure.set -
            clojure.walk
;> import clojure.walk from clojure.walk -
            [my.util :refer :all]
;> import * from my.util *
            [my.names :refer [old] :rename {old fresh}]
;> import old from my.names old
;> import fresh from my.names old
            (my [a :as a] b)
;> import a from my.a -
;> import my.b from my.b -
            #_[not.this :as n])
  (:use [clojure.test :only [is]] my.dsl)
;> import is from clojure.test is
;> import * from my.dsl *
  (:import (java.util Date List)
;> import Date from java.util Date
;> import List from java.util List
           java.io.File
;> import File from java.io File
           [java.net URL])
;> import URL from java.net URL
  (:gen-class))

(def pi 3.14)
;> constant pi vis=public sig="def pi 3.14" cc=0 col=6
(def ^:private secret "What nobody sees." 42)
;> constant secret vis=private sig="def ^:private secret 42" doc="What nobody sees."
(def ^{:dynamic true :doc "Where to write."} *out-file* nil)
;> static *out-file* vis=public doc="Where to write." sig="def *out-file* nil"
(def ^:const limit 10)
;> constant limit mods=const
(def text "no docstring")
;> constant text doc="" sig="def text "no docstring""
(defonce state (atom {}))
;> static state sig="defonce state (atom {})"
(declare later)
(def unbound)
;> constant unbound

(defn area
;> function area vis=public cc=2 end=6 sig="defn area [shape & more]" doc="The area of a shape."
  "The area of a shape.
  In square metres, \"roughly\"."
  {:added "1.0"}
  [shape & more]
  (if (nil? shape)
    0 1))

(defn- scale
;> function scale vis=private sig="defn- scale [shape] [shape factor]" end=2 cc=1
  ([shape] (scale shape 1))
  ([shape factor] (* factor shape)))

(defn ^{:private true} hidden [] nil)
;> function hidden vis=private
(defn attributed {:private true, :doc "Said in a map."} [x] x)
;> function attributed vis=private doc="Said in a map." sig="defn attributed [x]"
(defn ^String hinted ^String [^long x] x)
;> function hinted sig="defn ^String hinted ^String [^long x]"
(s/defn typed :- [Int] "Has types." [x :- Int] x)
;> function typed sig="s/defn typed :- [Int] [x :- Int]" doc="Has types."

(defmacro unless
;> macro unless vis=public sig="defmacro unless [test & body]" doc="The other if." cc=2
  "The other if."
  [test & body]
  `(if ~test nil (do ~@body)))

(defmulti draw "Draws." :kind)
;> function draw sig="defmulti draw :kind" doc="Draws."
(defmethod draw :circle [shape] (when shape 1))
;> method draw/:circle cc=2 sig="defmethod draw :circle [shape]"
(defmethod draw [:a :b] [_] 0)
;> method draw/[:a·:b]
(defmethod print-method Date [date writer] nil)
;> method print-method/Date

(defprotocol Shape
;> interface Shape vis=public doc="What can be drawn." sig="defprotocol Shape"
  "What can be drawn."
  :extend-via-metadata true
  (size [this] [this unit] "How large it is.")
;> method Shape/size mods=abstract doc="How large it is." sig="size [this] [this unit]"
  (grow [this]))
;> method Shape/grow mods=abstract doc=""
(definterface Counter (^int tick [^int by]))
;> interface Counter
;> method Counter/tick sig="^int tick [^int by]"

(defrecord Circle [radius ^long colour]
;> struct Circle vis=public sig="defrecord Circle [radius ^long colour]" end=5
;> field Circle/radius
;> field Circle/colour sig="^long colour"
  Shape
  (size [this] (if radius 1 2))
;> method Circle/size cc=2 mods=- sig="size [this]"
  (grow [_] (map #(inc %) [1]))
;> method Circle/grow
  Object
  (toString [_] "circle"))
;> method Circle/toString
(deftype Cell [^:volatile-mutable held] clojure.lang.IDeref (deref [_] held))
;> struct Cell
;> field Cell/held
;> method Cell/deref
(defstruct point :x :y)
;> struct point sig="defstruct point :x :y"
;> field point/x
;> field point/y

(extend-type String
  Shape
  (size [s] (count s)))
;> method String/size
(extend-protocol Shape
  nil
  (size [_] 0)
;> method nil/size
  java.util.List
  (size [xs] 1)
;> method java.util.List/size
  (grow [xs] xs)
;> method java.util.List/grow
  (Class/forName "[B")
  (size [bytes] 2))
;> method (Class/forName·"[B")/size

(def handler (fn [request] (or request 1)))
;> function handler sig="def handler (fn [request]" cc=2
(def short #(and %1 %2))
;> function short cc=2
(def made (partial area 1))
;> constant made
(defroutes routes (GET "/" [] "home"))
;> constant routes sig="defroutes routes"
(defhandler handle [request] (respond request))
;> function handle sig="defhandler handle [request]"

(let [closed 1]
  (defn over [] closed))
;> function over
