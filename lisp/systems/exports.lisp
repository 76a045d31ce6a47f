;;;; Exports that a package's file no longer contains. SBCL keeps such exports and signals a warning, which makes ASDF reject the file, so a
;;;; renamed function would block all later loads. Within ASDF, this code turns the warning into a style warning that says what to do.

(in-package #:lisp-workbench/systems)

(define-condition package-keeps (style-warning)
  ((package :initarg :package :reader kept-in) (said :initarg :said :reader variance-said))
  (:report (lambda (condition stream)
             (format stream "~A. The image keeps these, although the DEFPACKAGE in the file no longer has them. To remove exports, evaluate ~
                             (unexport (quote (NAME ...)) ~S)."
                     (variance-said condition) (kept-in condition)))))

(defun install-kept-exports ()
  "Prevent an ASDF load from failing because a package has more exports than its DEFPACKAGE. Called once, when the core is built."
  (unless (lacking "reloading packages with exports that their file no longer has")
    (install-advice 'note-package-variance 'lisp-workbench #'note-variance)))

(defun note-variance (original &rest arguments &key format-control format-arguments package &allow-other-keys)
  (if (and *operating* (stringp format-control))
      (warn 'package-keeps
            :package (intern (if (packagep package) (package-name package) (string package)) '#:keyword)
            :said (string-right-trim "." (substitute #\Space #\Newline (apply #'format nil format-control format-arguments))))
      (apply original arguments)))
