;;;; The packages, definitions and systems of the core itself, which therefore belong to nobody's session.

(in-package #:lisp-workbench/definitions)

(defvar *baseline-packages* '() "Packages of the pristine core; CL-USER is the user's all the same.")
(defvar *baseline-systems* '() "Names of systems that the core contains, with or without ASDF's knowledge.")

(defun record-baseline ()
  "Note the packages and systems of the core. Called when the core is built."
  (setf *baseline-packages* (remove (find-package '#:common-lisp-user) (list-all-packages))
        *baseline-systems* (append (mapcar #'string-downcase *modules*)
                                   (asdf:already-loaded-systems)
                                   '("asdf" "uiop" "asdf-package-system"))))

(defun baseline-system-p (name)
  (member name *baseline-systems* :test #'string=))

(defun user-packages ()
  "CL-USER and every package that is not in the pristine core. Those of SWANK are a tool's, as the core's are."
  (remove-if (lambda (package) (or (member package *baseline-packages* :test #'eq) (swank-package-p package))) (list-all-packages)))

(defun swank-package-p (package)
  (swank-name-p (or (package-name package) "")))

(defun swank-name-p (name)
  "True when the package of this NAME is one of SWANK's, or of its contribs: SWANK, SWANK/BACKEND, SWANK-REPL."
  (let ((end (mismatch "SWANK" name)))
    (or (null end)
        (and (= end 5) (find (char name 5) "-/") t))))

(defmacro map-own-symbols ((symbol package) &body body)
  "Run BODY for each symbol whose home is PACKAGE."
  (let ((home (gensym)))
    `(let ((,home ,package))
       (do-symbols (,symbol ,home)
         (when (eq (symbol-package ,symbol) ,home)
           ,@body)))))
