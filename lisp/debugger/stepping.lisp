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
  "Value of SB-EXT:*STEPPER-HOOK*: stop at a form that somebody wrote, or when stepping ends; go on past the values of calls, and past
what a step out leaves."
  (let ((evaluation *evaluation*))
    (when (and evaluation (steppable-p evaluation) (not (within-step-out-p evaluation)))
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
  "Go on until the next form (\"into\"), the next form after this call (\"over\"), the next one of a caller (\"out\")."
  (let ((out (string= kind "out")))
    (when (string= kind "into") (prepare-callee debugger))
    (if (and out (not (step-out-to-caller debugger)))
        (go-on debugger 'sb-ext:step-continue nil)
        (go-on debugger (if (string= kind "into") 'sb-ext:step-into 'sb-ext:step-next) out))))

(defun go-on (debugger stepper out)
  "Leave DEBUGGER at a step by the restart STEPPER, elsewhere by CONTINUE, stepping from there unless STEPPER ends that. OUT is true where the
next step is to be in a caller."
  (let* ((condition (debugger-condition debugger))
         (stepping (not (eq stepper 'sb-ext:step-continue)))
         (restart (or (find-restart stepper condition)
                      (find 'continue (debugger-restarts debugger) :key #'restart-name)
                      (error "Stepping cannot begin here: there is no way to continue."))))
    (cond ((not stepping))
          ((and out (typep condition 'function-entered)) (setf (entered-whole condition) t))
          (t (enable-stepping)))
    (invoke-restart restart)))

;;; A step out is made of steps over that pass until a caller's frame, or one that lies beyond it, is reached. The restart STEP-OUT of SBCL
;;; knows only callers from which a step into led to the function, and signals an error in all others.

(defun step-out-to-caller (debugger)
  "Note that the next step of this thread is to be in the frame of the caller, or beyond it; false where no caller's code is on the stack."
  (let ((frames (remove-if-not #'relevant-name-p (debugger-frames debugger) :key #'frame-record-name)))
    (when (> (length frames) 1)
      (note-step-out (debugger-evaluation debugger) (frame-address (frame-record-frame (svref frames 1)))))))

(defun note-step-out (evaluation address)
  "Let the next step of this thread, which works for EVALUATION, be in the frame at ADDRESS or beyond it; with NIL it may be anywhere."
  (let ((thread sb-thread:*current-thread*))
    (sb-ext:atomic-update (evaluation-steps-out evaluation)
                          (lambda (known)
                            (let ((others (remove thread known :key #'car)))
                              (if address (acons thread address others) others))))))

(defun within-step-out-p (evaluation)
  "True at a step of code that a step out leaves, or that it calls."
  (let ((known (assoc sb-thread:*current-thread* (evaluation-steps-out evaluation))))
    (and known (< (frame-address (find-stepped-frame)) (cdr known)))))

(defun frame-address (frame)
  "Return the place of FRAME on the control stack, which grows towards lower addresses."
  (sb-sys:sap-int (frame-pointer frame)))

(defun forget-stepping (evaluation)
  "End stepping in this thread, in which EVALUATION begins: the last one may have ended in the midst of it."
  (declare (ignore evaluation))
  (unless (lacking "stepping") (disable-stepping)))
