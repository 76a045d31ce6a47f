;;;; Stops all other threads, because the whole image can be copied only if the main thread is the only one. The engine's threads end and
;;;; are started again later. User threads cannot be restarted, so a message names them as the reason for the failure.

(in-package #:lisp-workbench/control)

(defun call-alone (function)
  "Call FUNCTION while the main thread is the only one, and return its values. If this is not possible, return NIL and a sentence with the
reason."
  (let ((reason (busy-reason)))
    (if reason
        (values nil reason)
        (unwind-protect
             (progn
               (stop-engine-threads)
               (let ((reason (company-reason)))
                 (if reason
                     (values nil reason)
                     (funcall function))))
          (start-engine-threads)))))

(defun busy-reason ()
  (cond ((parked-reason))
        ((profiling-reason))
        ((swank-reason))
        ((user-threads) (threads-reason (user-threads)))
        ((or (overtaken-evaluations) (not (await-rest 1))) "An evaluation is running.")
        ;; In the meantime, a running evaluation may have begun to wait for the person.
        ((parked-reason))))

(defun parked-reason ()
  (let ((count (length (parked-evaluations))))
    (when (plusp count)
      (format nil "~D evaluation~:P ~:*~[~;is~:;are~] waiting for input, a debugger or an approval." count))))

(defun threads-reason (threads)
  (format nil "~D thread~:P ~:*~[~;is~:;are~] running: ~{~A~^, ~}~:[~;, …~]."
          (length threads)
          (mapcar #'label-of-thread (subseq threads 0 (min 5 (length threads))))
          (> (length threads) 5)))

(defun label-of-thread (thread)
  (let ((name (sb-thread:thread-name thread)))
    (if (stringp name) name "(unnamed)")))

(defun stop-engine-threads ()
  "End the engine's threads. Request the end of all of them before waiting for the first. The writer runs once more to send the frames that
the threads queued while they ended, because a copy of the image must not contain these frames."
  (hold-timers)
  (let ((workers (stop-workers)))
    (await-look-ups)
    (mapc #'await-end (append workers (list (stop-clock) (stop-writer)))))
  (when (frames-waiting-p)
    (resume-writer)
    (await-end (stop-writer))))

(defun await-look-ups ()
  "Wait until the look-up thread ends. Do this while the clock thread is still running, because the clock ends look-ups that take too long.
Give a running look-up half a second; then interrupt it, and restart it later."
  (let ((thread (stop-look-up)))
    (unless (ended-p thread 1/2)
      (put-look-up-back thread)
      (await-end thread (* 2 *look-up-seconds*)))))

(defconstant +end-seconds+ 10 "The maximum time, in seconds, that a thread of the engine needs to end on a busy machine.")

(defun await-end (thread &optional (seconds +end-seconds+))
  (when thread
    (sb-thread:join-thread thread :default nil :timeout seconds)))

(defun ended-p (thread seconds)
  "Wait at most SECONDS for THREAD to end. Return true if it has ended or is NIL."
  (await-end thread seconds)
  (not (and thread (sb-thread:thread-alive-p thread))))

(defun start-engine-threads ()
  (resume-writer)
  (resume-clock)
  (resume-workers)
  (resume-look-ups)
  (release-timers))

(defun fork-process ()
  "Fork, within CALL-ALONE. Interrupts are disabled, because C holds locks during a fork, and a signal handler would wait for them forever."
  (without-interrupts (sb-posix:fork)))

(defun company-reason ()
  "Return a sentence that names the other threads of the process; NIL if there are none. Wait a moment first, because a timer's thread may
be about to end."
  (let ((others (loop repeat 300
                      for others = (other-threads)
                      while others
                      do (sleep 1/1000)
                      finally (return others))))
    (cond (others (threads-reason others))
          ((not (await-kernel)) "Foreign code is running its own threads."))))

(defun other-threads ()
  (remove-if (lambda (thread)
               (or (eq thread sb-thread:*current-thread*)
                   (eq thread *finalizer-thread*)
                   (not (sb-thread:thread-alive-p thread))))
             (sb-thread:list-all-threads)))

(defun await-kernel ()
  "Wait until the kernel counts no more tasks than Lisp has threads: this one and the finalizer's. Return true if this happens in time. The
kernel may end a task a moment later than Lisp, so check repeatedly."
  (loop repeat 1000
        do (when (<= (kernel-task-count) (if *finalizer-thread* 2 1)) (return t))
           (sleep 1/20000)))

(defun kernel-task-count ()
  "Return the number of the process's kernel tasks, or 0 if it is unknown."
  (or (ignore-errors (- (stat-links (stat-of "/proc/self/task")) 2)) 0))
