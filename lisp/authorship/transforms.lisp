;;;; Marks the results of agents' source transforms and type-based transforms, which the compiler applies to calls in any code. The forms
;;;; that such a transform returns belong to its author, like the forms of an expansion.

(in-package #:lisp-workbench/evaluation)

(defun install-transforms ()
  "Mark the forms that agents' transforms return as their authors'."
  (put-around '%define-source-transform (lambda (original &rest arguments) (apply original (lend-transform :transform arguments))))
  (put-around '%deftransform (lambda (original &rest arguments) (apply original (lend-transform :lambda arguments)))))

(defun lend-transform (kind arguments)
  "Return ARGUMENTS. If guarded code defines the transform, replace the transform's function among them by a wrapper. The wrapper marks the
forms that the function returns as its author's, as for an expander of KIND."
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
