;;;; Being alone: for a copy of the whole image the main thread must be its only one. The engine's own threads end and begin
;;;; again; threads of the user's cannot, so they are named as the reason why not.

(in-package #:lisp-workbench/control)

(defun call-alone (function)
  "Call FUNCTION while the main thread is the only one. Its values; or NIL and in a sentence why it was not called."
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
        ((user-threads) (threads-reason (user-threads)))
        ((not (await-rest 1)) "An evaluation is running.")
        ;; What was running may wait for the person by now.
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
  (hold-timers)
  (dolist (thread (append (stop-workers) (list (stop-clock) (stop-look-up))))
    (await-end thread))
  (await-end (stop-writer)))

(defun await-end (thread)
  (when thread
    (sb-thread:join-thread thread :default nil :timeout 2)))

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
  "Why the process is not alone, NIL when it is. A timer's thread gets a moment to end."
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
  "Whether the kernel counts no more tasks than Lisp has threads: this one and the finalizer's. One that ended in Lisp may
take the kernel a moment longer."
  (loop repeat 100
        do (when (<= (kernel-task-count) (if *finalizer-thread* 2 1)) (return t))
           (sleep 1/2000)))

(defun kernel-task-count ()
  "0 where it cannot be told."
  (or (ignore-errors (- (sb-posix:stat-nlink (sb-posix:stat "/proc/self/task")) 2)) 0))
