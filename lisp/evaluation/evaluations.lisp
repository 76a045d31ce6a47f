;;;; An evaluation: one request on the worker's lane, from its arrival to its reply, of which there is exactly one.

(in-package #:lisp-workbench/evaluation)

(defstruct evaluation
  "A request on the worker's lane, from its arrival to its reply. STATE: :QUEUED, :STARTING,
:RUNNING while it can be thrown to its tag, :ENDING, :DONE."
  id request-id actor context request
  (state :queued)
  thread
  (tag (list nil))                      ; where interrupts and errors are thrown to
  work                                  ; function of the evaluation that returns the reply
  fallback                              ; function of evaluation, status and condition that makes a reply without WORK's help
  sink
  partial-result                        ; function of status and condition: what a run tells that did not end well
  interrupted                           ; somebody wants it to end
  given-up                              ; the same, from all levels of the debugger
  (warnings '())
  (forms '())
  form                                  ; under way
  (phase "evaluation") reader
  (position nil) (offset nil)           ; start of that form: in characters, and as the wire has it
  (started 0) (run-time 0) (gc-time 0) (consed 0)
  (answered nil)                        ; its reply went out, though its code waits in the debugger
  (input :none)                         ; :NONE, :WANTED, or the answer as a list
  (effects '()) (effect-count 0))       ; what it did outside the image, see effect-history.lisp

(defvar *evaluation* nil "What this thread works for; threads made by evaluated code inherit it.")

(sb-ext:defglobal *exit-code* nil)      ; set when the image is about to end
(sb-ext:defglobal *evaluations* (make-hash-table :test #'equal :synchronized t)) ; id → evaluation, until its reply

(defvar *before-reply* '() "Functions of the evaluation, called when it has ended; they must not wait.")

(defun find-evaluation (id)
  (gethash id *evaluations*))

(defun evaluation-defines-p (evaluation)
  "Whether a form of EVALUATION surely defined something."
  (some (lambda (form) (field form "defines")) (evaluation-forms evaluation)))

(defun run-evaluation (evaluation)
  "Run EVALUATION and send exactly one reply, whatever happens."
  (let ((*evaluation* evaluation)
        (*guard* (field (evaluation-request evaluation) "guard"))
        (reply nil))
    (unwind-protect
         (progn
           (setf (evaluation-state evaluation) :starting
                 (evaluation-thread evaluation) sb-thread:*current-thread*)
           (keep-clock-awake)
           (hold-event "started" "evaluation" (evaluation-id evaluation))
           (start-timing evaluation)
           (setf reply (funcall (evaluation-work evaluation) evaluation)))
      (without-interrupts
        (setf (evaluation-state evaluation) :done)
        (unless reply (setf reply (reply-without-work evaluation)))
        (finish-sink (evaluation-sink evaluation) #'send-now)
        (dolist (function *before-reply*) (funcall function evaluation))
        (remhash (evaluation-id evaluation) *evaluations*)
        (answer-evaluation evaluation reply nil)
        (when *exit-code* (drain-writer 1))))))

(defun answer-evaluation (evaluation reply debugger)
  "Send the reply; where it went out already, because the code was held in the debugger, an event tells how it went on."
  (cond ((evaluation-answered evaluation)
         (send-event "evaluation-continued" "evaluation" (evaluation-id evaluation) "status" (field reply "status")
                                            "values" (or (field reply "values") (array-of '()))
                                            "condition" (field reply "condition")))
        (t (setf (evaluation-answered evaluation) (not (null debugger)))
           (reply-ok (evaluation-request-id evaluation) (list* :object "debugger" debugger (rest reply))))))

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

(defun microseconds ()
  (multiple-value-bind (seconds microseconds) (sb-ext:get-time-of-day)
    (+ (* 1000000 seconds) microseconds)))

(defun report-timing (evaluation)
  (flet ((milliseconds (before now)
           (/ (* 1000 (max 0 (- now before))) internal-time-units-per-second)))
    (object "realMs" (/ (max 0 (- (microseconds) (evaluation-started evaluation))) 1000)
            "runMs" (milliseconds (evaluation-run-time evaluation) (get-internal-run-time))
            "gcMs" (milliseconds (evaluation-gc-time evaluation) sb-ext:*gc-run-time*)
            "bytesConsed" (max 0 (- (sb-ext:get-bytes-consed) (evaluation-consed evaluation))))))
