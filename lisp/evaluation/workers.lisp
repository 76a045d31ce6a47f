;;;; Who evaluates. Workers are threads; the one that holds the baton evaluates, the others wait. A worker that has to wait
;;;; for somebody outside (WITH-PARKED-WORKER) gives the baton away, and a fresh worker takes the queue meanwhile; when the
;;;; wait is over it gets the baton back before the next evaluation begins.

(in-package #:lisp-workbench/evaluation)

(sb-ext:defglobal *lane-lock* (sb-thread:make-mutex :name "lisp-workbench workers"))
(sb-ext:defglobal *lane-changed* (sb-thread:make-waitqueue :name "lisp-workbench workers"))
(sb-ext:defglobal *jobs* '())           ; evaluations that wait for their turn, oldest first
(sb-ext:defglobal *holder* nil)         ; the thread with the baton
(sb-ext:defglobal *running* nil)        ; its evaluation
(sb-ext:defglobal *resuming* 0)         ; parked workers that want the baton back
(sb-ext:defglobal *idle* 0)             ; workers that wait for a job
(sb-ext:defglobal *sleepers* 0)         ; threads that wait for *LANE-CHANGED*
(sb-ext:defglobal *workers* '())        ; their threads, parked ones too
(sb-ext:defglobal *parked* '())         ; evaluations whose worker waits for somebody outside
(sb-ext:defglobal *lane-stopping* nil)  ; workers are to end

(defconstant +look-again-seconds+ 0.1 "Nobody tells that the one with the baton has begun to wait for a lock.")
(defconstant +most-locks+ 20)

(defvar *before-job* (constantly nil) "Called with the evaluation before it runs.")
(defvar *after-job* (constantly nil) "Called with the evaluation after its reply, by the worker with the baton. True when there is more to do once the worker is idle.")
(defvar *idle-work* (constantly nil) "Called by a worker that found nothing to do for a moment after such a job.")

(defvar *lane-given* (constantly nil) "Called when an evaluation is about to be queued that a worker will take at once.")
(defvar *job-reader* (constantly nil)
  "Called by a worker without work; see READ-JOB in control/reading.lisp. NIL sends it to the queue.")

(defun wake-sleepers ()
  "Call with the lock. Nobody sleeps while a worker reads by itself; that spares a system call."
  (when (plusp *sleepers*) (sb-thread:condition-broadcast *lane-changed*)))

(defun sleep-until-change (timeout)
  "Call with the lock, which is held again in the end. False when nothing changed for TIMEOUT seconds."
  (incf *sleepers*)
  (unwind-protect (sb-thread:condition-wait *lane-changed* *lane-lock* :timeout timeout)
    (unless (sb-thread:holding-mutex-p *lane-lock*) (sb-thread:grab-mutex *lane-lock*))
    (decf *sleepers*)))

(defun running-evaluation ()
  *running*)

(defun enqueue-evaluation (evaluation)
  "Called by the control thread. What the same context left in the debugger after its reply is given up."
  (give-up-held (evaluation-context evaluation))
  (setf (gethash (evaluation-id evaluation) *evaluations*) evaluation)
  (sb-thread:with-mutex (*lane-lock*)
    ;; With the lock: a worker that begins to read by this finds the evaluation before it waits for the next frame.
    (when (lane-free-p) (funcall *lane-given*))
    (setf *jobs* (nconc *jobs* (list evaluation)))
    (wake-sleepers)))

(defun give-up-held (context)
  "Unwind what CONTEXT left in the debugger after its reply, from all levels of the debugger."
  (dolist (evaluation (held-evaluations context))
    (setf (evaluation-given-up evaluation) t)
    (interrupt-evaluation evaluation)))

(defun held-evaluations (context)
  "Those of CONTEXT that were answered and wait all the same, or are about to."
  (sb-ext:with-locked-hash-table (*evaluations*)
    (loop for evaluation being the hash-values of *evaluations*
          when (and (evaluation-answered evaluation) (equal context (evaluation-context evaluation)))
            collect evaluation)))

(defun start-worker ()
  "A thread of no evaluation. Without interrupts: one for the evaluation that this thread works on would not find it."
  (without-interrupts
    (let ((*evaluation* nil))
      (sb-ext:atomic-push (sb-thread:make-thread #'work-until-stopped :name "lisp-workbench worker")
                          (symbol-value '*workers*)))))

(defun stop-workers ()
  "Ask the workers, which are idle, to end, and return them."
  (sb-thread:with-mutex (*lane-lock*)
    (setf *lane-stopping* t)
    (wake-sleepers)
    *workers*))

(defun worker-p (thread)
  (member thread *workers*))

(defun forget-workers ()
  "Called in a copy that becomes a file: nobody works there."
  (setf *lane-stopping* nil *workers* '() *parked* '() *jobs* '() *holder* nil *running* nil
        *idle* 0 *sleepers* 0 *resuming* 0))

(defun resume-workers ()
  (setf *lane-stopping* nil)
  (ensure-idle-worker))

(defvar *outer-restarts* 0 "How many restarts of SBCL's own are established around this thread's work.")

(defun work-until-stopped ()
  (let ((idle-work nil) (*guard* nil) (*outer-restarts* (length (compute-restarts))))
    (unwind-protect
         (loop
           (let ((evaluation (or (read-job idle-work) (take-job idle-work))))
             (case evaluation
               (:surplus (return))
               (:nothing
                (setf idle-work nil)
                (funcall *idle-work*))
               (t (unwind-protect
                       (progn (funcall *before-job* evaluation)
                              (run-evaluation evaluation)
                              (setf idle-work (funcall *after-job* evaluation)))
                    (release-baton))))))
      (sb-ext:atomic-update (symbol-value '*workers*)
                            (lambda (workers) (remove sb-thread:*current-thread* workers)))
      (unless (or *exit-code* *lane-stopping*) (ensure-idle-worker)))))

(defun read-job (soon)
  (let ((taken nil))
    (unwind-protect
         (progn
           (setf taken (sb-thread:with-mutex (*lane-lock*)
                         (when (zerop *idle*) (incf *idle*))))
           (and taken (funcall *job-reader* soon)))
      (when taken
        (sb-thread:with-mutex (*lane-lock*) (decf *idle*))))))

(defun lane-free-p ()
  "Whether a worker stands ready and would run at once what is queued now. Call with the lock."
  (and (null *jobs*) (null *holder*) (zerop *resuming*) (plusp *idle*)))

(defun claim-job ()
  "The next evaluation, with the baton; NIL when none waits, :BUSY when somebody else has the baton."
  (sb-thread:with-mutex (*lane-lock*)
    (cond ((null *jobs*) nil)
          ((or *holder* (plusp *resuming*)) :busy)
          (t (setf *holder* sb-thread:*current-thread*
                   *running* (pop *jobs*))))))

(defun take-job (soon)
  "Wait for a job and the baton. When SOON, return :NOTHING after a moment without one; :SURPLUS when others wait already."
  (sb-thread:with-mutex (*lane-lock*)
    (when (plusp *idle*) (return-from take-job :surplus))
    (incf *idle*)
    (unwind-protect
         (loop
           (when *lane-stopping* (return :surplus))
           (when (and *jobs* (null *holder*) (zerop *resuming*))
             (return (setf *holder* sb-thread:*current-thread*
                           *running* (pop *jobs*))))
           (unless (sleep-until-change (if soon 0.003 nil))
             (when (and soon (null *jobs*)) (return :nothing))))
      (decf *idle*))))

(defun release-baton ()
  (without-interrupts
    (sb-thread:with-mutex (*lane-lock*)
      (when (eq *holder* sb-thread:*current-thread*)
        (setf *holder* nil
              *running* nil)
        (wake-sleepers)))))

(defun ensure-idle-worker ()
  "See to it that somebody takes the queue."
  (when (zerop *idle*) (start-worker)))

(defun call-parked (function)
  "Call FUNCTION, which waits for somebody outside, without the baton. When the evaluation is unwound meanwhile, its clean-up
forms run without the baton too: they must not wait for another evaluation's end."
  (if (not (eq *holder* sb-thread:*current-thread*))
      (funcall function)
      (let ((evaluation *running*))
        (unwind-protect
             (progn
               ;; Without interrupts: one that enters the debugger here would leave the queue with nobody to take it.
               (without-interrupts
                 (sb-ext:atomic-push evaluation (symbol-value '*parked*))
                 (release-baton)
                 (ensure-idle-worker))
               (multiple-value-prog1 (funcall function)
                 (take-baton-back evaluation)))
          (sb-ext:atomic-update (symbol-value '*parked*) (lambda (parked) (remove evaluation parked :count 1)))))))

(defmacro with-parked-worker (() &body body)
  "Set this worker aside with its dynamic state while BODY waits."
  `(call-parked (lambda () ,@body)))

(defun take-baton-back (evaluation)
  "Not when the one who has it waits for a lock of this thread: then both would wait for ever. This one goes on beside it."
  (sb-thread:with-mutex (*lane-lock*)
    (incf *resuming*)
    (unwind-protect
         (loop while *holder*
               do (when (waits-for-me-p *holder*) (return))
                  (sleep-until-change +look-again-seconds+)
               finally (setf *holder* sb-thread:*current-thread*
                             *running* evaluation))
      (decf *resuming*))))

(defun waits-for-me-p (thread)
  "Whether THREAD waits for a lock that this thread holds, or for one whose holder waits for such a lock."
  (loop repeat +most-locks+
        for lock = (and (not (lacking "which lock a thread waits for")) (thread-waiting-for thread))
        while (typep lock 'sb-thread:mutex)
        do (setf thread (sb-thread:mutex-owner lock))
           (cond ((eq thread sb-thread:*current-thread*) (return t))
                 ((not (typep thread 'sb-thread:thread)) (return nil)))))

(defun parked-evaluations ()
  *parked*)

(defun await-rest (seconds)
  "Wait until nothing runs and nothing is queued; false when that takes longer than SECONDS."
  (sb-thread:with-mutex (*lane-lock*)
    (loop while (or *holder* *jobs* (plusp *resuming*))
          do (unless (sleep-until-change seconds) (return nil))
          finally (return t))))

;;; Ending it from outside. The functions that are sent to the thread look again whether it still works on the evaluation.

(defun interrupt-evaluation (evaluation)
  "Unwind EVALUATION; its reply tells so. One that waits for its turn is answered at once."
  (unless (withdraw evaluation)
    (setf (evaluation-interrupted evaluation) t)
    (throw-in-evaluation evaluation '(:interrupted))))

(defun terminate-evaluation (evaluation)
  "End the thread of EVALUATION."
  (unless (withdraw evaluation)
    (setf (evaluation-interrupted evaluation) t)
    (call-in-evaluation evaluation #'sb-thread:abort-thread)))

(defun withdraw (evaluation)
  (when (sb-thread:with-mutex (*lane-lock*)
          (when (member evaluation *jobs*)
            (setf *jobs* (remove evaluation *jobs*))
            t))
    (remhash (evaluation-id evaluation) *evaluations*)
    (start-timing evaluation)
    (answer-evaluation evaluation (funcall (evaluation-fallback evaluation) evaluation "interrupted" nil) nil)
    t))

(defun throw-in-evaluation (evaluation outcome)
  (call-in-evaluation evaluation (lambda () (throw (evaluation-tag evaluation) outcome))))

(defun call-in-evaluation (evaluation function)
  "Call FUNCTION in the thread of EVALUATION while its code runs. Before that, CALL-WITH-OUTCOME looks at INTERRUPTED."
  (let ((thread (evaluation-thread evaluation)))
    (when (and thread (sb-thread:thread-alive-p thread))
      (handler-case
          (sb-thread:interrupt-thread thread
                                      (lambda ()
                                        (when (and (eq *evaluation* evaluation)
                                                   (eq (evaluation-state evaluation) :running))
                                          (funcall function))))
        (sb-thread:interrupt-thread-error () nil)))))
