(cl:defpackage #:lisp-workbench/control
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/files #:lisp-workbench/protocol #:lisp-workbench/evaluation
        #:lisp-workbench/debugger #:lisp-workbench/definitions #:lisp-workbench/compilation
        #:lisp-workbench/systems #:lisp-workbench/authorship #:lisp-workbench/effects)
  (:import-from #:lisp-workbench/profiling #:profiling-reason)
  (:import-from #:lisp-workbench/swank #:swank-reason)
  (:import-from #:lisp-workbench/introspection #:named-symbol #:with-request-package)
  (:documentation "The main thread: reads frames, replies to requests that must never wait, and passes on the rest.")
  (:export #:main #:prepare-core))

(cl:in-package #:lisp-workbench/control)

(defconstant +input-descriptor+ 3)
(defconstant +output-descriptor+ 4)
