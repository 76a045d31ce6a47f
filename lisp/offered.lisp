;;;; The package of what Lisp Workbench offers to the code that runs in an image. Its names stay when the engine's own are taken away.

(cl:defpackage #:lisp-workbench
  (:use)
  (:documentation "The interface of Lisp Workbench for code that runs in it.")
  (:export #:value #:effect-denied #:proceed #:proceed-always #:use-path #:deny #:temporary-directory))
