(cl:defpackage #:lisp-workbench/nodes
  (:use #:cl #:lisp-workbench/internals)
  (:documentation "The engine's tolerant reader. It parses a text into nodes with positions, without interning symbols, and finds the
definitions in a text.")
  (:export #:read-nodes #:node #:node-p #:node-kind #:node-start #:node-end #:node-children #:node-name #:node-prefix #:node-colons #:node-closed #:node-dotted
           #:node-text #:operator-name #:token-named-p #:nodes-around #:around-p #:blank-p
           #:numbered-nodes #:node-at-path #:character-offset #:line-and-column
           #:file-forms #:file-form-kind #:file-form-name #:file-form-package #:file-form-key #:file-form-text #:file-form-node
           #:form-tokens #:node-tokens))
