;;;; Stepping: SBCL signals a step condition before each form of code compiled for stepping. This file handles these conditions.

(in-package #:lisp-workbench/debugger)

(defmacro without-stepping (&body body)
  "Run BODY without stepping, then restore the previous stepping state. Do not restore it if a restart leaves BODY, because the restart sets
the state itself."
  `(call-without-stepping (lambda () ,@body)))

(defun call-without-stepping (function)
  (if (lacking "stepping")
      (funcall function)
      (let ((stepping (stepping-enabled-p)))
        (disable-stepping)
        (multiple-value-prog1 (funcall function)
          (when stepping (enable-stepping))))))

(defun stop-at-step (condition)
  "The value of SB-EXT:*STEPPER-HOOK*. Stop at a form from source code, or when stepping ends. Do not stop when a call returns its values,
or in code that a \"step out\" leaves."
  (let ((evaluation *evaluation*))
    (when (and evaluation (steppable-p evaluation) (not (within-step-out-p evaluation)))
      (typecase condition
        (sb-ext:step-form-condition
         (let ((sb-ext:*stepper-hook* nil))
           (when (written-form-p (sb-ext:step-condition-form condition))
             (enter-debugger evaluation condition))))))))

(defun written-form-p (form)
  "Return true if FORM, a form or its text, may come from source code. Variables without a package come from the compiler or from macros,
such as a variable that scans keyword arguments."
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
  "Return a wire object with the form at which a step stopped and the form's arguments; the handles of the arguments belong to HOLDER.
Return NIL if CONDITION is not a step."
  (when (typep condition 'sb-ext:step-form-condition)
    (object "form" (step-text (sb-ext:step-condition-form condition))
            "arguments" (let ((arguments (ignore-errors (sb-ext:step-condition-args condition))))
                          (if (listp arguments)
                              (array-of (loop for argument in arguments collect (value-object argument 300 (hold argument holder))))
                              (array-of '()))))))

(defun step-text (form)
  (if (stringp form) form (print-short form 1000)))

(defun take-step (debugger kind)
  "Run the code up to the next form (\"into\"), the next form after this call (\"over\"), or the next form of a caller (\"out\")."
  (let ((out (string= kind "out")))
    (when (string= kind "into") (prepare-callee debugger))
    (if (and out (not (step-out-to-caller debugger)))
        (go-on debugger 'sb-ext:step-continue nil)
        (go-on debugger (if (string= kind "into") 'sb-ext:step-into 'sb-ext:step-next) out))))

(defun go-on (debugger stepper out)
  "Leave DEBUGGER through the restart STEPPER if it stopped at a step, otherwise through CONTINUE. The code is then stepped from that point,
unless STEPPER ends stepping. OUT is true if the next stop must be in a caller."
  (let* ((condition (debugger-condition debugger))
         (stepping (not (eq stepper 'sb-ext:step-continue)))
         (restart (or (find-restart stepper condition)
                      (find 'continue (debugger-restarts debugger) :key #'restart-name)
                      (error "Stepping cannot start here, because no restart continues the code."))))
    (cond ((not stepping))
          ((and out (typep condition 'function-entered)) (setf (entered-whole condition) t))
          (t (enable-stepping)))
    (invoke-restart restart)))

;;; A "step out" consists of "step over" steps that do not stop until they reach the caller's frame or an outer frame. SBCL's own restart
;;; STEP-OUT works only if the caller entered the function by a "step into"; otherwise it signals an error.

(defun step-out-to-caller (debugger)
  "Make the next step of this thread stop only in the caller's frame or an outer frame. Return false if the stack contains no code of a
caller."
  (let ((frames (remove-if-not #'relevant-name-p (debugger-frames debugger) :key #'frame-record-name)))
    (when (> (length frames) 1)
      (note-step-out (debugger-evaluation debugger) (frame-address (frame-record-frame (svref frames 1)))))))

(defun note-step-out (evaluation address)
  "Make the next step of this thread, which works for EVALUATION, stop only in the frame at ADDRESS or in an outer frame. If ADDRESS is NIL,
it may stop anywhere."
  (let ((thread sb-thread:*current-thread*))
    (sb-ext:atomic-update (evaluation-steps-out evaluation)
                          (lambda (known)
                            (let ((others (remove thread known :key #'car)))
                              (if address (acons thread address others) others))))))

(defun within-step-out-p (evaluation)
  "Return true at a step in code that a \"step out\" leaves, or in a function that such code calls."
  (let ((known (assoc sb-thread:*current-thread* (evaluation-steps-out evaluation))))
    (and known (< (frame-address (find-stepped-frame)) (cdr known)))))

(defun frame-address (frame)
  "Return the address of FRAME on the control stack, which grows towards lower addresses."
  (sb-sys:sap-int (frame-pointer frame)))

(defun forget-stepping (evaluation)
  "End stepping in this thread. EVALUATION begins now, and the evaluation before it may have ended while stepping."
  (declare (ignore evaluation))
  (unless (lacking "stepping") (disable-stepping)))
