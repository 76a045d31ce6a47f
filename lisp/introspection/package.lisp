(cl:defpackage #:lisp-workbench/introspection
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/protocol #:lisp-workbench/evaluation
        #:lisp-workbench/definitions #:lisp-workbench/nodes)
  (:import-from #:lisp-workbench/files #:write-stamp)
  (:documentation "Looks up names in the image: package definitions, the meanings of a symbol, and places in sources.")
  (:export #:origin #:first-source #:class-label-of #:visible-methods #:method-name-text #:engine-class-p #:engine-package-p
           #:engine-symbol-p #:combination-text #:described-text #:machine-code-size #:named-symbol #:name-node #:with-request-package
           #:package-definitions #:source-object #:lambda-list-text #:place-in-text #:file-text #:meaningful-p
           #:known-source #:sources-of #:stand-for #:existing-file #:sbcl-source-p
           #:location-for-emacs #:node-defines-p
           #:note-compiled-text #:source-texts #:source-changed-p #:native-file-name #:form-of-key #:read-package-at #:top-around #:counterpart
           #:same-top
           #:definition-by-name #:parsed-text #:parsed-forms
           #:locals-at #:local-kind #:local-name #:top-level-node #:top-of-source #:find-definition-within))
