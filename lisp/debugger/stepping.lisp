;;;; Stepping: SBCL stops before each form of code that was compiled for it, and its conditions arrive here.

(in-package #:lisp-workbench/debugger)

(defmacro without-stepping (&body body)
  "Run BODY without stepping. Afterwards stepping is as it was, unless BODY is left by a restart that decides about it."
  `(call-without-stepping (lambda () ,@body)))

(defun call-without-stepping (function)
  (if (lacking "stepping")
      (funcall function)
      (let ((stepping (stepping-enabled-p)))
        (disable-stepping)
        (multiple-value-prog1 (funcall function)
          (when stepping (enable-stepping))))))

(defun stop-at-step (condition)
  "Value of SB-EXT:*STEPPER-HOOK*: stop at a form that somebody wrote, or when stepping ends; go on past the values of calls."
  (let ((evaluation *evaluation*))
    (when (and evaluation (steppable-p evaluation))
      (typecase condition
        (sb-ext:step-form-condition
         (let ((sb-ext:*stepper-hook* nil))
           (when (written-form-p (sb-ext:step-condition-form condition))
             (enter-debugger evaluation condition))))))))

(defun written-form-p (form)
  "True when FORM, a form or its text, may have been written as it is: with no variable without a package, as the compiler and macros make
them, for one to look through keywords."
  (or (not (stringp form))
      (let ((node (first (ignore-errors (read-nodes form :count 1)))))
        (not (and node (names-uninterned-p node))))))

(defun names-uninterned-p (node)
  (if (eq (node-kind node) :token)
      (equal "#" (node-prefix node))
      (and (eq (node-kind node) :list)
           (not (equal "QUOTE" (operator-name node)))
           (some #'names-uninterned-p (node-children node)))))

(defun steppable-p (evaluation)
  (equal "debug" (field (evaluation-request evaluation) "onError")))

(defun step-object (condition holder)
  "Return the form and the arguments at which a step stopped, an object of the wire, the arguments held for HOLDER; NIL when CONDITION
is no step."
  (when (typep condition 'sb-ext:step-form-condition)
    (object "form" (step-text (sb-ext:step-condition-form condition))
            "arguments" (let ((arguments (ignore-errors (sb-ext:step-condition-args condition))))
                          (if (listp arguments)
                              (array-of (loop for argument in arguments collect (value-object argument 300 (hold argument holder))))
                              (array-of '()))))))

(defun step-text (form)
  (if (stringp form) form (print-short form 1000)))

(defun take-step (debugger kind)
  "Go on until the next form (\"into\"), the next form after this call (\"over\"), the end of this function (\"out\")."
  (let ((stepper (find-restart (cond ((string= kind "into") 'sb-ext:step-into)
                                     ((string= kind "over") 'sb-ext:step-next)
                                     (t 'sb-ext:step-out))
                               (debugger-condition debugger)))
        (continue (find 'continue (debugger-restarts debugger) :key #'restart-name)))
    (when (string= kind "into") (prepare-callee (debugger-evaluation debugger) (debugger-condition debugger)))
    (cond (stepper (enable-stepping) (invoke-restart stepper))
          (continue
           (if (and (string= kind "out") (typep (debugger-condition debugger) 'function-entered))
               (setf (entered-whole (debugger-condition debugger)) t)
               (enable-stepping))
           (invoke-restart continue))
          (t (error "Stepping cannot begin here: there is no way to continue.")))))

(defun prepare-callee (evaluation condition)
  "Let the step go on within the function that the form of CONDITION calls, until EVALUATION has ended."
  (let ((name (and (typep condition 'sb-ext:step-form-condition) (called-name (sb-ext:step-condition-form condition)))))
    (when name (push (make-steppable name) (evaluation-restorers evaluation)))))

(defun called-name (form)
  "The function that FORM, a form or its text, calls; NIL when that cannot be told."
  (let ((form (if (stringp form)
                  (let ((*read-eval* nil)) (ignore-errors (read-from-string form)))
                  form)))
    (and (consp form) (symbolp (first form)) (fboundp (first form)) (not (macro-function (first form)))
         (first form))))
