;;;; Whether the folder that is open may run anything. Its systems are listed by name in any case, which only looks at text.

(in-package #:lisp-workbench/systems)

(sb-ext:defglobal *project-trusted* t)

(define-operation "trust-project" (:control request)
  (setf *project-trusted* (eq t (field request "trusted")))
  (object))

(defun trusted-project-directory ()
  "For ASDF's registry; NIL while nothing of the folder may run."
  (and *project-trusted* (project-directory)))

(defun find-in-trusted-project (name)
  "The last of ASDF's search functions: a system whose file lies in some folder of the project."
  (let ((file (find-in-project name)))
    (when (and file (not *project-trusted*))
      (error "~A is a system of ~A, a folder that is not trusted: nothing of it is loaded until the person trusts it."
             name (sb-ext:native-namestring (project-directory))))
    file))
