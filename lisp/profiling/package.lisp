(cl:defpackage #:lisp-workbench/profiling
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/protocol #:lisp-workbench/evaluation
        #:lisp-workbench/definitions #:lisp-workbench/nodes #:lisp-workbench/introspection #:lisp-workbench/debugger #:lisp-workbench/inspection)
  (:documentation "Analyzes running code: calls, time, memory and threads.")
  (:export #:flush-trace #:finish-trace #:untrace-all #:profiling-reason))
