(cl:defpackage #:lisp-workbench/swank
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/protocol #:lisp-workbench/evaluation
        #:lisp-workbench/definitions #:lisp-workbench/nodes #:lisp-workbench/introspection #:lisp-workbench/systems)
  (:import-from #:lisp-workbench #:effect-denied)
  (:import-from #:lisp-workbench/compilation #:make-temporary-directory #:delete-directory-quietly)
  (:documentation "Emacs with SLIME in this image: its connections are served by SWANK, and what it evaluates is told.")
  (:export #:swank-reason))
