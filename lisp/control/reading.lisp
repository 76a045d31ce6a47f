;;;; Reads the frames. Normally the main thread reads. While evaluations are short, a worker reads, serves and evaluates without a thread
;;;; switch, because waking a worker for each frame would cost more than the evaluation. If that worker is busy for more than one or two
;;;; ticks of the clock, the main thread starts to read again. A ping or an interrupt therefore waits at most 20 ms.

(in-package #:lisp-workbench/control)

(sb-ext:defglobal *reader* nil)
(sb-ext:defglobal *for-main* '())       ; requests that a worker read and only the main thread can serve, oldest first
(sb-ext:defglobal *role-lock* (sb-thread:make-mutex :name "lisp-workbench reading"))
(sb-ext:defglobal *role-changed* (sb-thread:make-waitqueue :name "lisp-workbench reading"))
(sb-ext:defglobal *role* :main)         ; :MAIN; :WORKER while a worker that may read is busy; :READING while a worker reads
(sb-ext:defglobal *ticks-busy* 0)       ; ticks of the clock since the role became :WORKER

(defun set-role (role)
  (sb-thread:with-mutex (*role-lock*)
    (setf *role* role
          *ticks-busy* 0)
    (when (eq role :main) (sb-thread:condition-broadcast *role-changed*))))

(defun wait-for-role ()
  "Wait until the main thread may read. The main thread calls this before each frame."
  (unless (eq *role* :main)
    (sb-thread:with-mutex (*role-lock*)
      (loop until (eq *role* :main)
            do (sb-thread:condition-wait *role-changed* *role-lock*)))))

(defun hand-role-to-worker ()
  "Allow a worker to read from now on. Called just before work is queued for an idle worker."
  (when (eq *role* :main)
    (set-role :worker)
    (keep-clock-awake)))

(defun take-role ()
  "If an idle worker may read, give this worker the reading role. Return true if it now has the role."
  (and (eq *role* :worker)
       (sb-thread:with-mutex (*role-lock*)
         (when (eq *role* :worker)
           (setf *role* :reading)))))

(defun return-late-role ()
  "If the worker has been busy for too long, return the reading role to the main thread. Called by the clock."
  (when (and (eq *role* :worker) (> (incf *ticks-busy*) 1))
    (sb-thread:with-mutex (*role-lock*)
      (when (eq *role* :worker)
        (setf *role* :main)
        (sb-thread:condition-broadcast *role-changed*)))))

(defun read-job (soon)
  "Read and serve frames in an idle worker until a frame contains an evaluation that can run at once. Return that evaluation, with the
baton. Return :NOTHING if SOON is true and no frame arrives within a moment. Return NIL if this worker may not read, or may no longer read."
  (when (take-role)
    (let ((role :main))
      (unwind-protect
           (loop
             (let ((job (claim-job)))
               (case job
                 ((nil))
                 (:busy (return nil))   ; a resumed worker has the baton, so the job waits in the queue
                 (t (setf role :worker)
                    (return job))))
             (when *for-main* (return nil))
             (when (and soon (not (frame-near-p)))
               (setf role :worker)
               (return :nothing))
             (catch 'next-frame (serve-next-frame *reader*)))
        (set-role role)))))

(defun frame-near-p ()
  (or (frame-begun-p *reader*)
      (unix-simple-poll +input-descriptor+ :input 3)))
