;;;; Runs the engine's tests in one process and prints `pass NAME` or `fail NAME: reason` for each.
;;;;
;;;;   sbcl --noinform --non-interactive --no-sysinit --no-userinit --load lisp/tests/run.lisp
;;;;
;;;; Exit code 0 when all pass. Needs FiveAM where ASDF finds it. Writes nothing into the source tree.

(cl:defpackage #:lisp-workbench/tests/driver
  (:use #:cl))

(cl:in-package #:lisp-workbench/tests/driver)

(defparameter *directory* (make-pathname :name nil :type nil :version nil :defaults *load-truename*))

(defparameter *files*
  '("package" "image" "json" "frames" "forms" "printer" "evaluation" "nasty" "definitions" "undo" "systems"
    "introspection" "compilation" "inspection" "profiling" "effects" "internals"))

(defun load-quietly (file)
  (handler-bind ((warning #'muffle-warning))
    (load (merge-pathnames file *directory*))))

(defun load-everything ()
  (let ((*standard-output* (make-broadcast-stream)) (*error-output* (make-broadcast-stream)))
    (require :asdf)
    (funcall (find-symbol "LOAD-SYSTEM" '#:asdf) "fiveam"))
  (load-quietly "../load.lisp")
  (dolist (file *files*) (load-quietly (concatenate 'string file ".lisp"))))

(load-everything)

(sb-ext:exit :code (if (funcall (find-symbol "RUN-ALL" '#:lisp-workbench/tests)) 0 1) :abort t)
