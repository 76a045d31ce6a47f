;;;; The packages, definitions and systems of the core, which do not belong to any session.

(in-package #:lisp-workbench/definitions)

(defvar *baseline-packages* '() "Packages of the pristine core except CL-USER, which is the user's.")
(defvar *baseline-systems* '() "Names of systems that the core contains, including systems that ASDF does not know.")

(defun record-baseline ()
  "Record the packages and systems of the core. Called when the core is built."
  (setf *baseline-packages* (remove (find-package '#:common-lisp-user) (list-all-packages))
        *baseline-systems* (append (mapcar #'string-downcase *modules*)
                                   (asdf:already-loaded-systems)
                                   '("asdf" "uiop" "asdf-package-system"))))

(defun baseline-system-p (name)
  (member name *baseline-systems* :test #'string=))

(defun user-packages ()
  "Return CL-USER and every package that is not in the pristine core. Packages of tools are left out."
  (remove-if (lambda (package) (or (member package *baseline-packages* :test #'eq) (tool-package-p package))) (list-all-packages)))

(defmacro map-own-symbols ((symbol package) &body body)
  "Run BODY for each symbol whose home package is PACKAGE."
  (let ((home (gensym)))
    `(let ((,home ,package))
       (do-symbols (,symbol ,home)
         (when (eq (symbol-package ,symbol) ,home)
           ,@body)))))
