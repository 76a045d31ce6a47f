(defsystem "lisp-tour"
  :description "A basket of wares, for the tour of Lisp Workbench."
  :license "MIT"
  :version "0.1.0"
  :pathname "src/"
  :serial t
  :components ((:file "package")
               (:file "basket"))
  :in-order-to ((test-op (test-op "lisp-tour/tests"))))

(defsystem "lisp-tour/tests"
  :description "The tests of lisp-tour, with RT, which comes with SBCL."
  :license "MIT"
  :depends-on ("lisp-tour" "sb-rt")
  :pathname "tests/"
  :serial t
  :components ((:file "package")
               (:file "basket"))
  :perform (test-op (o c) (symbol-call :lisp-tour/tests '#:run-tests)))
