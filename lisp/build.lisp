;;;; Builds the core that images start from.
;;;;
;;;; sbcl --noinform --non-interactive --no-sysinit --no-userinit --load lisp/build.lisp [CORE]
;;;;
;;;; The core is written to CORE, the last argument of the command line, or to the file named by LISP_WORKBENCH_CORE. No files are written
;;;; next to the sources. The core contains nothing of this machine's ASDF configuration, systems or newer ASDF versions: an image finds
;;;; these in the environment in which it starts. If this SBCL lacks a feature that the engine needs, the exit code is 3, with one line on
;;;; stderr.

(cl:defpackage #:lisp-workbench/build
  (:use #:cl))

(cl:in-package #:lisp-workbench/build)

(defparameter *directory* (make-pathname :name nil :type nil :version nil :defaults *load-truename*))

(defun give-up (message)
  (format *error-output* "~A~%" message)
  (finish-output *error-output*)
  (sb-ext:exit :code 3 :abort t))

(defun target ()
  (let ((named (sb-ext:posix-getenv "LISP_WORKBENCH_CORE"))
        (last (first (last sb-ext:*posix-argv*))))
    (cond ((and named (plusp (length named))) named)
          ((search ".core" last) last)
          (t (give-up "No file is named for the core. Name one in LISP_WORKBENCH_CORE or as the last argument.")))))

(defun muffle-style-warning (condition)
  (when (typep condition 'style-warning) (muffle-warning condition)))

(defun isolate ()
  "Make ASDF find no systems while the core is built, so that only SBCL's own ASDF is loaded and no user's cache is written."
  (flet ((set-variable (name value)
           (sb-alien:alien-funcall
            (sb-alien:extern-alien "setenv" (function sb-alien:int sb-alien:c-string sb-alien:c-string sb-alien:int))
            name value 1)))
    (set-variable "CL_SOURCE_REGISTRY" "(:source-registry :ignore-inherited-configuration)")
    (set-variable "ASDF_OUTPUT_TRANSLATIONS" "(:output-translations :ignore-inherited-configuration :disable-cache)")))

(defun load-engine ()
  "Load the engine. Send the compiler's remarks to standard output, because error output is reserved for the one line of GIVE-UP."
  (handler-bind ((warning #'muffle-style-warning))
    (load (merge-pathnames "load.lisp" *directory*))))

(defun call (package name)
  (funcall (find-symbol name package)))

(defvar *main* nil "The toplevel function of the core, as a symbol. It is stored here because PREPARE-CORE removes the engine's names.")

(handler-case
    (let ((*error-output* *standard-output*))
      (isolate)
      (load-engine)
      (setf *main* (find-symbol "MAIN" '#:lisp-workbench/control))
      (call '#:lisp-workbench/control "PREPARE-CORE"))
  (error (condition)
    (give-up (remove #\Newline (princ-to-string condition)))))

(sb-ext:save-lisp-and-die (target) :toplevel *main*)
