(cl:defpackage #:lisp-workbench/compilation
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/protocol #:lisp-workbench/evaluation)
  (:documentation "Compiling texts and files, with everything that the compiler says at its exact place.")
  (:export #:install-compilation #:make-compilation #:call-with-diagnostics #:compilation-diagnostics
           #:compilation-failed #:compilation-total #:compilation-wanted-p))
