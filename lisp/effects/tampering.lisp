;;;; Whether the guard is still in its place after code that it guarded. Such code can take it away, since it runs in the same
;;;; image; but not without being noticed, and not for longer than until it ends.

(in-package #:lisp-workbench/effects)

(defun mend-guard (evaluation)
  "Called when EVALUATION has ended, where its own binding of the variable is still seen. Puts back what its code took away of the
guard, and tells of it."
  (when (field (evaluation-request evaluation) "guard")
    (let ((loosened (loosened-gates)))
      (dolist (gate loosened)
        (guard-gate gate))
      (when (or loosened (not *guard*) (not (eq t (sb-ext:symbol-global-value '*guard*))))
        (setf (sb-ext:symbol-global-value '*guard*) t)
        (send-event "guard-tampered"
                    "evaluation" (evaluation-id evaluation)
                    "actor" (evaluation-actor evaluation)
                    "operators" (array-of (or (mapcar (lambda (gate) (symbol-name (gate-operator gate))) loosened)
                                              '("*GUARD*"))))))))

(defun loosened-gates ()
  (remove-if (lambda (gate)
               (let ((operator (gate-operator gate)))
                 (or (not (fboundp operator)) (encapsulated-p operator 'lisp-workbench/guard))))
             *gates*))
