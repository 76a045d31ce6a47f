;;;; The threads that evaluate, called workers. The worker that has the baton (the right to run) evaluates; the others wait. A worker that
;;;; must wait for an event outside (WITH-PARKED-WORKER) gives up the baton, and a fresh worker serves the queue in the meantime. When the
;;;; wait is over, the first worker gets the baton back before the next evaluation begins. The person's evaluation may overtake an agent's.
;;;; The agent's evaluation then runs to its end without the baton, at the same time as the evaluations that have the baton.

(in-package #:lisp-workbench/evaluation)

(sb-ext:defglobal *lane-lock* (sb-thread:make-mutex :name "lisp-workbench workers"))
(sb-ext:defglobal *lane-changed* (sb-thread:make-waitqueue :name "lisp-workbench workers"))
(sb-ext:defglobal *jobs* '())           ; evaluations that are waiting for their turn, oldest first
(sb-ext:defglobal *holder* nil)         ; the thread with the baton
(sb-ext:defglobal *running* nil)        ; the evaluation of *HOLDER*
(sb-ext:defglobal *resuming* 0)         ; parked workers that want the baton back
(sb-ext:defglobal *idle* 0)             ; workers that are waiting for a job
(sb-ext:defglobal *sleepers* 0)         ; threads that are waiting for *LANE-CHANGED*
(sb-ext:defglobal *workers* '())        ; threads of all workers, including parked ones
(sb-ext:defglobal *parked* '())         ; evaluations whose workers are waiting for an event outside
(sb-ext:defglobal *overtaken* '())      ; evaluations that were overtaken and continue without the baton
(sb-ext:defglobal *lane-stopping* nil)  ; true if all workers must end

(defconstant +look-again-seconds+ 0.1 "The interval, in seconds, at which a worker checks whether the baton's holder is waiting for a lock.
Polling is necessary because no signal announces this.")
(defconstant +most-locks+ 20)

(defvar *before-job* (constantly nil) "A function that is called with the evaluation before it runs.")
(defvar *after-job* (constantly nil)
  "A function that is called with the evaluation after its reply, by the worker with the baton. It returns true if *IDLE-WORK* has more to
do.")
(defvar *idle-work* (constantly nil)
  "A function that a worker calls when it is idle for a moment after a job for which *AFTER-JOB* returned true. The worker calls it again
until it returns false.")

(defvar *lane-given* (constantly nil) "A function that is called just before an evaluation is queued if a worker will take the evaluation at
once.")
(defvar *job-reader* (constantly nil)
  "A function that a worker without work calls; see READ-JOB in control/reading.lisp. If the function returns NIL, the worker waits at the
queue.")

(defun wake-sleepers ()
  "Wake the threads that are waiting for a change of the lane. The caller must hold the lock. If no thread is waiting, as while a worker
itself reads frames, omit the system call."
  (when (plusp *sleepers*) (sb-thread:condition-broadcast *lane-changed*)))

(defmacro counting-up ((place) protected &body cleanup)
  "Increment PLACE, evaluate PROTECTED, run CLEANUP and decrement PLACE. Return the values of PROTECTED. Only PROTECTED can be interrupted."
  `(without-interrupts
     (incf ,place)
     (unwind-protect (with-local-interrupts ,protected)
       ,@cleanup
       (decf ,place))))

(defun sleep-until-change (timeout)
  "Wait for a change of the lane. Return false if nothing changed for TIMEOUT seconds. The caller must hold the lock, which is released
during the wait."
  (counting-up (*sleepers*)
    (sb-thread:condition-wait *lane-changed* *lane-lock* :timeout timeout)
    (unless (sb-thread:holding-mutex-p *lane-lock*) (sb-thread:grab-mutex *lane-lock*))))

(defun running-evaluations ()
  "Return the running evaluations: the overtaken ones, then the one with the baton."
  (append *overtaken* (and *running* (list *running*))))

(defun overtaken-evaluations ()
  *overtaken*)

(defun enqueue-evaluation (evaluation)
  "Queue EVALUATION. Evaluations that may overtake others go before all evaluations that may not. Called by the control thread."
  (setf (gethash (evaluation-id evaluation) *evaluations*) evaluation)
  (sb-thread:with-mutex (*lane-lock*)
    (when (overtakes-p evaluation) (let-overtake))
    ;; Called while the lock is held, so that a worker that starts reading now finds the evaluation before it waits for the next frame.
    (when (lane-free-p) (funcall *lane-given*))
    (setf *jobs* (if (overtakes-p evaluation)
                     (append (remove-if-not #'overtakes-p *jobs*) (list evaluation) (remove-if #'overtakes-p *jobs*))
                     (append *jobs* (list evaluation))))
    (wake-sleepers)))

(defun overtakes-p (evaluation)
  (field (evaluation-request evaluation) "overtakes"))

(defun let-overtake ()
  "Take the baton from an agent's running evaluation, which continues without it. The caller must hold the lock."
  (let ((evaluation *running*))
    (when (and evaluation (field (evaluation-request evaluation) "guard") (eq (evaluation-state evaluation) :running))
      (without-interrupts
        (setf (evaluation-beside evaluation) t)
        (push evaluation *overtaken*)
        (setf *holder* nil
              *running* nil)
        (ensure-idle-worker)
        (wake-sleepers)))))

(defun let-first-job-overtake ()
  "Let the first job overtake this thread's evaluation if the job is allowed to. Call this when the evaluation's code has begun or
continues."
  (when *jobs*
    (sb-thread:with-mutex (*lane-lock*)
      (when (and *jobs* (overtakes-p (first *jobs*)) (eq *holder* sb-thread:*current-thread*)) (let-overtake)))))

(defun give-baton (thread evaluation)
  "Give the baton to THREAD for EVALUATION. The caller must hold the lock."
  (when *overtaken* (setf (evaluation-beside evaluation) t))
  (setf *holder* thread
        *running* evaluation))

(defun evaluation-of-worker ()
  "Return the evaluation whose code this thread runs, whether it has the baton or was overtaken; NIL in other threads."
  ;; Hold the lock, because another thread may take the baton between the two checks.
  (sb-thread:with-mutex (*lane-lock*)
    (if (eq *holder* sb-thread:*current-thread*)
        *running*
        (find sb-thread:*current-thread* *overtaken* :key #'evaluation-thread))))

(defun end-beside (evaluation)
  "Record that the code of EVALUATION, which may have been overtaken, no longer runs."
  (when (evaluation-beside evaluation)
    (sb-thread:with-mutex (*lane-lock*)
      (setf *overtaken* (remove evaluation *overtaken*)))))

(defun give-up-held (context)
  "Unwind the evaluations of CONTEXT that are still waiting in the debugger after their reply was sent. Leave all levels of the debugger."
  (mapc #'give-up (held-evaluations context)))

(defun give-up (evaluation)
  "Unwind EVALUATION and leave all levels of the debugger. Do nothing if EVALUATION is already unwinding, because another interrupt would
cut its cleanup forms short."
  (setf (evaluation-given-up evaluation) t)
  (unless (evaluation-interrupted evaluation) (interrupt-evaluation evaluation)))

(defconstant +given-up-seconds+ 1 "The maximum time, in seconds, to wait for evaluations that are being unwound. The limit is necessary
because a cleanup form may never end.")

(defun await-given-up (context)
  "Wait, at most +GIVEN-UP-SECONDS+, until the evaluations of CONTEXT that GIVE-UP was called for have been unwound, so that their cleanup
forms run before the next evaluation of CONTEXT."
  (loop with end = (+ (get-internal-real-time) (* +given-up-seconds+ internal-time-units-per-second))
        while (and (some #'evaluation-given-up (held-evaluations context)) (< (get-internal-real-time) end))
        do (sleep 1/500)))

(defun held-evaluations (context)
  "Return the evaluations of CONTEXT whose reply was sent but whose code is waiting in the debugger, or is about to."
  (sb-ext:with-locked-hash-table (*evaluations*)
    (loop for evaluation being the hash-values of *evaluations*
          when (and (evaluation-answered evaluation) (equal context (evaluation-context evaluation)))
            collect evaluation)))

(defun start-worker ()
  "Start a worker, a thread without an evaluation and without inherited defaults. Interrupts are disabled while the thread is created: the
creating thread has no evaluation during that time, so an interrupt for its evaluation would find none."
  (without-interrupts
    (let ((*evaluation* nil) (*guard* nil) (*lends* t))
      (sb-ext:atomic-push (sb-thread:make-thread #'work-until-stopped :name "lisp-workbench worker")
                          (symbol-value '*workers*)))))

(defun stop-workers ()
  "Request that the workers, which must be idle, end, and return their threads."
  (sb-thread:with-mutex (*lane-lock*)
    (setf *lane-stopping* t)
    (wake-sleepers)
    *workers*))

(defun worker-p (thread)
  (member thread *workers*))

(defun forget-workers ()
  "Forget all workers. Called in a forked process that becomes a saved image, because no worker runs there."
  (setf *lane-stopping* nil *workers* '() *parked* '() *overtaken* '() *jobs* '() *holder* nil *running* nil
        *idle* 0 *sleepers* 0 *resuming* 0))

(defun resume-workers ()
  (setf *lane-stopping* nil)
  (ensure-idle-worker))

(defvar *exhausted* nil "True in a thread that is waiting in the debugger with an exhausted stack.")
(defvar *outer-restarts* 0 "The number of restarts that SBCL itself establishes around this thread's work.")

(defun work-until-stopped ()
  ;; The previous worker may have left idle work unfinished.
  (let ((idle-work t) (*guard* nil) (*lends* t) (*outer-restarts* (length (compute-restarts))))
    (unwind-protect
         (loop
           (let ((evaluation (or (read-job idle-work) (take-job idle-work))))
             (case evaluation
               (:surplus (return))
               (:nothing
                (sb-sys:scrub-control-stack) ; otherwise objects of past evaluations would stay alive
                (setf idle-work (with-guard-at-once (funcall *idle-work*))))
               (t (unwind-protect
                       (progn (await-given-up (evaluation-context evaluation))
                              (with-guard-at-once (funcall *before-job* evaluation))
                              (run-evaluation evaluation)
                              (setf idle-work (with-guard-at-once (funcall *after-job* evaluation))))
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
  "Return true if a worker is ready to run a queued evaluation at once. The caller must hold the lock."
  (and (null *jobs*) (null *holder*) (zerop *resuming*) (plusp *idle*)))

(defun claim-job ()
  "Take the baton and return the next evaluation. Return NIL if no evaluation is queued, or :BUSY if another thread has the baton."
  (sb-thread:with-mutex (*lane-lock*)
    (cond ((null *jobs*) nil)
          ((or *holder* (plusp *resuming*)) :busy)
          (t (give-baton sb-thread:*current-thread* (pop *jobs*))))))

(defun take-job (soon)
  "Wait for a job and the baton. With SOON, return :NOTHING if no job arrives within a moment. Return :SURPLUS if another worker is already
waiting."
  (sb-thread:with-mutex (*lane-lock*)
    (when (plusp *idle*) (return-from take-job :surplus))
    (incf *idle*)
    (unwind-protect
         (loop
           (when *lane-stopping* (return :surplus))
           (when (and *jobs* (null *holder*) (zerop *resuming*))
             (return (give-baton sb-thread:*current-thread* (pop *jobs*))))
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
  "Start a worker if no worker is ready to serve the queue."
  (when (zerop *idle*) (start-worker)))

(defun call-parked (function)
  "Call FUNCTION, which waits for an event outside, without the baton. If the evaluation is unwound during the wait, its cleanup forms also
run without the baton, because they must not wait for the end of another evaluation."
  (let ((evaluation (evaluation-of-worker)))
    (if (null evaluation)
        (funcall function)
        (unwind-protect-without-interrupts
             (progn
               ;; An interrupt that entered the debugger here would leave the queue without a worker.
               (without-interrupts
                 (sb-ext:atomic-push evaluation (symbol-value '*parked*))
                 (end-beside evaluation)
                 (release-baton)
                 (ensure-idle-worker))
               (multiple-value-prog1 (funcall function)
                 (take-baton-back evaluation)
                 (let-first-job-overtake)))
          (sb-ext:atomic-update (symbol-value '*parked*) (lambda (parked) (remove evaluation parked :count 1)))))))

(defmacro with-parked-worker (() &body body)
  "Park this worker, with its dynamic state, while BODY waits."
  `(call-parked (lambda () ,@body)))

(defun take-baton-back (evaluation)
  "Wait for the baton and take it. If the baton's holder is waiting for a lock of this thread, both would wait forever; in that case
continue without the baton."
  (sb-thread:with-mutex (*lane-lock*)
    (counting-up (*resuming*)
      (loop
        (when (overtakes-p evaluation) (let-overtake))
        (unless *holder*
          (give-baton sb-thread:*current-thread* evaluation)
          (return))
        (when (waits-for-me-p *holder*) (return))
        (sleep-until-change +look-again-seconds+)))))

(defun waits-for-me-p (thread)
  "Return true if THREAD is waiting for a lock that this thread holds, directly or through other threads that are waiting for locks."
  (loop repeat +most-locks+
        for lock = (and (not (lacking "finding the lock that a thread is waiting for")) (thread-waiting-for thread))
        while (typep lock 'sb-thread:mutex)
        do (setf thread (sb-thread:mutex-owner lock))
           (cond ((eq thread sb-thread:*current-thread*) (return t))
                 ((not (typep thread 'sb-thread:thread)) (return nil)))))

(defun parked-evaluations ()
  *parked*)

(defun await-rest (seconds)
  "Wait until no evaluation is running or queued. Return false if nothing changes for SECONDS."
  (sb-thread:with-mutex (*lane-lock*)
    (loop while (or *holder* *overtaken* *jobs* (plusp *resuming*))
          do (unless (sleep-until-change seconds) (return nil))
          finally (return t))))

;;; Ending an evaluation from outside. Each function that is sent to a thread first checks that the thread still works on the evaluation.

(defun interrupt-evaluation (evaluation)
  "Unwind EVALUATION; its reply reports that it was interrupted. Reply to a queued evaluation at once."
  (unless (withdraw evaluation)
    (setf (evaluation-interrupted evaluation) t)
    (call-in-evaluation evaluation (lambda ()
                                     (throw (evaluation-tag evaluation) (list :interrupted (interruption-object evaluation)))))))

(defun terminate-evaluation (evaluation)
  "End the thread of EVALUATION."
  (unless (withdraw evaluation)
    (setf (evaluation-interrupted evaluation) t)
    (call-in-evaluation evaluation (lambda ()
                                     (if *exhausted*
                                         (throw (evaluation-tag evaluation) '(:interrupted))
                                         (sb-thread:abort-thread))))))

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
  "Call FUNCTION in the thread of EVALUATION while the evaluation's code runs. If the code has not begun, do nothing, because
CALL-WITH-OUTCOME checks INTERRUPTED later."
  (let ((thread (evaluation-thread evaluation)))
    (when (and thread (sb-thread:thread-alive-p thread))
      (handler-case
          (sb-thread:interrupt-thread thread
                                      (lambda ()
                                        (when (and (eq *evaluation* evaluation)
                                                   (eq (evaluation-state evaluation) :running))
                                          (funcall function))))
        (sb-thread:interrupt-thread-error () nil)))))
