#!/usr/bin/env bb
(require '[clojure.string :as str] 'clojure.set)
;> import str from clojure.string -
;> import clojure.set from clojure.set -
(use 'clojure.pprint)
;> import * from clojure.pprint *
(import '(java.util Date) 'java.io.File)
;> import Date from java.util Date
;> import File from java.io File
(in-ns 'my.script)
(defn run [] (println "hello"))
;> function run
