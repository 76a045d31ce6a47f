(cl:defpackage #:lisp-workbench/definitions
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/protocol #:lisp-workbench/evaluation)
  (:documentation "Which packages and definitions are the user's, what changed since the last look, and who changed it.")
  (:export #:record-baseline #:user-packages #:baseline-system-p
           #:install-sweep #:sweep-pending #:originator #:map-own-symbols))
