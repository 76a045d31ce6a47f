(in-package #:lisp-tour/tests)

(deftest total-of-the-basket
  (basket-total *basket*)
  15)

(deftest average-of-the-basket
  (average-price *basket*)
  5)

(deftest average-of-an-empty-basket
  (average-price '())
  0)

(defun run-tests ()
  "Run all tests; signal an error unless all pass."
  (unless (do-tests)
    (error "Tests of lisp-tour failed.")))
