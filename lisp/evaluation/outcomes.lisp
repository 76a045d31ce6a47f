;;;; How evaluated code can end: by itself, by an error that nobody handled, by an interrupt, by a limit, by ABORT. All of
;;;; them are throws to the evaluation's tag; the debugger hook is where unhandled errors arrive, since handlers of ours
;;;; would also see what the code signals and never needs handled.

(in-package #:lisp-workbench/evaluation)

(defvar *debugger* (constantly nil)
  "Called with evaluation, condition and perhaps :ANNOUNCE when the code shall wait in the debugger; returns when it cannot.")

(defvar *abort-report* "Abort the evaluation.")

(defun call-with-outcome (evaluation function)
  "Call FUNCTION as the user's code. Returns the status as the wire has it and the condition object or NIL."
  (let ((outcome (run-to-outcome evaluation function)))
    (ecase (first outcome)
      (:ok (values "ok" nil))
      (:interrupted (values "interrupted" nil))
      (:failed (values "error" (second outcome)))
      (:exhausted (values "error" (exhaustion-object evaluation (second outcome) (third outcome))))
      (:limit
       (sb-ext:gc :full t)
       (values "error" (second outcome)))
      (:aborted
       (values "error" (abort-object evaluation))))))

(defun abort-object (evaluation)
  (report-object "ABORT" "The code invoked the ABORT restart." '() "evaluation" (evaluation-offset evaluation)))

(defun run-to-outcome (evaluation function)
  "Nobody throws to the tag unless the state is :RUNNING, and it is only while the tag is there."
  (without-interrupts
    (prog1 (catch (evaluation-tag evaluation)
             (with-local-interrupts
               (setf (evaluation-state evaluation) :running)
               (if (evaluation-interrupted evaluation)
                   '(:interrupted)
                   (let ((report *abort-report*))
                     (restart-case (progn (funcall function) '(:ok))
                       (abort ()
                         :report (lambda (stream) (write-string report stream))
                         '(:aborted)))))))
      (setf (evaluation-state evaluation) :ending))))

(defun call-nested-with-outcome (evaluation function)
  "Like CALL-WITH-OUTCOME, within code of the same EVALUATION that waits in a debugger: what ends FUNCTION does not end that."
  (if (eq (evaluation-thread evaluation) sb-thread:*current-thread*)
      (let ((tag (evaluation-tag evaluation)))
        (setf (evaluation-tag evaluation) (list nil))
        (multiple-value-prog1
            (unwind-protect (call-with-outcome evaluation function)
              (setf (evaluation-tag evaluation) tag
                    (evaluation-interrupted evaluation) nil
                    (evaluation-state evaluation) :running))
          (when (evaluation-given-up evaluation) (throw tag '(:interrupted)))))
      (call-in-thread-with-outcome evaluation function)))

(defun call-in-thread-with-outcome (evaluation function)
  "The same in a thread that EVALUATION made: its tag and state, and with them interrupts, are those of its own thread."
  (let ((report *abort-report*))
    (restart-case (progn (funcall function) (values "ok" nil))
      (abort ()
        :report (lambda (stream) (write-string report stream))
        (values "error" (abort-object evaluation))))))

(defun exhaustion-object (evaluation condition frames)
  (condition-object condition
                    (frame-texts frames condition (list (evaluation-form evaluation)))
                    "evaluation" (evaluation-offset evaluation)))

(defun debugger-hook (condition hook)
  "Global value of *DEBUGGER-HOOK* and SB-EXT:*INVOKE-DEBUGGER-HOOK*, and what stands in place of SBCL's own debugger."
  (declare (ignore hook))
  (call-users-hook condition)
  (with-engine-variables (take-over condition *evaluation*)))

(defun take-over (condition evaluation)
  "Do what an unhandled CONDITION asks for; does not return."
  (cond (*escape-from-debugger* (throw *escape-from-debugger* :debugger))
        ((null evaluation) (leave-engine-thread condition))
        ((not (eq (evaluation-thread evaluation) sb-thread:*current-thread*))
         (when (debugged-p evaluation) (funcall *debugger* evaluation condition))
         (report-thread-failure evaluation condition)
         (sb-thread:abort-thread))
        ((eq (evaluation-state evaluation) :running)
         (unless (stack-exhaustion-p condition)
           (cond ((debugged-p evaluation) (funcall *debugger* evaluation condition))
                 ((held-on-error-p evaluation) (hold-failed evaluation condition))))
         (fail evaluation condition))
        (t (sb-thread:abort-thread))))

(defun debugged-p (evaluation)
  (equal "debug" (field (evaluation-request evaluation) "onError")))

(defun held-on-error-p (evaluation)
  (and (equal "hold" (field (evaluation-request evaluation) "onError"))
       (not (evaluation-answered evaluation))))

(defun hold-failed (evaluation condition)
  "Reply that EVALUATION failed, and wait in the debugger all the same, where the code can be looked at and go on."
  (let ((failure (failure-object evaluation condition)))
    (funcall *debugger* evaluation condition
             :announce (lambda (debugger)
                         (keep-last-error evaluation failure)
                         (answer-evaluation evaluation
                                            (funcall (evaluation-fallback evaluation) evaluation "error" failure)
                                            debugger)))))

(defun call-without-debugger (function)
  "Call FUNCTION, which the engine runs for itself; :DEBUGGER when it enters the debugger."
  (let ((tag (list nil)))
    (catch tag
      (let ((*escape-from-debugger* tag) (*guard* t)) (funcall function)))))

(defun call-users-hook (condition)
  "Evaluated code may bind *DEBUGGER-HOOK*; SBCL asks ours first."
  (let ((hook *debugger-hook*))
    (when (and hook (not (member hook (list 'debugger-hook #'debugger-hook))))
      (let ((*debugger-hook* nil))
        (funcall hook condition hook)))))

(defun fail (evaluation condition)
  (if (stack-exhaustion-p condition)
      (throw (evaluation-tag evaluation) (list :exhausted condition (raw-frames)))
      (throw (evaluation-tag evaluation) (list :failed (failure-object evaluation condition)))))

(defun stack-exhaustion-p (condition)
  (and (typep condition 'storage-condition) (not (typep condition 'heap-exhausted-error))))

(defun failure-object (evaluation condition)
  (forget-needless-warnings evaluation condition)
  (handler-case
      (let* ((reading (string= (evaluation-phase evaluation) "reader"))
             (frames (frame-texts (raw-frames) condition (and (not reading) (list (evaluation-form evaluation))))))
        (condition-object condition
                          (if (and reading (null frames)) '("(READ)") frames)
                          (evaluation-phase evaluation)
                          (if reading (reader-offset evaluation) (evaluation-offset evaluation))))
    (serious-condition ()
      (report-object (symbol-name (type-of-condition condition)) "(The condition could not be shown.)" '()
                     (evaluation-phase evaluation) (evaluation-offset evaluation)))))

(defun reader-offset (evaluation)
  (or (ignore-errors (wire-offset evaluation (file-position (evaluation-reader evaluation))))
      (evaluation-offset evaluation)))

(defun forget-needless-warnings (evaluation condition)
  "The warning about an undefined function says nothing new when that call then fails (REQUIREMENTS decision 9)."
  (when (typep condition 'undefined-function)
    (let ((name (cell-error-name condition)))
      (setf (evaluation-warnings evaluation)
            (remove name (evaluation-warnings evaluation) :key #'warning-note-undefined :test #'equal)))))

(defun thread-label ()
  (let ((name (sb-thread:thread-name sb-thread:*current-thread*)))
    (if (stringp name) name "unnamed thread")))

(defun report-thread-failure (evaluation condition)
  (finish-sink (evaluation-sink evaluation) #'send-now)
  (send-event "thread-failed"
              "evaluation" (evaluation-id evaluation)
              "thread" (thread-label)
              "condition" (handler-case (condition-object condition (frame-texts (raw-frames) condition nil)
                                                          "evaluation" nil)
                            (serious-condition ()
                              (report-object "ERROR" "(The condition could not be shown.)" '() "evaluation" nil)))))

(defun leave-engine-thread (condition)
  "An error in a thread of no evaluation: a timer, a finalizer, or the engine itself. The control thread goes on with the
next frame, any other ends."
  (send-event "thread-failed" "evaluation" nil
              "thread" (thread-label)
              "condition" (condition-object condition (frame-texts (raw-frames) condition nil) "evaluation" nil))
  (if (eq sb-thread:*current-thread* (sb-thread:main-thread))
      (throw 'next-frame nil)
      (sb-thread:abort-thread)))

(defun end-evaluation (evaluation type message)
  "End EVALUATION, whose thread this is, with a condition that the code cannot handle."
  (throw (evaluation-tag evaluation)
    (list :failed (report-object type message (frame-texts (raw-frames) nil (list (evaluation-form evaluation)))
                                 "evaluation" (evaluation-offset evaluation)))))
