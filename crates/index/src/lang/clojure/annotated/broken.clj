(ns broken)

(defn before [] 1)
;> function before

(defn open [x
;> function open
  (if x 1 2))

(defn later [y]
;> function later
  y)

(def fine 1)
;> constant fine
