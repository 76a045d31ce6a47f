;;;; Being alone: for a copy of the whole image the main thread must be its only one. The engine's own threads end and begin
;;;; again; threads of the user's cannot, so they are named as the reason why not.

(in-package #:lisp-workbench/control)

(defun call-alone (function)
  "Call FUNCTION while the main thread is the only one. Return its values, or NIL and a sentence that says why it was not called."
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
        ;; The evaluation that was running may wait for the person by now.
        ((parked-reason))))

(defun parked-reason ()
  (let ((count (length (parked-evaluations))))
    (when (plusp count)
      (format nil "~D evaluation~:P wait~:*~[~;s~:;~] in the middle of ~:*~[~;its~:;their~] work." count))))

(defun threads-reason (threads)
  (format nil "~D thread~:P ~:*~[~;is~:;are~] running: ~{~A~^, ~}~:[~;, …~]."
          (length threads)
          (mapcar #'label-of-thread (subseq threads 0 (min 5 (length threads))))
          (> (length threads) 5)))

(defun label-of-thread (thread)
  (let ((name (sb-thread:thread-name thread)))
    (if (stringp name) name "one without a name")))

(defun stop-engine-threads ()
  "End the engine's threads; all are asked to end before the first is waited for. The writer runs once more for frames that the others sent at
their ends, since a copy must not hold these."
  (hold-timers)
  (let ((workers (stop-workers)))
    (await-look-ups)
    (mapc #'await-end (append workers (list (stop-clock) (stop-writer)))))
  (when (frames-waiting-p)
    (resume-writer)
    (await-end (stop-writer))))

(defun await-look-ups ()
  "Wait for the end of the look-up thread, while the clock still runs, which ends a look-up that takes too long. A look-up under way is given
a moment; then it is interrupted and begun anew afterwards."
  (let ((thread (stop-look-up)))
    (unless (ended-p thread 1/2)
      (put-look-up-back thread)
      (await-end thread (* 2 *look-up-seconds*)))))

(defconstant +end-seconds+ 10 "The longest time, in seconds, that a thread of the engine may take to end on a busy machine.")

(defun await-end (thread &optional (seconds +end-seconds+))
  (when thread
    (sb-thread:join-thread thread :default nil :timeout seconds)))

(defun ended-p (thread seconds)
  "Wait for THREAD, at most SECONDS; true when it has ended or is NIL."
  (await-end thread seconds)
  (not (and thread (sb-thread:thread-alive-p thread))))

(defun start-engine-threads ()
  (resume-writer)
  (resume-clock)
  (resume-workers)
  (resume-look-ups)
  (release-timers))

(defun fork-process ()
  "Fork, in CALL-ALONE. A signal's handler must not run meanwhile: it would wait forever for the locks that C holds then."
  (without-interrupts (sb-posix:fork)))

(defun company-reason ()
  "Return a sentence that names the other threads of the process, NIL when there are none. A timer's thread gets a moment to end."
  (let ((others (loop repeat 300
                      for others = (other-threads)
                      while others
                      do (sleep 1/1000)
                      finally (return others))))
    (cond (others (threads-reason others))
          ((not (await-kernel)) "Foreign code has threads of its own."))))

(defun other-threads ()
  (remove-if (lambda (thread)
               (or (eq thread sb-thread:*current-thread*)
                   (eq thread *finalizer-thread*)
                   (not (sb-thread:thread-alive-p thread))))
             (sb-thread:list-all-threads)))

(defun await-kernel ()
  "True when the kernel counts no more tasks than Lisp has threads: this one and the finalizer's. The kernel may end a task a moment later
than Lisp."
  (loop repeat 1000
        do (when (<= (kernel-task-count) (if *finalizer-thread* 2 1)) (return t))
           (sleep 1/20000)))

(defun kernel-task-count ()
  "0 where it cannot be told."
  (or (ignore-errors (- (stat-links (stat-of "/proc/self/task")) 2)) 0))
