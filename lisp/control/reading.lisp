;;;; The reading of frames. The main thread reads them, except while evaluations are short: to wake a worker for each of them would
;;;; cost more than they do. Then the worker itself reads, serves what it reads, and evaluates without a change of threads.
;;;; A worker that is busy for longer than a tick or two of the clock loses the role to the main thread, so a ping or an
;;;; interrupt waits 20 ms at most.

(in-package #:lisp-workbench/control)

(sb-ext:defglobal *reader* nil)
(sb-ext:defglobal *for-main* '())       ; requests that a worker read and only the main thread may serve, oldest first
(sb-ext:defglobal *role-lock* (sb-thread:make-mutex :name "lisp-workbench reading"))
(sb-ext:defglobal *role-changed* (sb-thread:make-waitqueue :name "lisp-workbench reading"))
(sb-ext:defglobal *role* :main)         ; :MAIN, :WORKER while a worker that may read is busy, :READING while one reads
(sb-ext:defglobal *ticks-busy* 0)       ; ticks of the clock since the role is :WORKER

(defun set-role (role)
  (sb-thread:with-mutex (*role-lock*)
    (setf *role* role
          *ticks-busy* 0)
    (when (eq role :main) (sb-thread:condition-broadcast *role-changed*))))

(defun wait-for-role ()
  "Wait until the main thread may read. It calls this before each frame."
  (unless (eq *role* :main)
    (sb-thread:with-mutex (*role-lock*)
      (loop until (eq *role* :main)
            do (sb-thread:condition-wait *role-changed* *role-lock*)))))

(defun hand-role-to-worker ()
  "Let a worker read from now on. Called when work is about to be queued for an idle worker."
  (when (eq *role* :main)
    (set-role :worker)
    (keep-clock-awake)))

(defun take-role ()
  "Return true when a worker without work may read, which it then does."
  (and (eq *role* :worker)
       (sb-thread:with-mutex (*role-lock*)
         (when (eq *role* :worker)
           (setf *role* :reading)))))

(defun return-late-role ()
  "Give the reading back to the main thread when the worker is busy for too long. Called by the clock."
  (when (and (eq *role* :worker) (> (incf *ticks-busy*) 1))
    (sb-thread:with-mutex (*role-lock*)
      (when (eq *role* :worker)
        (setf *role* :main)
        (sb-thread:condition-broadcast *role-changed*)))))

(defun read-job (soon)
  "Read and serve frames, as a worker without work, until one brings an evaluation that can run at once; return it, with the baton. Return
:NOTHING when SOON and no frame comes for a moment; NIL when this worker may not read, or no longer."
  (when (take-role)
    (let ((role :main))
      (unwind-protect
           (loop
             (let ((job (claim-job)))
               (case job
                 ((nil))
                 (:busy (return nil))   ; a resumed worker has the baton: wait in the queue
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
