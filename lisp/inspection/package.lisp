(cl:defpackage #:lisp-workbench/inspection
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/protocol #:lisp-workbench/evaluation
        #:lisp-workbench/introspection)
  (:documentation "Objects part by part, for a person who looks at them and changes them.")
  (:export #:thread-frames #:function-source #:instances-of #:engine-frame-name-p #:with-page-time #:value-text #:shown-type #:carefully))
