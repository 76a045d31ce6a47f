;;;; Loads the engine's sources in the order of lisp-workbench.asd. Each source is compiled in memory. Used by build.lisp and the tests.

(cl:defpackage #:lisp-workbench/sources
  (:use #:cl))

(cl:in-package #:lisp-workbench/sources)

(defun files-of (components folder)
  "Return the file names of COMPONENTS, in the order of the .asd file."
  (loop for (kind name . options) in components
        append (ecase kind
                 (:file (list (concatenate 'string folder name)))
                 (:module (files-of (getf options :components) (concatenate 'string folder name "/"))))))

(defun engine-files (directory)
  (with-open-file (stream (merge-pathnames "lisp-workbench.asd" directory))
    (let ((*read-eval* nil) (*package* (find-package '#:lisp-workbench/sources)))
      (destructuring-bind (operator name &key components &allow-other-keys) (read stream)
        (declare (ignore operator name))
        (files-of components "")))))

(defun load-sources (directory)
  (with-compilation-unit ()
    (dolist (file (engine-files directory))
      (load (merge-pathnames (concatenate 'string file ".lisp") directory)))))

(load-sources (make-pathname :name nil :type nil :version nil :defaults *load-truename*))
