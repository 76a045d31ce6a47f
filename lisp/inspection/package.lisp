(cl:defpackage #:lisp-workbench/inspection
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/files #:lisp-workbench/protocol #:lisp-workbench/evaluation
        #:lisp-workbench/nodes #:lisp-workbench/introspection)
  (:documentation "Lets a person inspect objects and change them part by part.")
  (:export #:thread-frames #:function-source #:instances-of #:engine-frame-name-p #:with-page-time #:value-text #:shown-type #:carefully
           #:install-inspecting #:install-editing #:forget-copied-values))
