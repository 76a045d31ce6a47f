(cl:defpackage #:lisp-workbench/provenance
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/protocol #:lisp-workbench/evaluation
        #:lisp-workbench/definitions #:lisp-workbench/introspection)
  (:shadow #:read-nodes #:node-start #:node-end #:node-children) ; its reader is simpler: lists and tokens alone
  (:documentation "What can be done with definition events: tell them, undo them, compare them with files, write them out."))
