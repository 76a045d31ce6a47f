(cl:defpackage #:lisp-workbench/nodes
  (:use #:cl #:lisp-workbench/internals)
  (:documentation "The one tolerant reader of the engine: a text as nodes with their places, without an interned symbol.")
  (:export #:read-nodes #:node #:node-p #:node-kind #:node-start #:node-end #:node-children #:node-name #:node-prefix #:node-colons #:node-closed #:node-dotted
           #:node-text #:node-tokens #:operator-name #:token-named-p #:nodes-around #:around-p #:blank-p
           #:numbered-nodes #:node-at-path #:character-offset #:line-and-column))
