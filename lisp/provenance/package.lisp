(cl:defpackage #:lisp-workbench/provenance
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/protocol #:lisp-workbench/evaluation
        #:lisp-workbench/definitions #:lisp-workbench/nodes #:lisp-workbench/introspection)
  (:documentation "Operations on definition events: reports them, undoes them, compares them with files, and exports them."))
