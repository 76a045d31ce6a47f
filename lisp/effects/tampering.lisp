;;;; Whether the guard is still in its place after code that it guarded. Such code can take it away, since it runs in the same
;;;; image: it would have to find SBCL's inner functions, or the engine's, since the guard's variables have no names there. What it
;;;; changes of the engine's functions is noticed and put back when it ends. (Nor is this a wall: what finds out how to change this
;;;; file's own closure goes past it.)

(in-package #:lisp-workbench/effects)

(sb-ext:defglobal *latest-guarded* nil) ; (id . actor) of the latest evaluation that was guarded

(defun mend-guard (evaluation)
  "Called when EVALUATION has ended, where its own binding of the variable is still seen. Puts back what its code took away of the
guard, and tells of it. What the person's own evaluation did is only put back."
  (let ((who (cons (evaluation-id evaluation) (evaluation-actor evaluation))) (changed (put-back :by-person (not *guard*))))
    (when *guard*
      (setf *latest-guarded* who)
      (tell-tampering who changed))))

(defun mend-guard-before (evaluation)
  "Called before EVALUATION begins: threads of the one before may have done the same meanwhile."
  (declare (ignore evaluation))
  (let ((changed (put-back)))
    (when *latest-guarded* (tell-tampering *latest-guarded* changed))))

(defun tell-tampering (who changed)
  (when changed
    (send-event "guard-tampered"
                "evaluation" (car who)
                "actor" (cdr who)
                "operators" (array-of (remove-duplicates (mapcar #'operator-label changed) :test #'string=)))))

;;; What it must be like. Kept in a closure: variables are what such code changes first.

;;; SBCL's, whatever becomes of the names.
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
    "As low as SBCL stores: what would do it otherwise may be what was changed. What the person put around functions of SBCL stays."
    (let ((changed '()))
      ;; Done before and after each evaluation: no more memory is touched than must be.
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
    "Called when it is installed around FUNCTION; that is NIL where its methods were replaced."
    (setf gates (append gates (list (list gate (copy-gate gate) function)))))

  (defun remember-places ()
    (setf cache *cache* base *temporary-base*))

  (defun put-back (&key by-person)
    "Make the guard what it was; the names of what was not."
    (append (put-back-functions by-person)
            (put-back-entry)
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
            (if (null functions) '() (put-back-value '*guard* t)) ; not while the core is built
            (put-back-value '*gates* (mapcar #'car gates))
            (put-back-value '*cache* cache)
            (put-back-value '*temporary-base* base)
            (put-back-value '*under-way* '())
            (put-back-value '*own-folders* (remove-if-not (named-p "lisp-workbench-compile-") *own-folders*))
            (put-back-value '*temporary-folder* (find-if (named-p "lisp-workbench-") (list *temporary-folder*))))))

(defun put-back-entry ()
  "The name by which compiled files ask for their author."
  (let ((package (load-time-value (find-package '#:lisp-workbench/evaluation))) (name "LISP-WORKBENCH/EVALUATION"))
    (append (unless (equal name (package-name package))
              (sb-ext:without-package-locks (rename-package package name))
              (list 'rename-package))
            (unless (eq 'test-of-loaded-code (find-symbol "TEST-OF-LOADED-CODE" package))
              (sb-ext:without-package-locks (shadowing-import 'test-of-loaded-code package))
              (list 'test-of-loaded-code)))))

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

;;; Nothing is put around what the guard is made of.

(defun refuse-around-engine (original name type &rest more)
  "TRACE and the like come here too."
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
  "Whether NAME, of a function, is the engine's."
  (let ((symbol (if (consp name) (ignore-errors (second name)) name)))
    (and symbol (symbolp symbol)
         (let ((package (symbol-package symbol))) (and package (engine-package-p package))))))
