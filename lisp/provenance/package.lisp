(cl:defpackage #:lisp-workbench/provenance
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/protocol #:lisp-workbench/evaluation
        #:lisp-workbench/definitions #:lisp-workbench/introspection)
  (:shadow #:read-nodes #:node-start #:node-end #:node-children) ; the reader of NODES.LISP is simpler: lists and tokens alone
  (:documentation "Operations on definition events: tell them, undo them, compare them with files, write them out."))
