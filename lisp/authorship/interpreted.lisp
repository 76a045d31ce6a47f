;;;; The guard follows the author of what is interpreted: each function that SBCL's interpreter makes while guarded code runs
;;;; belongs to that author, and the interpreter asks for it before it applies one for the person.

(in-package #:lisp-workbench/evaluation)

(sb-ext:defglobal *interpreted-author* nil) ; author of the latest interpreted function

(defun install-interpreted ()
  "Note the author of each function that the interpreter makes."
  (surround 'make-interpreted-function 'lisp-workbench #'note-interpreted)
  (surround 'interpreted-apply 'lisp-workbench #'apply-lent))

(defun note-interpreted (original &rest arguments)
  (let ((function (apply original arguments)))
    (when *guard* (setf (associated function *lent-functions*) (author-of-interpreted)))
    function))

(defun author-of-interpreted ()
  "Return the author of interpreted functions now, one for all that a top-level form makes."
  (let ((latest *interpreted-author*))
    (cond (*expansion-author*)
          ((and latest (member latest *form-authors*)) latest)
          (t (setf *interpreted-author* (incomparable (new-author)))))))

(defun apply-lent (original function arguments)
  (let ((author (and (eq *lends* t) (associated function *lent-functions*))))
    (if (and author (not (author-trusted author)))
        (apply #'call-lent author function arguments)
        (funcall original function arguments))))
