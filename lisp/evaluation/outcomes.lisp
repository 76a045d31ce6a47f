;;;; The ways in which evaluated code can end: normally, by an unhandled error, by an interrupt, by a limit, or by ABORT. All but the first
;;;; are throws to the evaluation's tag. Unhandled errors are caught in the debugger hook, because a handler of the engine would also
;;;; receive conditions that the code does not have to handle.

(in-package #:lisp-workbench/evaluation)

(defvar *debugger* (constantly nil)
  "A function that makes the code wait in the debugger. It is called with an evaluation and a condition; the optional argument :ANNOUNCE is
a function that announces the debugger. It returns only if the code cannot wait there.")

(defvar *before-debugger* '() "Functions without arguments that are called just before the code of this thread waits in the debugger.")

(defvar *on-unhandled* (constantly nil)
  "A function that is called with an unhandled condition of this thread before the evaluation ends or waits in the debugger. The stack at
that time is still the one on which the condition was signaled.")

(defvar *loaded-form* nil
  "While a text is loaded that was compiled like a file: a function that takes a source plist and returns the text of its top-level form.
Otherwise NIL.")

(defvar *abort-report* "Abort the evaluation.")

(defun call-with-outcome (evaluation function)
  "Call FUNCTION as the user's code. Return two values: the status in its wire form, and the condition object or NIL."
  (let ((outcome (run-to-outcome evaluation function)))
    (ecase (first outcome)
      (:ok (values "ok" nil))
      (:interrupted (values "interrupted" (if (and (evaluation-given-up evaluation) (evaluation-stopped-at evaluation))
                                              (aborted-object evaluation)
                                              (second outcome))))
      (:failed (values "error" (second outcome)))
      (:exhausted (values "error" (exhaustion-object evaluation (second outcome) (third outcome))))
      (:limit
       (sb-ext:gc :full t)
       (values "error" (second outcome)))
      (:aborted
       (values "error" (abort-object evaluation))))))

(defvar *own-aborts* '() "The ABORT restarts of the engine that are established in this thread, innermost first.")

(defmacro with-own-abort (&body body)
  "Run BODY, whose innermost ABORT restart was established by the engine."
  `(let ((*own-aborts* (cons (find-restart 'abort) *own-aborts*))) ,@body))

(defun note-chosen-restart (evaluation restart)
  "Record that RESTART was chosen in the debugger of EVALUATION. If the engine established RESTART, the running code ends. If the code
established it, the code may continue anywhere."
  (when (member restart *own-aborts*) (setf (evaluation-abort-chosen evaluation) t)))

(defun abort-object (evaluation)
  (if (shiftf (evaluation-abort-chosen evaluation) nil)
      (aborted-object evaluation)
      (report-object "ABORT" "The code invoked the ABORT restart." '() "evaluation" (evaluation-offset evaluation))))

(defun aborted-object (evaluation)
  "Return a report that EVALUATION was aborted in its debugger, with the condition at which it had stopped."
  (let ((condition (evaluation-stopped-at evaluation)))
    (report-object "ABORT"
                   (if condition
                       (format nil "Aborted at ~A: ~A" (type-name-within condition (current-package evaluation)) (message condition))
                       "The evaluation was aborted.")
                   '() "evaluation" (evaluation-offset evaluation))))

(defun current-package (evaluation)
  "Return the package that was requested for EVALUATION."
  (let ((given (field (evaluation-request evaluation) "package")))
    (or (and given (designated-package given))
        (live-package (context-package (ensure-context (evaluation-context evaluation)))))))

(defun run-to-outcome (evaluation function)
  "Call FUNCTION with the evaluation's tag established. Only while the tag exists is the evaluation's state :RUNNING, which permits throws
to the tag."
  (without-interrupts
    (prog1 (catch (evaluation-tag evaluation)
             (with-local-interrupts
               (setf (evaluation-state evaluation) :running)
               (let-first-job-overtake)
               (if (evaluation-interrupted evaluation)
                   '(:interrupted)
                   (let ((report *abort-report*))
                     (restart-case (with-own-abort (funcall function) '(:ok))
                       (abort ()
                         :report (lambda (stream) (write-string report stream))
                         '(:aborted)))))))
      (setf (evaluation-state evaluation) :ending)
      (tell-put-back evaluation (put-back-essentials)))))

(defun call-nested-with-outcome (evaluation function)
  "Call FUNCTION as CALL-WITH-OUTCOME does, while other code of the same EVALUATION is waiting in a debugger below it. That code continues
to wait after FUNCTION ends."
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
  "Call FUNCTION as CALL-WITH-OUTCOME does, in a thread that EVALUATION created. The tag, state and interrupts of EVALUATION belong to
EVALUATION's own thread and are not used."
  (let ((report *abort-report*) (tag (list nil)))
    (restart-case
        (let ((failure (catch tag
                         (let ((*nested-tag* tag)) (with-own-abort (funcall function)))
                         nil)))
          (values (if failure "error" "ok") failure))
      (abort ()
        :report (lambda (stream) (write-string report stream))
        (values "error" (abort-object evaluation))))))

(defun exhaustion-object (evaluation condition frames)
  (condition-object condition
                    (frame-texts frames condition (list (evaluation-form evaluation)))
                    "evaluation" (evaluation-offset evaluation)))

(defun debugger-hook (condition hook)
  "Handle an unhandled CONDITION in place of SBCL's own debugger. This is the global value of *DEBUGGER-HOOK* and
SB-EXT:*INVOKE-DEBUGGER-HOOK*."
  (declare (ignore hook))
  (let ((redefined (put-back-essentials)))
    (when *evaluation* (tell-put-back *evaluation* redefined)))
  (call-users-hook condition)
  (with-engine-variables (take-over condition *evaluation*)))

(defun take-over (condition evaluation)
  "If EVALUATION's request specifies it, wait in the debugger; then end EVALUATION because of the unhandled CONDITION. This function does
not return."
  (cond (*escape-from-debugger* (throw *escape-from-debugger* :debugger))
        ((null evaluation) (leave-engine-thread condition))
        ((not (eq (evaluation-thread evaluation) sb-thread:*current-thread*))
         (when (and (debugged-p evaluation) (room-to-wait-p condition))
           (funcall *debugger* evaluation condition))
         (report-thread-failure evaluation condition)
         (end-user-thread))
        ((eq (evaluation-state evaluation) :running)
         (when (room-to-wait-p condition)
           (ignore-errors (funcall *on-unhandled* condition))
           (setf (evaluation-failed-functions evaluation)
                 (called-functions (raw-frames)))
           (cond ((debugged-p evaluation)
                  (unless (text-fault-p evaluation condition)
                    (funcall *debugger* evaluation condition)))
                 ((held-on-error-p evaluation) (hold-failed evaluation condition))))
         (fail evaluation condition))
        (t (sb-thread:abort-thread))))

(defun text-fault-p (evaluation condition)
  "Return true if CONDITION means that the text of EVALUATION cannot be read. There is nothing to inspect in that case, so the error is
displayed in the text. An error in code that the reader calls, such as #. code or a macro character, is an ordinary error."
  (and (string= (evaluation-phase evaluation) "reader")
       (or (null (evaluation-failed-functions evaluation))
           (and (typep condition 'stream-error)
                (eq (stream-error-stream condition) (evaluation-reader evaluation))))))

(defun debugged-p (evaluation)
  (equal "debug" (field (evaluation-request evaluation) "onError")))

(defun held-on-error-p (evaluation)
  (and (equal "hold" (field (evaluation-request evaluation) "onError"))
       (not (evaluation-answered evaluation))))

(defun hold-or-interrupt (evaluation)
  "Interrupt EVALUATION. If its request's `onError` is \"hold\", make EVALUATION wait in the debugger at its current position instead."
  (if (and (held-on-error-p evaluation) (eq (evaluation-state evaluation) :running))
      (call-in-evaluation evaluation (lambda ()
                                       (when (held-on-error-p evaluation)
                                         (with-simple-restart (continue "Continue.")
                                           (invoke-debugger (make-condition 'interrupted))))))
      (interrupt-evaluation evaluation)))

(define-condition interrupted (condition) ()
  (:report "The evaluation was interrupted."))

(defun hold-failed (evaluation condition)
  "Reply that EVALUATION failed, but keep its code waiting in the debugger, where it can be examined and continued."
  (let ((failure (if (stack-exhaustion-p condition)
                     (let ((frames (noted-frames evaluation)))
                       (call-on-fresh-stack (lambda () (exhaustion-object evaluation condition frames))))
                     (failure-object evaluation condition))))
    (funcall *debugger* evaluation condition
             :announce (lambda (debugger)
                         (keep-last-error evaluation failure)
                         (answer-evaluation evaluation
                                            (funcall (evaluation-fallback evaluation) evaluation "error" failure)
                                            debugger)))))

(defun call-without-debugger (function)
  "Call FUNCTION, which the engine runs for its own purposes. Return :DEBUGGER if FUNCTION enters the debugger."
  (let ((tag (list nil)))
    (catch tag
      (let ((*escape-from-debugger* tag) (*guard* t)) (funcall function)))))

(defun call-users-hook (condition)
  "Call the *DEBUGGER-HOOK* that evaluated code has bound. This is necessary because SBCL calls the engine's hook first."
  (let ((hook *debugger-hook*))
    (when (and hook (not (member hook (list 'debugger-hook #'debugger-hook))))
      (let ((*debugger-hook* nil))
        (funcall hook condition hook)))))

(defun end-with-error (condition &optional place)
  "End this thread's evaluation because of the unhandled CONDITION, without a debugger. With PLACE, a text, the report begins with PLACE and
has no frames. Return only if this thread is not the evaluation's own."
  (let ((evaluation *evaluation*))
    (when (and evaluation (eq (evaluation-thread evaluation) sb-thread:*current-thread*))
      (fail evaluation condition place))))

(defun fail (evaluation condition &optional place)
  (if (stack-exhaustion-p condition)
      (throw (evaluation-tag evaluation) (list :exhausted condition (noted-frames evaluation)))
      (throw (evaluation-tag evaluation)
        (list :failed
              (let ((failure (failure-object evaluation condition)))
                (if place
                    (report-object (field failure "type") (format nil "~A: ~A" place (field failure "message"))
                                   '() (field failure "phase") (field failure "offset"))
                    failure))))))

(defun stack-exhaustion-p (condition)
  (and (typep condition 'storage-condition) (not (typep condition 'heap-exhausted-error))))

(defun failure-object (evaluation condition)
  (forget-needless-warnings evaluation condition)
  (handler-case
      (let* ((reading (string= (evaluation-phase evaluation) "reader"))
             (frames (frame-texts (noted-frames evaluation) condition (and (not reading) (list (evaluation-form evaluation))))))
        (condition-object condition
                          (if (and reading (null frames)) '("(READ)") frames)
                          (evaluation-phase evaluation)
                          (if reading (reader-offset evaluation) (evaluation-offset evaluation))))
    (serious-condition ()
      (report-object (symbol-name (type-of-condition condition)) "(The condition could not be shown.)" '()
                     (evaluation-phase evaluation) (evaluation-offset evaluation)))))

(defvar *describes-interruption* nil "True while the frames of an interruption are printed. Another interruption ends the printing.")

(defconstant +interruption-seconds+ 1 "The maximum time, in seconds, to print the frames of an interruption.")

(defun interruption-object (evaluation)
  "Return a report with the frames at which EVALUATION, an agent's, was interrupted. Return NIL if the report is not wanted or cannot be
created. Call this in the evaluation's thread."
  (let ((report nil))
    (unless (or *exhausted* *describes-interruption* (evaluation-given-up evaluation)
                (not (field (evaluation-request evaluation) "guard")))
      (let ((*describes-interruption* t))
        (with-engine-variables
          (call-without-debugger
           (lambda ()
             (handler-case
                 (with-deadline (+interruption-seconds+)
                   (with-interrupts
                     (setf report (report-object "SB-SYS:INTERACTIVE-INTERRUPT" "The evaluation was interrupted."
                                                 (frame-texts (noted-frames evaluation) nil (list (evaluation-form evaluation)))
                                                 "evaluation" (evaluation-offset evaluation)))))
               (serious-condition () nil)))))))
    report))

(defun noted-frames (evaluation)
  "Return the frames that are now on the stack. Store their code locations, in case the last error is requested later."
  (multiple-value-bind (frames locations) (raw-frames)
    (setf (evaluation-failed-locations evaluation)
          (located-frames frames locations))
    frames))

(defun reader-offset (evaluation)
  (or (ignore-errors (wire-offset evaluation (file-position (evaluation-reader evaluation))))
      (evaluation-offset evaluation)))

(defun forget-needless-warnings (evaluation condition)
  "Drop the warning about an undefined function if CONDITION reports that a call of that function failed, because the error contains the
same information (decision 9)."
  (when (typep condition 'undefined-function)
    (let ((name (cell-error-name condition)))
      (setf (evaluation-warnings evaluation)
            (remove name (evaluation-warnings evaluation) :key #'warning-note-undefined :test #'equal)))))

(defun thread-label ()
  (let ((name (sb-thread:thread-name sb-thread:*current-thread*)))
    (if (stringp name) name "unnamed thread")))

(defun report-thread-failure (evaluation condition)
  "Report that the unhandled CONDITION ends this thread, which EVALUATION's code created. CONDITION becomes the last error of the context."
  (finish-sink (evaluation-sink evaluation) #'send-now)
  (multiple-value-bind (frames locations) (raw-frames)
    (send-thread-failure evaluation
                         (handler-case (condition-object condition (frame-texts frames condition nil) "evaluation" nil)
                           (serious-condition ()
                             (report-object "ERROR" "(The condition could not be shown.)" '() "evaluation" nil)))
                         (called-functions frames)
                         (located-frames frames locations))))

(defun send-thread-failure (evaluation failure functions locations)
  (let ((context (find-context (evaluation-context evaluation))))
    (when context
      (note-last-error context failure functions locations (field (evaluation-request evaluation) "code"))))
  (send-event "thread-failed"
              "evaluation" (evaluation-id evaluation)
              "thread" (thread-label)
              "condition" failure))

(defun leave-engine-thread (condition)
  "After an error, leave the code that runs in a thread without an evaluation, such as a timer, a finalizer or the engine itself. The
control thread continues with the next frame; other threads end."
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
