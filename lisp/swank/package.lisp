(cl:defpackage #:lisp-workbench/swank
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/protocol #:lisp-workbench/evaluation
        #:lisp-workbench/definitions #:lisp-workbench/nodes #:lisp-workbench/introspection #:lisp-workbench/systems)
  (:import-from #:lisp-workbench #:effect-denied)
  (:import-from #:lisp-workbench/compilation #:make-temporary-directory #:delete-directory-quietly)
  (:documentation "Emacs with SLIME in this image: SWANK serves its connections, and its evaluations are reported.")
  (:export #:swank-reason))
