;;;; Makes the guard follow the author of interpreted code. Each function that SBCL's interpreter creates while guarded code runs belongs to
;;;; that code's author. Before the interpreter applies such a function for the person, it looks up the author.

(in-package #:lisp-workbench/evaluation)

(sb-ext:defglobal *interpreted-author* nil) ; author of the latest interpreted function

(defun install-interpreted ()
  "Record the author of each function that the interpreter creates."
  (surround 'make-interpreted-function 'lisp-workbench #'note-interpreted)
  (surround 'interpreted-apply 'lisp-workbench #'apply-lent))

(defun note-interpreted (original &rest arguments)
  (let ((function (apply original arguments)))
    (when *guard* (setf (associated function *lent-functions*) (author-of-interpreted)))
    function))

(defun author-of-interpreted ()
  "Return the author for interpreted functions created now; all functions that one top-level form creates share it."
  (let ((latest *interpreted-author*))
    (cond (*expansion-author*)
          ((and latest (member latest *form-authors*)) latest)
          (t (setf *interpreted-author* (incomparable (new-author)))))))

(defun apply-lent (original function arguments)
  (let ((author (and (eq *lends* t) (associated function *lent-functions*))))
    (if (and author (not (author-trusted author)))
        (apply #'call-lent author function arguments)
        (funcall original function arguments))))
