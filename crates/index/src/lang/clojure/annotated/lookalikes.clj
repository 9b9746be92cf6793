(ns lookalikes)
; (defn commented [] 1)
(comment
  (defn tried-out [] 1)
  (def x 2))
#_(defn discarded [] 1)
#_#_(defn first-of-two [] 1) (defn second-of-two [] 2)
(def quoted '(defn inside [] (if 1 2)))
;> constant quoted
(defn text []
;> function text end=3
  "(defn in-text [])

  ; no comment")
(defmacro make [name] `(defn ~name [] (def other# 1)))
;> macro make
(defn regex [] #"\(defn \" x")
;> function regex
(defn chars [] [\( \" \;])
;> function chars
(default 1)
(def-not-a-name "text")
(defn <weird*name!?> [a'] a')
;> function <weird*name!?>
(println (define x 1))
