;;;; Forms to try in the tour. No system loads this file, so you can write anything into it.

(in-package #:lisp-tour)

(basket-total *basket*)

(first *basket*)

(average-price '())

