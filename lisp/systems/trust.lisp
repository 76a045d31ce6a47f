;;;; Trust: whether the folder that is open may run anything. Its systems are listed by name in any case, which only
;;;; looks at text.

(in-package #:lisp-workbench/systems)

(sb-ext:defglobal *project-trusted* t)

(define-operation "trust-project" (:control request)
  (setf *project-trusted* (eq t (field request "trusted")))
  (let ((directory (field request "directory")))
    (when directory (move-to (sb-ext:parse-native-namestring directory nil *default-pathname-defaults* :as-directory t))))
  (object))

(defun move-to (directory)
  "Make DIRECTORY the project's, where relative names begin and systems are found, for the process and for all contexts that have not chosen
one of their own."
  (ignore-errors (without-guard (sb-posix:chdir (sb-ext:native-namestring directory))))
  (setf (sb-ext:symbol-global-value '*default-pathname-defaults*) directory))

(defun trusted-project-directory ()
  "Return the project's directory for ASDF's registry; NIL while none of its code may run."
  (and *project-trusted* (project-directory)))

(defun find-known-in-project (name)
  "A search function of ASDF's, before those for what is installed: a system of the trusted project, as its folders were looked through within
the last second. ASDF asks for many systems in a row."
  (when *project-trusted*
    (let ((file (find-in-project name (recent-definition-files (project-directory)))))
      (and file (probe-file file)))))

(defun find-in-trusted-project (name)
  "The last of ASDF's search functions: a system whose file lies in some folder of the project."
  (let ((file (find-in-project name)))
    (when (and file (not *project-trusted*))
      (error "~A is a system of ~A, a folder that is not trusted: nothing of it is loaded until the person trusts it."
             name (sb-ext:native-namestring (project-directory))))
    file))
