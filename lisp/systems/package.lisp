(cl:defpackage #:lisp-workbench/systems
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/protocol #:lisp-workbench/evaluation
        #:lisp-workbench/definitions #:lisp-workbench/compilation #:lisp-workbench/introspection)
  (:documentation "ASDF systems: which are in reach, and loading one.")
  (:export #:prepare-asdf #:install-progress #:system-under-way #:take-environment #:project-directory))
