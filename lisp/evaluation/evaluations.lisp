;;;; An evaluation: one request on the worker's lane, from its arrival to its single reply.

(in-package #:lisp-workbench/evaluation)

(defstruct evaluation
  "A request on the worker's lane, from its arrival to its reply. STATE: :QUEUED, :STARTING,
:RUNNING while it can be thrown to its tag, :ENDING, :DONE."
  id request-id actor context request
  (state :queued)
  thread
  (tag (list nil))                      ; the catch tag to which interrupts and errors throw
  work                                  ; function of the evaluation that computes the reply
  fallback                              ; function of evaluation, status and condition that makes a reply if WORK did not
  sink
  partial-result                        ; function of status and condition that returns the result of a failed run
  interrupted                           ; true if its end was requested
  given-up                              ; true if it must end from all levels of the debugger
  (warnings '())
  (forms '())
  form                                  ; the running form
  (phase "evaluation") reader
  (position nil) (offset nil)           ; start of that form: in characters, and in the units of the wire
  (started 0) (run-time 0) (gc-time 0) (consed 0)
  (failed-functions '())                ; names of the functions on the stack when it failed
  (failed-locations '())                ; (name . code location) of the frames in the reply
  (abort-chosen nil)                    ; true if the debugging actor chose to abort the running code
  (stopped-at nil)                      ; the condition of the debugger that it last entered; NIL for a break, an interrupt or a step
  (restorers '())                       ; functions to call when it has ended
  (steps-out '())                       ; (thread . address): the caller's frame in which a step out of THREAD must stop
  (answered nil)                        ; true if its reply was sent while its code waits in the debugger
  (input :none)                         ; :NONE, :WANTED, or the answer as a list
  (effects '()) (effect-count 0)        ; effects outside the image, see effect-history.lisp
  (outside nil)                         ; true if it called any operator of the guard's table
  (beside nil))                         ; true once another evaluation has run at the same time

(sb-ext:defglobal *exit-code* nil)      ; set when the image is about to end
(sb-ext:defglobal *evaluations* (make-hash-table :test #'equal :synchronized t)) ; id → evaluation, until its reply

(sb-ext:defglobal *may-have-opened* t)  ; true if code that could open a descriptor has run since *DESCRIPTORS-HELD-P* was last called

(defun note-reaching-outside ()
  "Note that guarded code has called an operator of the guard's table."
  (setf *may-have-opened* t)
  (when *evaluation* (setf (evaluation-outside *evaluation*) t)))

(defvar *before-reply* '() "Functions of an evaluation, called when it has ended. They must not wait.")

(defun find-evaluation (id)
  (gethash id *evaluations*))

(defun evaluation-defines-p (evaluation)
  "Return true if a form of EVALUATION certainly defined something."
  (some (lambda (form) (field form "defines")) (evaluation-forms evaluation)))

(defvar *before-running* '() "Functions of an evaluation, called before it begins.")

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
              (unless *guard* (setf *may-have-opened* t)) ; without the guard, calls that reach outside are not noted
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
             (tell-put-back evaluation (put-back-essentials)) ; the thread may have ended because one of these functions was missing
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
  "Send REPLY. If the evaluation was already answered because its code was held in the debugger, send an event with the outcome instead."
  (cond ((evaluation-answered evaluation)
         (send-event "evaluation-continued" "evaluation" (evaluation-id evaluation) "status" (field reply "status")
                                            "values" (or (field reply "values") (array-of '()))
                                            "condition" (field reply "condition")))
        (t (setf (evaluation-answered evaluation) (not (null debugger)))
           (reply-ok (evaluation-request-id evaluation) (list* :object "debugger" debugger
                     "outputUnread" (json-boolean (process-output-unread-p))
                     ;; Counted here, because the last output is sent after the reply is made.
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
  "CLOCK_MONOTONIC of the system's time.h. SBCL's GET-INTERNAL-REAL-TIME may be as coarse as four milliseconds.")

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
