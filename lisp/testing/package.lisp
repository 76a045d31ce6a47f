(cl:defpackage #:lisp-workbench/testing
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/protocol #:lisp-workbench/evaluation
        #:lisp-workbench/nodes #:lisp-workbench/introspection #:lisp-workbench/systems)
  (:import-from #:lisp-workbench/files #:write-stamp)
  (:documentation "Tests of the frameworks that the image has loaded. Lists tests, and runs them one by one with results as data."))
