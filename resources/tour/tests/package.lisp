(defpackage #:lisp-tour/tests
  (:use #:cl #:lisp-tour #:sb-rt)
  (:documentation "The tests of lisp-tour.")
  (:export #:run-tests))
