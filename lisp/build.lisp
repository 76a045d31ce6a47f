;;;; Builds the core that images start from.
;;;;
;;;;   sbcl --noinform --non-interactive --no-sysinit --no-userinit --load lisp/build.lisp [CORE]
;;;;
;;;; The core goes to CORE, the last argument of the command line, or to the file that LISP_WORKBENCH_CORE names.
;;;; Nothing is written beside the sources. What the machine has of ASDF's configuration, of systems and of newer ASDFs does not get
;;;; into the core: an image finds out for itself, in the environment in which it starts. Exit code 3, with one line on stderr, when this SBCL lacks what the engine needs.

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
  "Let no system be found while the core is built: no ASDF but SBCL's own is loaded, and nothing is compiled into anybody's cache."
  (flet ((set-variable (name value)
           (sb-alien:alien-funcall
            (sb-alien:extern-alien "setenv" (function sb-alien:int sb-alien:c-string sb-alien:c-string sb-alien:int))
            name value 1)))
    (set-variable "CL_SOURCE_REGISTRY" "(:source-registry :ignore-inherited-configuration)")
    (set-variable "ASDF_OUTPUT_TRANSLATIONS" "(:output-translations :ignore-inherited-configuration :disable-cache)")))

(defun load-engine ()
  "Load the engine. The compiler's remarks go to standard output; error output is for the one line of GIVE-UP."
  (handler-bind ((warning #'muffle-style-warning))
    (load (merge-pathnames "load.lisp" *directory*))))

(defun call (package name)
  (funcall (find-symbol name package)))

(defvar *main* nil "The toplevel function of the core, a symbol. PREPARE-CORE takes the engine's names away.")

(handler-case
    (let ((*error-output* *standard-output*))
      (isolate)
      (load-engine)
      (setf *main* (find-symbol "MAIN" '#:lisp-workbench/control))
      (call '#:lisp-workbench/control "PREPARE-CORE"))
  (error (condition)
    (give-up (remove #\Newline (princ-to-string condition)))))

(sb-ext:save-lisp-and-die (target) :toplevel *main*)
