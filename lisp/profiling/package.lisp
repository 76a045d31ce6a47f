(cl:defpackage #:lisp-workbench/profiling
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/protocol #:lisp-workbench/evaluation
        #:lisp-workbench/introspection #:lisp-workbench/inspection)
  (:documentation "What code does while it runs: calls, time, memory, threads.")
  (:export #:flush-trace #:finish-trace))
