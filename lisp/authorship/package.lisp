(cl:defpackage #:lisp-workbench/authorship
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/evaluation #:lisp-workbench/definitions #:lisp-workbench/systems)
  (:documentation "Installs author tracking, and runs small trials to check that it works on this SBCL.")
  (:export #:install-authorship #:uninstall-authorship))
