;;;; What belongs to the core itself and therefore to nobody's session.

(in-package #:lisp-workbench/definitions)

(defvar *baseline-packages* '() "Packages of the pristine core; CL-USER is the user's all the same.")
(defvar *baseline-systems* '() "Names of systems that the core contains, with or without ASDF's knowledge.")

(defun record-baseline ()
  "Called when the core is built."
  (setf *baseline-packages* (remove (find-package '#:common-lisp-user) (list-all-packages))
        *baseline-systems* (append (mapcar #'string-downcase *modules*)
                                   (asdf:already-loaded-systems)
                                   '("asdf" "uiop" "asdf-package-system"))))

(defun baseline-system-p (name)
  (member name *baseline-systems* :test #'string=))

(defun user-packages ()
  "CL-USER and every package that is not in the pristine core."
  (remove-if (lambda (package) (member package *baseline-packages* :test #'eq)) (list-all-packages)))

(defmacro map-own-symbols ((symbol package) &body body)
  "BODY for each symbol whose home is PACKAGE."
  (let ((home (gensym)))
    `(let ((,home ,package))
       (do-symbols (,symbol ,home)
         (when (eq (symbol-package ,symbol) ,home)
           ,@body)))))
