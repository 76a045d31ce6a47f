;;;; The names of SWANK. They are looked up when they are used, because SWANK is installed on the user's machine and is loaded only when
;;;; Emacs connects.

(in-package #:lisp-workbench/swank)

(define-condition swank-lacks (error)
  ((name :initarg :name :reader lacked-name))
  (:report (lambda (condition stream)
             (format stream "This version of SWANK has no ~A. Use version 2.20 or later, such as Debian's cl-swank."
                     (lacked-name condition)))))

(defun swank-symbol (name &optional (package "SWANK"))
  "Return the symbol NAME of SWANK; signal an error if this version has none."
  (or (and (find-package package) (find-symbol name package))
      (error 'swank-lacks :name (format nil "~A::~A" package name))))

(defun call-swank (name &rest arguments)
  (let ((symbol (swank-symbol name)))
    (unless (fboundp symbol) (error 'swank-lacks :name (format nil "SWANK::~A" name)))
    (apply symbol arguments)))

(defun swank-value (name)
  (let ((symbol (swank-symbol name)))
    (if (boundp symbol) (symbol-value symbol) (error 'swank-lacks :name (format nil "SWANK::~A" name)))))

(defun swank-loaded-p ()
  (and (find-package "SWANK") (find-symbol "EVAL-FOR-EMACS" "SWANK") t))
