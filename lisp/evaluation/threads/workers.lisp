;;;; The threads that evaluate, called workers. The worker that holds the baton (the run token) evaluates, the others wait. A worker
;;;; that has to wait for somebody outside (WITH-PARKED-WORKER) gives the baton away, and a fresh worker takes the queue meanwhile;
;;;; when the wait is over it gets the baton back before the next evaluation begins. An evaluation of the person may overtake one of an
;;;; agent: that one goes on without the baton, beside those that have it, to its end.

(in-package #:lisp-workbench/evaluation)

(sb-ext:defglobal *lane-lock* (sb-thread:make-mutex :name "lisp-workbench workers"))
(sb-ext:defglobal *lane-changed* (sb-thread:make-waitqueue :name "lisp-workbench workers"))
(sb-ext:defglobal *jobs* '())           ; evaluations that wait for their turn, oldest first
(sb-ext:defglobal *holder* nil)         ; the thread with the baton
(sb-ext:defglobal *running* nil)        ; the evaluation of *HOLDER*
(sb-ext:defglobal *resuming* 0)         ; parked workers that want the baton back
(sb-ext:defglobal *idle* 0)             ; workers that wait for a job
(sb-ext:defglobal *sleepers* 0)         ; threads that wait for *LANE-CHANGED*
(sb-ext:defglobal *workers* '())        ; threads of all workers, parked ones too
(sb-ext:defglobal *parked* '())         ; evaluations whose worker waits for somebody outside
(sb-ext:defglobal *overtaken* '())      ; evaluations that go on without the baton
(sb-ext:defglobal *lane-stopping* nil)  ; true when all workers are to end

(defconstant +look-again-seconds+ 0.1 "Seconds between looks whether the baton's holder waits for a lock: nothing signals that.")
(defconstant +most-locks+ 20)

(defvar *before-job* (constantly nil) "Called with the evaluation before it runs.")
(defvar *after-job* (constantly nil)
  "Called with the evaluation after its reply, by the worker with the baton. It returns true when *IDLE-WORK* has more to do.")
(defvar *idle-work* (constantly nil)
  "Called by a worker that is idle for a moment after a job for which *AFTER-JOB* returned true; called again while it returns true.")

(defvar *lane-given* (constantly nil) "Function called when an evaluation is about to be queued that a worker will take at once.")
(defvar *job-reader* (constantly nil)
  "Called by a worker without work; see READ-JOB in control/reading.lisp. NIL sends it to the queue.")

(defun wake-sleepers ()
  "Wake threads that wait for a change of the lane. Call with the lock. No thread sleeps while a worker
reads frames itself; that spares a system call."
  (when (plusp *sleepers*) (sb-thread:condition-broadcast *lane-changed*)))

(defmacro counting-up ((place) protected &body cleanup)
  "Return the values of PROTECTED, while which PLACE counts one more; then CLEANUP. No interrupt comes between these."
  `(without-interrupts
     (incf ,place)
     (unwind-protect (with-local-interrupts ,protected)
       ,@cleanup
       (decf ,place))))

(defun sleep-until-change (timeout)
  "Wait for a change of the lane; false when nothing changed for TIMEOUT seconds. Call with the lock, which is held again in the end."
  (counting-up (*sleepers*)
    (sb-thread:condition-wait *lane-changed* *lane-lock* :timeout timeout)
    (unless (sb-thread:holding-mutex-p *lane-lock*) (sb-thread:grab-mutex *lane-lock*))))

(defun running-evaluations ()
  "Return the evaluations that run: those that were overtaken, then the one with the baton."
  (append *overtaken* (and *running* (list *running*))))

(defun overtaken-evaluations ()
  *overtaken*)

(defun enqueue-evaluation (evaluation)
  "Queue EVALUATION: one that may overtake goes before all others. Called by the control thread."
  (setf (gethash (evaluation-id evaluation) *evaluations*) evaluation)
  (sb-thread:with-mutex (*lane-lock*)
    (when (overtakes-p evaluation) (let-overtake))
    ;; Called with the lock, so that a worker that begins to read now finds the evaluation before it waits for the next frame.
    (when (lane-free-p) (funcall *lane-given*))
    (setf *jobs* (if (overtakes-p evaluation)
                     (append (remove-if-not #'overtakes-p *jobs*) (list evaluation) (remove-if #'overtakes-p *jobs*))
                     (append *jobs* (list evaluation))))
    (wake-sleepers)))

(defun overtakes-p (evaluation)
  (field (evaluation-request evaluation) "overtakes"))

(defun let-overtake ()
  "Take the baton from an agent's evaluation whose code runs, which goes on without it. Call with the lock."
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
  "Let the first job overtake this thread's evaluation, where it may. For call when the evaluation's code has begun, or goes on."
  (when *jobs*
    (sb-thread:with-mutex (*lane-lock*)
      (when (and *jobs* (overtakes-p (first *jobs*)) (eq *holder* sb-thread:*current-thread*)) (let-overtake)))))

(defun give-baton (thread evaluation)
  "Call with the lock."
  (when *overtaken* (setf (evaluation-beside evaluation) t))
  (setf *holder* thread
        *running* evaluation))

(defun evaluation-of-worker ()
  "Return the evaluation whose code this thread runs, with the baton or overtaken; NIL in other threads."
  ;; With the lock, since another thread may take the baton between two looks.
  (sb-thread:with-mutex (*lane-lock*)
    (if (eq *holder* sb-thread:*current-thread*)
        *running*
        (find sb-thread:*current-thread* *overtaken* :key #'evaluation-thread))))

(defun end-beside (evaluation)
  "Note that the code of EVALUATION, which may have been overtaken, runs no more."
  (when (evaluation-beside evaluation)
    (sb-thread:with-mutex (*lane-lock*)
      (setf *overtaken* (remove evaluation *overtaken*)))))

(defun give-up-held (context)
  "Unwind what CONTEXT left in the debugger after its reply, from all levels of the debugger."
  (mapc #'give-up (held-evaluations context)))

(defun give-up (evaluation)
  "Unwind EVALUATION, from all levels of the debugger. One that is unwinding already is left to it: another interrupt would cut its
cleanup forms short."
  (setf (evaluation-given-up evaluation) t)
  (unless (evaluation-interrupted evaluation) (interrupt-evaluation evaluation)))

(defconstant +given-up-seconds+ 1 "The longest wait, in seconds, for evaluations that were given up: a cleanup form may never end.")

(defun await-given-up (context)
  "Wait, at most +GIVEN-UP-SECONDS+, until the evaluations of CONTEXT that were given up in the debugger are unwound, so that their cleanup
forms run before its next evaluation."
  (loop with end = (+ (get-internal-real-time) (* +given-up-seconds+ internal-time-units-per-second))
        while (and (some #'evaluation-given-up (held-evaluations context)) (< (get-internal-real-time) end))
        do (sleep 1/500)))

(defun held-evaluations (context)
  "Return the evaluations of CONTEXT that were answered but still wait in the debugger, or are about to."
  (sb-ext:with-locked-hash-table (*evaluations*)
    (loop for evaluation being the hash-values of *evaluations*
          when (and (evaluation-answered evaluation) (equal context (evaluation-context evaluation)))
            collect evaluation)))

(defun start-worker ()
  "Start a worker, a thread of no evaluation, with nobody's defaults. Interrupts are off meanwhile: one for this thread's evaluation would not
find it."
  (without-interrupts
    (let ((*evaluation* nil) (*guard* nil) (*lends* t))
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
  "Forget all workers, in a copy that becomes a file, where none runs."
  (setf *lane-stopping* nil *workers* '() *parked* '() *overtaken* '() *jobs* '() *holder* nil *running* nil
        *idle* 0 *sleepers* 0 *resuming* 0))

(defun resume-workers ()
  (setf *lane-stopping* nil)
  (ensure-idle-worker))

(defvar *exhausted* nil "True in a thread that waits in the debugger with an exhausted stack.")
(defvar *outer-restarts* 0 "The number of restarts that SBCL itself establishes around this thread's work.")

(defun work-until-stopped ()
  ;; The worker before may have left idle work behind.
  (let ((idle-work t) (*guard* nil) (*lends* t) (*outer-restarts* (length (compute-restarts))))
    (unwind-protect
         (loop
           (let ((evaluation (or (read-job idle-work) (take-job idle-work))))
             (case evaluation
               (:surplus (return))
               (:nothing
                (sb-sys:scrub-control-stack) ; else objects of past evaluations would be kept
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
  "True when a worker stands ready that would run a queued evaluation at once. Call with the lock."
  (and (null *jobs*) (null *holder*) (zerop *resuming*) (plusp *idle*)))

(defun claim-job ()
  "Take the baton and return the next evaluation; NIL when none waits, :BUSY when another thread has the baton."
  (sb-thread:with-mutex (*lane-lock*)
    (cond ((null *jobs*) nil)
          ((or *holder* (plusp *resuming*)) :busy)
          (t (give-baton sb-thread:*current-thread* (pop *jobs*))))))

(defun take-job (soon)
  "Wait for a job and the baton. When SOON, return :NOTHING after a moment without one; :SURPLUS when others wait already."
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
  "Start a worker when none is there to take the queue."
  (when (zerop *idle*) (start-worker)))

(defun call-parked (function)
  "Call FUNCTION, which waits for somebody outside, without the baton. When the evaluation is unwound meanwhile, its clean-up
forms run without the baton too: they must not wait for another evaluation's end."
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
  "Set this worker aside with its dynamic state while BODY waits."
  `(call-parked (lambda () ,@body)))

(defun take-baton-back (evaluation)
  "Wait for the baton and take it. When its holder waits for a lock of this thread, both would wait for ever; then go on without it."
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
  "True when THREAD waits for a lock that this thread holds, or for a lock whose holder waits so."
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
    (loop while (or *holder* *overtaken* *jobs* (plusp *resuming*))
          do (unless (sleep-until-change seconds) (return nil))
          finally (return t))))

;;; Ending an evaluation from outside. Functions that are sent to a thread check again that it still works on the evaluation.

(defun interrupt-evaluation (evaluation)
  "Unwind EVALUATION; its reply tells so. An evaluation that waits for its turn is answered at once."
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
  "Call FUNCTION in the thread of EVALUATION while its code runs. Before it runs, CALL-WITH-OUTCOME looks at INTERRUPTED."
  (let ((thread (evaluation-thread evaluation)))
    (when (and thread (sb-thread:thread-alive-p thread))
      (handler-case
          (sb-thread:interrupt-thread thread
                                      (lambda ()
                                        (when (and (eq *evaluation* evaluation)
                                                   (eq (evaluation-state evaluation) :running))
                                          (funcall function))))
        (sb-thread:interrupt-thread-error () nil)))))
