;;;; An evaluation: one request to the worker, from its arrival to its single reply.

(in-package #:lisp-workbench/evaluation)

(defstruct evaluation
  "A request to the worker, from its arrival to its reply. STATE is :QUEUED, :STARTING, :RUNNING while a throw to its tag is possible,
:ENDING or :DONE."
  id request-id actor context request
  (state :queued)
  thread
  (tag (list nil))                      ; the catch tag to which interrupts and errors throw
  work                                  ; a function that takes the evaluation and computes the reply
  fallback                              ; a function of evaluation, status and condition; it creates a reply if WORK did not return one
  sink
  partial-result                        ; a function of status and condition; it returns the partial result of a failed run
  interrupted                           ; true if the end of the evaluation was requested
  given-up                              ; true if the evaluation must be ended from all levels of the debugger
  (warnings '())
  (forms '())
  form                                  ; the running form
  (phase "evaluation") reader
  (position nil) (offset nil)           ; the start of the running form: in characters, and in wire units
  (started 0) (run-time 0) (gc-time 0) (consed 0)
  (failed-functions '())                ; names of the functions that were on the stack when the evaluation failed
  (failed-locations '())                ; (name . code location) of the frames in the reply
  (abort-chosen nil)                    ; true if the actor that debugs the code chose to abort it
  (stopped-at nil)                      ; the condition of the debugger that the evaluation last entered; NIL for a break, an interrupt or a
                                        ; step
  (restorers '())                       ; functions to call when the evaluation has ended
  (steps-out '())                       ; (thread . address): the caller's frame in which a "step out" of THREAD must stop
  (answered nil)                        ; true if the reply was sent although the code is still waiting in the debugger
  (input :none)                         ; :NONE, :WANTED, or the answer as a list
  (effects '()) (effect-count 0)        ; effects outside the image, see effect-history.lisp
  (outside nil)                         ; true if the evaluation called any operator of the guard's table
  (beside nil))                         ; true once another evaluation has run at the same time

(sb-ext:defglobal *exit-code* nil)      ; the exit code, set when the image is about to end
(sb-ext:defglobal *evaluations* (make-hash-table :test #'equal :synchronized t)) ; id → evaluation, until its reply

(sb-ext:defglobal *may-have-opened* t)  ; true if code that could open a descriptor has run since *DESCRIPTORS-HELD-P* was last called

(defun note-reaching-outside ()
  "Record that guarded code has called an operator of the guard's table."
  (setf *may-have-opened* t)
  (when *evaluation* (setf (evaluation-outside *evaluation*) t)))

(defvar *before-reply* '() "Functions that are called with an evaluation when it has ended. They must not block.")

(defun find-evaluation (id)
  (gethash id *evaluations*))

(defun evaluation-defines-p (evaluation)
  "Return true if at least one form of EVALUATION is known to have defined something."
  (some (lambda (form) (field form "defines")) (evaluation-forms evaluation)))

(defvar *before-running* '() "Functions that are called with an evaluation before it begins.")

(defun run-evaluation (evaluation)
  "Run EVALUATION and send exactly one reply in all cases."
  (dolist (function *before-running*) (funcall function evaluation))
  (let* ((*evaluation* evaluation)
         (*guard* (field (evaluation-request evaluation) "guard"))
         (*lends* (not *guard*))
         (*persons-code* (not *guard*))
         (*author* nil)
         (context (and *guard* (ensure-context (evaluation-context evaluation))))
         (defaults (and context (defaults-of context)))
         (reply nil))
    (enter-float-modes context)
    (call-with-defaults
     defaults
     (lambda ()
       (unwind-protect
            (progn
              (setf (evaluation-state evaluation) :starting
                    (evaluation-thread evaluation) sb-thread:*current-thread*)
              (keep-clock-awake)
              (unless *guard* (setf *may-have-opened* t)) ; in unguarded code, calls of operators that open descriptors are not recorded
              (note-change evaluation)
              (start-timing evaluation)
              (setf reply (funcall (evaluation-work evaluation) evaluation)))
         (without-interrupts
           (put-guard-back)
           (note-change evaluation)
           (keep-float-modes context)
           (when context (sound (keep-defaults context defaults)))
           (setf (evaluation-state evaluation) :done)
           (unless reply
             (tell-put-back evaluation (put-back-essentials)) ; the thread may have ended because an essential function was redefined
             (setf reply (reply-without-work evaluation)))
           (mapc #'funcall (evaluation-restorers evaluation))
           (finish-sink (evaluation-sink evaluation) #'send-now)
           (flush-process-output)
           (dolist (function *before-reply*) (funcall function evaluation))
           (end-beside evaluation)
           (remhash (evaluation-id evaluation) *evaluations*)
           (answer-evaluation evaluation reply nil)
           (when *exit-code* (drain-writer 1))))))))

(defun answer-evaluation (evaluation reply debugger)
  "Send REPLY. If the evaluation was already answered while its code was held in the debugger, send an event with the outcome instead."
  (cond ((evaluation-answered evaluation)
         (send-event "evaluation-continued" "evaluation" (evaluation-id evaluation) "status" (field reply "status")
                                            "values" (or (field reply "values") (array-of '()))
                                            "condition" (field reply "condition")))
        (t (setf (evaluation-answered evaluation) (not (null debugger)))
           (reply-ok (evaluation-request-id evaluation) (list* :object "debugger" debugger
                     "outputUnread" (json-boolean (process-output-unread-p))
                     ;; This number is added here, because the last output is sent after the reply has been created.
                     "outputCut" (sink-cut (evaluation-sink evaluation))
                     "outputTails" (take-tails (evaluation-sink evaluation))
                     (rest reply))))))

(defun reply-without-work (evaluation)
  (multiple-value-bind (status type message)
      (cond (*exit-code*
             (values "lost" "EXIT" (format nil "The code ended the image with exit code ~D." *exit-code*)))
            ((evaluation-interrupted evaluation)
             (values "interrupted" "THREAD-ENDED" "The evaluation was ended with its thread."))
            (t (values "lost" "THREAD-ENDED" "The code ended the thread that evaluated it.")))
    (funcall (evaluation-fallback evaluation) evaluation status
             (report-object type message '() "evaluation" (evaluation-offset evaluation)))))

(defun start-timing (evaluation)
  (setf (evaluation-started evaluation) (microseconds)
        (evaluation-run-time evaluation) (get-internal-run-time)
        (evaluation-gc-time evaluation) sb-ext:*gc-run-time*
        (evaluation-consed evaluation) (sb-ext:get-bytes-consed)))

(defconstant +monotonic-clock+ #+linux 1 #+darwin 6 #-(or linux darwin) 4
  "CLOCK_MONOTONIC of the system's time.h. It is used because SBCL's GET-INTERNAL-REAL-TIME may have a resolution as coarse as four
milliseconds.")

(defun microseconds ()
  "Return the monotonic time in microseconds from an arbitrary origin, unaffected by changes of the system clock."
  (multiple-value-bind (seconds nanoseconds) (clock-gettime +monotonic-clock+)
    (+ (* 1000000 seconds) (floor nanoseconds 1000))))

(defun report-timing (evaluation)
  (flet ((milliseconds (before now)
           (/ (* 1000 (max 0 (- now before))) internal-time-units-per-second)))
    (object "realMs" (/ (max 0 (- (microseconds) (evaluation-started evaluation))) 1000)
            "runMs" (milliseconds (evaluation-run-time evaluation) (get-internal-run-time))
            "gcMs" (milliseconds (evaluation-gc-time evaluation) sb-ext:*gc-run-time*)
            "bytesConsed" (max 0 (- (sb-ext:get-bytes-consed) (evaluation-consed evaluation))))))
