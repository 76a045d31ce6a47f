;;;; Runs the engine's tests in one process and prints `pass NAME` or `fail NAME: reason` for each.
;;;;
;;;; sbcl --noinform --non-interactive --no-sysinit --no-userinit --load lisp/tests/run.lisp
;;;;
;;;; The exit code is 0 if all pass. ASDF must be able to find FiveAM. Nothing is written into the source tree.

(cl:defpackage #:lisp-workbench/tests/driver
  (:use #:cl))

(cl:in-package #:lisp-workbench/tests/driver)

(defparameter *directory* (make-pathname :name nil :type nil :version nil :defaults *load-truename*))

(defparameter *files*
  '("package" "image" "json" "frames" "forms" "printer" "evaluation" "nasty" "definitions" "undo" "systems"
    "introspection" "compilation" "recording" "inspection" "profiling" "effects" "operators" "internals"))

(defvar *warnings* '() "The texts of the compiler's warnings about the engine's sources, latest first.")

(defun load-quietly (file &optional (note (constantly nil)))
  "Load FILE without output. Call NOTE with each warning."
  (handler-bind ((warning (lambda (warning) (funcall note warning) (muffle-warning warning))))
    (load (merge-pathnames file *directory*))))

(defun note-warning (warning)
  "Record the text of WARNING. Ignore style warnings, except for those about names that no file of the engine defines."
  (let ((text (princ-to-string warning)))
    (unless (and (typep warning 'style-warning) (not (eql 0 (search "undefined " text))))
      (push text *warnings*))))

(defun load-everything ()
  (let ((*standard-output* (make-broadcast-stream)) (*error-output* (make-broadcast-stream)))
    (require :asdf)
    (funcall (find-symbol "LOAD-SYSTEM" '#:asdf) "fiveam"))
  (load-quietly "../load.lisp" #'note-warning)
  (dolist (file *files*) (load-quietly (concatenate 'string file ".lisp"))))

(load-everything)

(sb-ext:exit :code (if (funcall (find-symbol "RUN-ALL" '#:lisp-workbench/tests)) 0 1) :abort t)
