;;;; Checks after guarded code has run that the guard is still in place. Guarded code runs in the same image, so it could remove the guard.
;;;; To do so, it would have to find internal functions of SBCL or the engine, because the guard's variables have no accessible names.
;;;; Changes to the engine's functions are detected and reverted when the code ends. (This is not a sandbox: code that finds a way to change
;;;; the closure in this file can bypass the guard.)

(in-package #:lisp-workbench/effects)

(sb-ext:defglobal *latest-guarded* nil) ; (id . actor) of the latest guarded evaluation

(defvar *others-at-work-p* (constantly nil) "A function of no arguments that returns true while an engine thread may run user code.")

(sb-ext:defglobal *stood-at* nil
  "The value of SB-EXT:*GC-RUN-TIME* at the end of an evaluation, if the guard was in place and no other thread could run user code; NIL if
user code may have run since. If *GC-RUN-TIME* has changed, garbage was collected, and finalizers may have run user code afterwards.")

(defun note-other-work ()
  "Record that the engine has done work other than evaluations, which may have run user code."
  (setf *stood-at* nil))

(defun nobody-at-work-p (evaluation)
  (not (or (evaluation-beside evaluation) (user-threads) (parked-evaluations) (sb-ext:list-all-timers) (funcall *others-at-work-p*))))

(defun mend-guard (evaluation)
  "Restore the parts of the guard that EVALUATION's code removed, and report them. Called when EVALUATION has ended, while its own binding
of *GUARD* is still in effect. If the person's evaluation made the changes, do not report them. If an agent's evaluation ran at the same
time as the person's, the origin of a change is unknown."
  (let ((who (cons (evaluation-id evaluation) (evaluation-actor evaluation)))
        (changed (put-back :by-person (not (or *guard* (evaluation-beside evaluation))))))
    (when *guard*
      (setf *latest-guarded* who)
      (tell-tampering who changed))
    (note-hooks (cond (*guard* (evaluation-actor evaluation))
                      ;; An agent's code may have added hooks in the meantime.
                      ((or (user-threads) (evaluation-beside evaluation)) "client:unknown")))
    (setf *stood-at* (and (nobody-at-work-p evaluation) sb-ext:*gc-run-time*))))

(defun mend-guard-before (evaluation)
  "Restore the guard before EVALUATION begins, because threads of the previous evaluation may have changed it since."
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

;;; The required state of the guard. It is stored in a closure, because code that removes the guard would change variables first.

;;; SBCL's functions, stored here in case code redefines their names.
(sb-ext:defglobal *encapsulate* #'encapsulate)
(sb-ext:defglobal *unencapsulate* #'unencapsulate)

(let ((gates '()) (symbols #()) (cells #()) (functions nil) (around '()) (cache nil) (base nil))

  (defun remember-functions ()
    "Record all functions of the engine with the advice that is now around them. Also record the internal functions of SBCL that the guard
surrounds. Called last."
    (setf symbols (coerce (remove-if-not #'fboundp (append '(test-of-loaded-code encapsulate unencapsulate)
                                                           (inner-surrounded) (engine-symbols)))
                          'simple-vector)
          cells (map 'simple-vector #'function-cell symbols)
          functions (map 'simple-vector #'fdefn-function symbols)
          around (surrounded)))

  (defun put-back-functions (by-person)
    "Restore changed functions directly in their cells, because the functions that usually store them may have been changed too. Advice that
the person put around SBCL's functions stays."
    (let ((changed '()))
      ;; The loop runs before and after each evaluation, so it must touch as little memory as possible.
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
    "Record that GATE was installed around FUNCTION. FUNCTION is NIL if methods were replaced instead."
    (setf gates (append gates (list (list* gate (copy-gate gate) function (list nil))))))

  (defun remember-places ()
    (setf cache *cache* base *temporary-base*))

  (defun put-back (&key by-person)
    "Restore the guard; return the names of the changed parts."
    (append (put-back-functions by-person)
            (put-back-entry)
            (loop for (gate copy function . standing) in gates
                  for operator = (gate-operator copy)
                  unless (same-gate-p gate copy)
                    do (put-back-gate gate copy)
                    and collect operator
                  unless (stands-p standing)
                    ;; If the function is the original one again, the guard was removed. A plain redefinition is not tampering.
                    when (and function (fboundp operator) (eq function (fdefinition operator)))
                      do (guard-gate gate)
                      and collect operator
                    else do (guard-again gate)
                    end
                    and do (note-standing standing operator))
            (if (null functions) '() (put-back-value '*guard* t)) ; while the core is being built, no functions are recorded yet
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

;;; STANDING is a cons of an operator's cell and the guarded function that the cell contained when the guard was last in place. Its CAR is
;;; NIL if the operator needs a full check. Otherwise, one memory read shows that nothing has changed.

(defun stands-p (standing)
  (let ((cell (car standing)))
    (and cell (eq (cdr standing) (function-in-cell cell)))))

(defun note-standing (standing operator)
  (setf (car standing) nil)
  ;; If the cell contains an encapsulation, such as a trace, the function inside it may change without a change of the cell.
  (when (and (symbolp operator) (fboundp operator) (compiled-function-p (fdefinition operator))
             (not (typep (fdefinition operator) 'generic-function)))
    (let ((cell (function-cell operator)))
      (when (eq (fdefinition operator) (function-in-cell cell))
        (setf (cdr standing) (fdefinition operator)
              (car standing) cell)))))

(defun put-back-entry ()
  "Restore the package and the symbol through which compiled files look up their author. Return the names of the changed ones."
  (let ((package (load-time-value (find-package '#:lisp-workbench/evaluation))) (name "LISP-WORKBENCH/EVALUATION"))
    (append (unless (equal name (package-name package))
              (sb-ext:without-package-locks (rename-package package name))
              (list 'rename-package))
            (unless (eq 'test-of-loaded-code (find-symbol "TEST-OF-LOADED-CODE" package))
              (sb-ext:without-package-locks (shadowing-import 'test-of-loaded-code package))
              (list 'test-of-loaded-code)))))

(defun put-back-value (symbol value)
  "Restore the global VALUE of SYMBOL. Return a list of SYMBOL if the value was different, otherwise NIL."
  (unless (equal value (sb-ext:symbol-global-value symbol))
    (setf (sb-ext:symbol-global-value symbol) value)
    (list symbol)))

(defun named-p (beginning)
  "Return a predicate that takes the name of a folder. It returns true if the last component of the name starts with BEGINNING, as in the
names that the engine creates."
  (lambda (folder)
    (and (stringp folder)
         (let* ((name (string-right-trim "/" folder)) (slash (position #\/ name :from-end t)))
           (eql (1+ (or slash -1)) (search beginning name :start2 (1+ (or slash -1))))))))

;;; Preventing guarded code from putting advice around the guard's functions

(defun refuse-around-engine (original name type &rest more)
  "Refuse if guarded code puts advice around the engine's functions; otherwise call ORIGINAL. TRACE and similar operators also call this
function."
  (when (and *guard*
             (or (engine-name-p name)
                 (member name (inner-surrounded))
                 (assoc type (rest (assoc name (surrounded))))))
    (error "~S belongs to the workbench's guard. Code cannot encapsulate it, trace it or remove its encapsulation." name))
  (apply original name type more))

(defun seal-guard ()
  "Remove the engine's names, except the one through which compiled files look up their author, and lock the engine's packages. Nothing in
these packages can then be redefined without unlocking a package. Called last, when the core is built."
  (seal '(test-of-loaded-code))
  (remember-functions)
  (dolist (package (list-all-packages))
    (when (engine-package-p package) (sb-ext:lock-package package))))

(defun engine-package-p (package)
  (eql 0 (search "LISP-WORKBENCH" (package-name package))))

(defun engine-name-p (name)
  "Return true if the function NAME belongs to the engine."
  (let ((symbol (if (consp name) (ignore-errors (second name)) name)))
    (and symbol (symbolp symbol)
         (let ((package (symbol-package symbol))) (and package (engine-package-p package))))))
