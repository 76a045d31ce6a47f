;;;; The package of the functions that Lisp Workbench offers to code in an image. The package remains when the engine's own names are
;;;; removed.

(cl:defpackage #:lisp-workbench
  (:use)
  (:documentation "The interface of Lisp Workbench for code that runs in its images.")
  (:export #:value #:effect-denied #:proceed #:proceed-always #:use-path #:deny #:temporary-directory))
