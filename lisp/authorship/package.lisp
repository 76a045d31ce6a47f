(cl:defpackage #:lisp-workbench/authorship
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/evaluation #:lisp-workbench/definitions #:lisp-workbench/systems)
  (:documentation "Installs the tracking of authors, and runs small checks that it works on this SBCL.")
  (:export #:install-authorship #:uninstall-authorship))
