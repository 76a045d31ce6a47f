;;;; Whether the guard is still in its place after code that it guarded. Such code can take it away, since it runs in the same
;;;; image: it would have to find SBCL's inner functions, or the engine's, since the guard's variables have no names there. What it
;;;; changes of the engine's functions is noticed and put back when it ends. (Nor is this a wall: what finds out how to change this
;;;; file's own closure goes past it.)

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
                    "operators" (array-of (or (remove-duplicates (mapcar #'operator-label changed) :test #'string=)
                                              '("*GUARD*"))))))))

;;; What it must be like. Kept in a closure: variables are what such code changes first.

(let ((gates '()) (functions '()) (cache nil) (base nil))

  (defun remember-guard ()
    "Called once it is installed."
    (setf functions (loop for symbol being the symbols of '#:lisp-workbench/effects
                          when (and (fboundp symbol)
                                    (or (eq symbol 'test-of-loaded-code)
                                        (eq (symbol-package symbol) (find-package '#:lisp-workbench/effects))))
                            collect (cons symbol (symbol-function symbol)))))

  (defun remember-gate (gate function)
    "Called when it is installed around FUNCTION; that is NIL where its methods were replaced."
    (setf gates (append gates (list (list gate (copy-gate gate) function)))))

  (defun remember-places ()
    (setf cache *cache* base *temporary-base*))

  (defun put-back ()
    "Make the guard what it was; the names of what was not."
    (append (loop for (symbol . function) in functions
                  unless (eq function (fdefn-function symbol))
                    do (sb-ext:without-package-locks (setf (fdefinition symbol) function))
                    and collect symbol)
            (loop for (gate copy function) in gates
                  unless (equalp gate copy)
                    do (setf (gate-operator gate) (gate-operator copy) (gate-kind gate) (gate-kind copy)
                             (gate-look gate) (gate-look copy) (gate-path-index gate) (gate-path-index copy))
                    and collect (gate-operator copy)
                  ;; What was merely redefined is no tampering.
                  when (and function (fboundp (gate-operator copy)) (eq function (fdefinition (gate-operator copy))))
                    do (guard-gate gate)
                    and collect (gate-operator copy)
                  else do (guard-again gate))
            (put-back-value '*gates* (mapcar #'car gates))
            (put-back-value '*cache* cache)
            (put-back-value '*temporary-base* base)
            (put-back-value '*under-way* '())
            (put-back-value '*own-folders* (remove-if-not (named-p "lisp-workbench-compile-") *own-folders*))
            (put-back-value '*temporary-folder* (find-if (named-p "lisp-workbench-") (list *temporary-folder*))))))

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

(defun seal-guard ()
  "Called last, when the core is built: the guard's state and the functions that lead past it have no names from then on, and the
engine's other names cannot be redefined without taking a lock away."
  (seal '(*guard* *lends* *author* author-trusted author-open author-tests trust with-guard-of review-authors
          *unasked-place-p* *loaded-author* followed-p *compiles-for-itself* *may-wait* *own-folders* *escape-from-debugger* *real-functions* real-function put-around replace-function without-guard
          *under-way* *gates* *cache* *temporary-base* *temporary-folder* *compiling* *compiled* *name-reader*
          *parked-effects* *id-state* *own-descriptors* *digests* *persons-hooks* make-compiling))
  (dolist (package (list-all-packages))
    (when (engine-package-p package) (sb-ext:lock-package package))))

(defun engine-package-p (package)
  (eql 0 (search "LISP-WORKBENCH" (package-name package))))
