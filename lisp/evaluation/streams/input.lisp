;;;; Input from the person. The worker requests input, is parked, and continues when the input arrives.

(in-package #:lisp-workbench/evaluation)

(sb-ext:defglobal *input-lock* (sb-thread:make-mutex :name "lisp-workbench input"))
(sb-ext:defglobal *input-given* (sb-thread:make-waitqueue :name "lisp-workbench input"))

(defvar *ask-in-place* nil
  "A function that requests input from the person where the code runs, such as in a debugger. It returns the input, or NIL at the end of the
file. The variable is NIL if the REPL requests the input.")

(defun ask-for-input (evaluation)
  "Request a line from the person and wait for it. Return NIL at the end of file."
  (finish-output-of evaluation)
  (if *ask-in-place*
      (funcall *ask-in-place*)
      (ask-in-repl evaluation)))

(defun ask-in-repl (evaluation)
  (sb-thread:with-mutex (*input-lock*)
    (setf (evaluation-input evaluation) :wanted))
  (send-event "input-requested" "evaluation" (evaluation-id evaluation))
  (let ((answer (with-parked-worker ()
                  (unwind-protect-without-interrupts
                       (sb-thread:with-mutex (*input-lock*)
                         (loop until (listp (evaluation-input evaluation))
                               do (sb-thread:condition-wait *input-given* *input-lock*))
                         (shiftf (evaluation-input evaluation) :none))
                    (setf (evaluation-input evaluation) :none)))))
    (send-event "input-received" "evaluation" (evaluation-id evaluation))
    (and (first answer) (as-line (first answer)))))

(defun give-input (evaluation text)
  "Pass TEXT to EVALUATION as its input. Return false if EVALUATION is not waiting for input."
  (sb-thread:with-mutex (*input-lock*)
    (when (eq (evaluation-input evaluation) :wanted)
      (setf (evaluation-input evaluation) (list text))
      (sb-thread:condition-broadcast *input-given*)
      t)))
