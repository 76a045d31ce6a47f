;;;; Source transforms and transforms by types, which the compiler applies to calls in anybody's code. What those of agents return is
;;;; their author's, as an expansion is.

(in-package #:lisp-workbench/evaluation)

(defun install-transforms ()
  "Make what agents' transforms return their authors'."
  (put-around '%define-source-transform (lambda (original &rest arguments) (apply original (lend-transform :transform arguments))))
  (put-around '%deftransform (lambda (original &rest arguments) (apply original (lend-transform :lambda arguments)))))

(defun lend-transform (kind arguments)
  "Return ARGUMENTS with their function, which returns forms as those of KIND do, as its author's where guarded code defines it."
  (let ((function (and *guard* (find-if #'functionp arguments))))
    (if function
        (substitute (lent-transform kind function) function arguments)
        arguments)))

(defun lent-transform (kind function)
  (let ((author (or (first (function-authors function)) (incomparable (new-author)))))
    (lambda (&rest arguments)
      (if (or *guard* (author-trusted author))
          (apply function arguments)
          (values-list (guarded-results author kind arguments
                                        (multiple-value-list (with-guard-of (author) (apply function arguments)))))))))
