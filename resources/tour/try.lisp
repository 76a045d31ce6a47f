;;;; Forms to try in the tour. No system loads this file: write what you like into it.

(in-package #:lisp-tour)

(basket-total *basket*)

(first *basket*)

(average-price '())

