;;;; Exports that a file has no longer. SBCL keeps them and warns, with a warning that has ASDF refuse the file: a function that was renamed
;;;; would block each later load. Within ASDF the warning is one of style, and says what to do.

(in-package #:lisp-workbench/systems)

(define-condition package-keeps (style-warning)
  ((package :initarg :package :reader kept-in) (said :initarg :said :reader variance-said))
  (:report (lambda (condition stream)
             (format stream "~A. The image keeps it so; the DEFPACKAGE of the file no longer says it. To take exports back, evaluate ~
                             (unexport (quote (NAME ...)) ~S)."
                     (variance-said condition) (kept-in condition)))))

(defun install-kept-exports ()
  "Have a package that says more than its DEFPACKAGE not end a load by ASDF. Called once, when the core is built."
  (unless (lacking "loads with exports that a file has no longer")
    (install-advice 'note-package-variance 'lisp-workbench #'note-variance)))

(defun note-variance (original &rest arguments &key format-control format-arguments package &allow-other-keys)
  (if (and *operating* (stringp format-control))
      (warn 'package-keeps
            :package (intern (if (packagep package) (package-name package) (string package)) '#:keyword)
            :said (string-right-trim "." (substitute #\Space #\Newline (apply #'format nil format-control format-arguments))))
      (apply original arguments)))
