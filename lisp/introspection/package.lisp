(cl:defpackage #:lisp-workbench/introspection
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/protocol #:lisp-workbench/evaluation
        #:lisp-workbench/definitions)
  (:documentation "What the image knows about names: definitions of packages, meanings of a symbol, where things stand.")
  (:export #:origin #:first-source #:class-label-of #:visible-methods #:engine-class-p #:engine-package-p
           #:engine-symbol-p #:combination-text #:described-text #:named-symbol #:with-request-package
           #:package-definitions #:source-object #:lambda-list-text #:place-in-text #:file-text #:meaningful-p
           #:known-source #:existing-file
           ;; texts as nodes
           #:read-nodes #:node-start #:node-end #:node-kind #:node-children #:node-at-path #:numbered-nodes #:operator-name
           #:top-level-nodes #:find-definition-within))
