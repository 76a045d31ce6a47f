;;;; The packages, definitions and systems of the core, which do not belong to any session.

(in-package #:lisp-workbench/definitions)

(defvar *baseline-packages* '() "Packages of the pristine core except CL-USER, which is the user's.")
(defvar *baseline-systems* '() "Names of systems that the core contains, including those that ASDF does not know.")

(defun record-baseline ()
  "Record the packages and systems of the core. Called when the core is built."
  (setf *baseline-packages* (remove (find-package '#:common-lisp-user) (list-all-packages))
        *baseline-systems* (append (mapcar #'string-downcase *modules*)
                                   (asdf:already-loaded-systems)
                                   '("asdf" "uiop" "asdf-package-system"))))

(defun baseline-system-p (name)
  (member name *baseline-systems* :test #'string=))

(defun user-packages ()
  "Return CL-USER and every package that is not in the pristine core. SWANK's packages are left out, because they belong to a tool."
  (remove-if (lambda (package) (or (member package *baseline-packages* :test #'eq) (swank-package-p package))) (list-all-packages)))

(defun swank-package-p (package)
  (swank-name-p (or (package-name package) "")))

(defun swank-name-p (name)
  "Return true if NAME is the name of a package of SWANK or its contribs: SWANK, SWANK/BACKEND, SWANK-REPL."
  (let ((end (mismatch "SWANK" name)))
    (or (null end)
        (and (= end 5) (find (char name 5) "-/") t))))

(defmacro map-own-symbols ((symbol package) &body body)
  "Run BODY for each symbol whose home package is PACKAGE."
  (let ((home (gensym)))
    `(let ((,home ,package))
       (do-symbols (,symbol ,home)
         (when (eq (symbol-package ,symbol) ,home)
           ,@body)))))
