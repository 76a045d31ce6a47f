;;;; Stepping: SBCL stops before each form of code that was compiled for it, and its conditions arrive here.

(in-package #:lisp-workbench/debugger)

(defmacro without-stepping (&body body)
  "While BODY runs nothing stops; afterwards stepping is as it was, unless BODY is left by a restart that decides."
  `(call-without-stepping (lambda () ,@body)))

(defun call-without-stepping (function)
  (if (lacking "stepping")
      (funcall function)
      (let ((stepping (stepping-enabled-p)))
        (disable-stepping)
        (multiple-value-prog1 (funcall function)
          (when stepping (enable-stepping))))))

(defun stop-at-step (condition)
  "Value of SB-EXT:*STEPPER-HOOK*: stop at a form, or when stepping ends; go on past the values of calls."
  (let ((evaluation *evaluation*))
    (when (and evaluation (steppable-p evaluation))
      (typecase condition
        (sb-ext:step-form-condition
         (let ((sb-ext:*stepper-hook* nil))
           (enter-debugger evaluation condition)))))))

(defun steppable-p (evaluation)
  (equal "debug" (field (evaluation-request evaluation) "onError")))

(defun step-object (condition)
  "What a step stopped at; NIL for other conditions."
  (when (typep condition 'sb-ext:step-form-condition)
    (object "form" (step-text (sb-ext:step-condition-form condition))
            "arguments" (let ((arguments (ignore-errors (sb-ext:step-condition-args condition))))
                          (if (listp arguments)
                              (array-of (mapcar (lambda (argument) (print-short argument 300)) arguments))
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
    (cond (stepper (enable-stepping) (invoke-restart stepper))
          (continue (enable-stepping) (invoke-restart continue))
          (t (error "Stepping cannot begin here: there is no way to continue.")))))
