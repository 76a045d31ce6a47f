;;;; The check that the guard is still in its place after code that it guarded. Such code can take it away, since it runs in the same
;;;; image: it would have to find SBCL's inner functions, or the engine's, since the guard's variables have no names there. Changes of
;;;; the engine's functions are noticed and put back when the code ends. (This is no sandbox: code that finds out how to change this
;;;; file's own closure goes past it.)

(in-package #:lisp-workbench/effects)

(sb-ext:defglobal *latest-guarded* nil) ; (id . actor) of the latest evaluation that was guarded

(defvar *others-at-work-p* (constantly nil) "Function of no arguments, true while an engine thread may run the user's code.")

(sb-ext:defglobal *stood-at* nil
  "SB-EXT:*GC-RUN-TIME* when an evaluation ended with the guard in its place and no other thread was there that could run the user's
code, which finalizers do after a collection; NIL where something may have run since.")

(defun note-other-work ()
  "Called when the engine does anything but evaluate, which may run the user's code."
  (setf *stood-at* nil))

(defun nobody-at-work-p (evaluation)
  (not (or (evaluation-beside evaluation) (user-threads) (parked-evaluations) (sb-ext:list-all-timers) (funcall *others-at-work-p*))))

(defun mend-guard (evaluation)
  "Called when EVALUATION has ended, where its own binding of the variable is still seen. Puts back what its code took away of the
guard, and tells of it. What the person's own evaluation did is only put back. While an agent's ran beside it, nobody knows whose it was."
  (let ((who (cons (evaluation-id evaluation) (evaluation-actor evaluation)))
        (changed (put-back :by-person (not (or *guard* (evaluation-beside evaluation))))))
    (when *guard*
      (setf *latest-guarded* who)
      (tell-tampering who changed))
    (note-hooks (cond (*guard* (evaluation-actor evaluation))
                      ;; Agents' code may have put some there meanwhile.
                      ((or (user-threads) (evaluation-beside evaluation)) "client:unknown")))
    (setf *stood-at* (and (nobody-at-work-p evaluation) sb-ext:*gc-run-time*))))

(defun mend-guard-before (evaluation)
  "Called before EVALUATION begins: threads of the one before may have done the same meanwhile."
  (declare (ignore evaluation))
  (unless (and *stood-at* (eql *stood-at* sb-ext:*gc-run-time*))
    (let ((changed (put-back)))
      (when *latest-guarded* (tell-tampering *latest-guarded* changed)))))

(defun tell-tampering (who changed)
  (when changed
    (send-event "guard-tampered"
                "evaluation" (car who)
                "actor" (cdr who)
                "operators" (array-of (remove-duplicates (mapcar #'operator-label changed) :test #'string=)))))

;;; The state in which the guard must be. It is kept in a closure: such code would change variables first.

;;; SBCL's functions, kept here in case code changes those of these names.
(sb-ext:defglobal *encapsulate* #'encapsulate)
(sb-ext:defglobal *unencapsulate* #'unencapsulate)

(let ((gates '()) (symbols #()) (cells #()) (functions nil) (around '()) (cache nil) (base nil))

  (defun remember-functions ()
    "Called last: all functions of the engine, as calls of them arrive, with whatever is around them, and so those inside SBCL around
which the guard stands."
    (setf symbols (coerce (remove-if-not #'fboundp (append '(test-of-loaded-code encapsulate unencapsulate)
                                                           (inner-surrounded) (engine-symbols)))
                          'simple-vector)
          cells (map 'simple-vector #'function-cell symbols)
          functions (map 'simple-vector #'fdefn-function symbols)
          around (surrounded)))

  (defun put-back-functions (by-person)
    "Put changed functions back, straight into their cells, since the functions that usually do this may be the changed ones. Functions that
the person put around SBCL's stay."
    (let ((changed '()))
      ;; This runs before and after each evaluation, so it touches as little memory as possible.
      (dotimes (index (length (the simple-vector cells)))
        (let ((function (svref functions index)))
          (unless (eq function (function-in-cell (svref cells index)))
            (let ((symbol (svref symbols index)))
              (cond ((and by-person (not (engine-name-p symbol)))
                     (setf (svref functions index) (%symbol-function symbol)))
                    (t (setf (%symbol-function symbol) function)
                       (push symbol changed)))))))
      (loop for (name . advice) in around
            unless (loop for (type) in advice always (encapsulated-p name type))
              do (loop for (type) in advice do (funcall *unencapsulate* name type))
                 (loop for (type function) in advice do (funcall *encapsulate* name type function))
                 (push name changed))
      changed))

  (defun remember-gate (gate function)
    "Note that GATE was installed around FUNCTION, which is NIL when methods were replaced instead."
    (setf gates (append gates (list (list* gate (copy-gate gate) function (list nil))))))

  (defun remember-places ()
    (setf cache *cache* base *temporary-base*))

  (defun put-back (&key by-person)
    "Put the guard back as it was; return the names of the parts that were changed."
    (append (put-back-functions by-person)
            (put-back-entry)
            (loop for (gate copy function . standing) in gates
                  for operator = (gate-operator copy)
                  unless (same-gate-p gate copy)
                    do (put-back-gate gate copy)
                    and collect operator
                  unless (stands-p standing)
                    ;; A mere redefinition is no tampering.
                    when (and function (fboundp operator) (eq function (fdefinition operator)))
                      do (guard-gate gate)
                      and collect operator
                    else do (guard-again gate)
                    end
                    and do (note-standing standing operator))
            (if (null functions) '() (put-back-value '*guard* t)) ; no functions yet: the core is being built
            (unless (loop for rest = *gates* then (rest rest)
                          for (gate) in gates
                          always (and (consp rest) (eq gate (first rest)))
                          finally (return (null rest)))
              (put-back-value '*gates* (mapcar #'car gates)))
            (put-back-value '*cache* cache)
            (put-back-value '*temporary-base* base)
            (put-back-value '*under-way* '())
            (put-back-value '*own-folders* (remove-if-not (named-p "lisp-workbench-compile-") *own-folders* :key #'car))
            (put-back-value '*temporary-folder* (find-if (named-p "lisp-workbench-") (list *temporary-folder*))))))

;;; STANDING is a cons of the cell of an operator and the guarded function that was in it when all was well; its CAR is NIL where
;;; the operator has to be looked at closely. One read of memory then tells that nothing has changed.

(defun stands-p (standing)
  (let ((cell (car standing)))
    (and cell (eq (cdr standing) (function-in-cell cell)))))

(defun note-standing (standing operator)
  (setf (car standing) nil)
  ;; Below something that is put around the function of a cell, such as a trace, the function may change.
  (when (and (symbolp operator) (fboundp operator) (compiled-function-p (fdefinition operator))
             (not (typep (fdefinition operator) 'generic-function)))
    (let ((cell (function-cell operator)))
      (when (eq (fdefinition operator) (function-in-cell cell))
        (setf (cdr standing) (fdefinition operator)
              (car standing) cell)))))

(defun put-back-entry ()
  "Put back the package and the symbol by which compiled files ask for their author; return the names of what was changed."
  (let ((package (load-time-value (find-package '#:lisp-workbench/evaluation))) (name "LISP-WORKBENCH/EVALUATION"))
    (append (unless (equal name (package-name package))
              (sb-ext:without-package-locks (rename-package package name))
              (list 'rename-package))
            (unless (eq 'test-of-loaded-code (find-symbol "TEST-OF-LOADED-CODE" package))
              (sb-ext:without-package-locks (shadowing-import 'test-of-loaded-code package))
              (list 'test-of-loaded-code)))))

(defun put-back-value (symbol value)
  "Put back the global VALUE of SYMBOL; return a list of SYMBOL when it was another, else NIL."
  (unless (equal value (sb-ext:symbol-global-value symbol))
    (setf (sb-ext:symbol-global-value symbol) value)
    (list symbol)))

(defun named-p (beginning)
  "Return a predicate of folders, true when the last part of the folder's name has the BEGINNING that the engine gives."
  (lambda (folder)
    (and (stringp folder)
         (let* ((name (string-right-trim "/" folder)) (slash (position #\/ name :from-end t)))
           (eql (1+ (or slash -1)) (search beginning name :start2 (1+ (or slash -1))))))))

;;; Refusing guarded code to put anything around the guard's own functions

(defun refuse-around-engine (original name type &rest more)
  "Refuse guarded code to put anything around the engine's functions; TRACE and the like call this too."
  (when (and *guard*
             (or (engine-name-p name)
                 (member name (inner-surrounded))
                 (assoc type (rest (assoc name (surrounded))))))
    (error "~S belongs to the workbench, which asks before code reaches outside. Code cannot put anything around it, nor take ~
            anything off." name))
  (apply original name type more))

(defun seal-guard ()
  "Called last, when the core is built: the engine's names are gone from then on, but for the one by which compiled files ask for
their author, and nothing of it can be redefined without taking a lock away."
  (seal '(test-of-loaded-code))
  (remember-functions)
  (dolist (package (list-all-packages))
    (when (engine-package-p package) (sb-ext:lock-package package))))

(defun engine-package-p (package)
  (eql 0 (search "LISP-WORKBENCH" (package-name package))))

(defun engine-name-p (name)
  "True when the function NAME is the engine's."
  (let ((symbol (if (consp name) (ignore-errors (second name)) name)))
    (and symbol (symbolp symbol)
         (let ((package (symbol-package symbol))) (and package (engine-package-p package))))))
