(cl:defpackage #:lisp-workbench/recording
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/protocol #:lisp-workbench/evaluation #:lisp-workbench/definitions)
  (:documentation "Records the values of forms that the person has marked while code runs.")
  (:export #:install-recording #:*operator* #:call-marking #:note-refusal #:refusal-of #:compiled-p #:call-with-marks #:note-form #:forms-marked-p
           #:tell-recorded #:finish-recorded #:forget-objects))
