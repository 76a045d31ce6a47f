;;;; Trust: determines whether the open folder may run code. Without trust, the names of its systems are still listed, because listing only
;;;; reads text.

(in-package #:lisp-workbench/systems)

(sb-ext:defglobal *project-trusted* t)

(define-operation "trust-project" (:control request)
  (setf *project-trusted* (eq t (field request "trusted")))
  (let ((directory (field request "directory")))
    (when directory (move-to (sb-ext:parse-native-namestring directory nil *default-pathname-defaults* :as-directory t))))
  (object))

(defun move-to (directory)
  "Make DIRECTORY the project's directory, against which relative names are resolved and in which systems are found. This applies to the
process and to all contexts that have not chosen their own directory."
  (ignore-errors (without-guard (sb-posix:chdir (sb-ext:native-namestring directory))))
  (setf (sb-ext:symbol-global-value '*default-pathname-defaults*) directory))

(defun trusted-project-directory ()
  "Return the project's directory for ASDF's registry, or NIL while the project's code may not run."
  (and *project-trusted* (project-directory)))

(defun find-known-in-project (name)
  "Find a system of the trusted project. ASDF calls this search function before those for installed systems. It uses a list of files that is
at most one second old, because ASDF searches for many systems in a row."
  (when *project-trusted*
    (let ((file (find-in-project name (recent-definition-files (project-directory)))))
      (and file (probe-file file)))))

(defun find-in-trusted-project (name)
  "Find a system whose file is in any folder of the trusted project. This is the last of ASDF's search functions."
  (let ((file (find-in-project name)))
    (when (and file (not *project-trusted*))
      (error "The system ~A is in ~A, a folder that is not trusted. Nothing in it is loaded until the person trusts the folder."
             name (sb-ext:native-namestring (project-directory))))
    file))
