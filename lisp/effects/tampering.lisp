;;;; Whether the guard is still in its place after code that it guarded. Such code can take it away, since it runs in the same
;;;; image; but not without being noticed, and not for longer than until it ends. (Nor is this a wall: what finds out how to
;;;; change this file's own closure goes past it.)

(in-package #:lisp-workbench/effects)

(defun mend-guard (evaluation)
  "Called when EVALUATION has ended, where its own binding of the variable is still seen. Puts back what its code took away of the
guard, and tells of it."
  (when (field (evaluation-request evaluation) "guard")
    (let ((changed (put-back)))
      (when (or changed (not *guard*) (not (eq t (sb-ext:symbol-global-value '*guard*))))
        (setf (sb-ext:symbol-global-value '*guard*) t)
        (send-event "guard-tampered"
                    "evaluation" (evaluation-id evaluation)
                    "actor" (evaluation-actor evaluation)
                    "operators" (array-of (or (mapcar #'symbol-name changed) '("*GUARD*"))))))))

;;; What it must be like. Kept in a closure: variables are what such code changes first.

(let ((gates '()) (functions '()) (cache nil) (base nil))

  (defun remember-guard ()
    "Called once it is installed."
    (setf gates (mapcar (lambda (gate) (cons gate (copy-gate gate))) *gates*)
          functions (loop for symbol being the present-symbols of '#:lisp-workbench/effects
                          for function = (and (eq (symbol-package symbol) (find-package '#:lisp-workbench/effects))
                                              (%symbol-function symbol))
                          when function collect (cons symbol function))))

  (defun remember-places ()
    (setf cache *cache* base *temporary-base*))

  (defun put-back ()
    "Make the guard what it was; the names of what was not."
    (append (loop for (symbol . function) in functions
                  unless (eq function (%symbol-function symbol))
                    do (setf (%symbol-function symbol) function)
                    and collect symbol)
            (loop for (gate . copy) in gates
                  unless (equalp gate copy)
                    do (setf (gate-operator gate) (gate-operator copy) (gate-kind gate) (gate-kind copy)
                             (gate-look gate) (gate-look copy) (gate-path-index gate) (gate-path-index copy))
                    and collect (gate-operator copy)
                  unless (guarded-p gate)
                    do (guard-gate gate)
                    and collect (gate-operator gate))
            (put-back-value '*gates* (mapcar #'car gates))
            (put-back-value '*cache* cache)
            (put-back-value '*temporary-base* base)
            (put-back-value '*under-way* '())
            (put-back-value '*own-folders* (remove-if-not (named-p "lisp-workbench-compile-") *own-folders*))
            (put-back-value '*temporary-folder* (find-if (named-p "lisp-workbench-") (list *temporary-folder*))))))

(defun guarded-p (gate)
  (let ((operator (gate-operator gate)))
    (or (not (fboundp operator)) (encapsulated-p operator 'lisp-workbench/guard))))

(defun put-back-value (symbol value)
  "A list of SYMBOL when its value everywhere is another than VALUE."
  (unless (equal value (sb-ext:symbol-global-value symbol))
    (setf (sb-ext:symbol-global-value symbol) value)
    (list symbol)))

(defun named-p (beginning)
  "Whether the last part of a folder's name is one that the engine gives."
  (lambda (folder)
    (and (stringp folder)
         (let* ((name (string-right-trim "/" folder)) (slash (position #\/ name :from-end t)))
           (eql (1+ (or slash -1)) (search beginning name :start2 (1+ (or slash -1))))))))
