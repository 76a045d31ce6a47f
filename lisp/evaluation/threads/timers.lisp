;;;; Keeps the user's timers separate from the engine's threads. A timer's signal goes to any thread of the process, usually the main one,
;;;; and the signal handler starts threads. The signal must not arrive while the process forks; see control/alone.lisp.

(in-package #:lisp-workbench/evaluation)

(sb-ext:defglobal *timers-held* nil)    ; true while timer signals are suppressed

(defun install-timers ()
  "Install the timer hooks; part of INSTALL-HOOKS. Without checkpoints, timers are never suppressed."
  (unless (lacking "checkpoints")
    (install-advice 'sb-ext:schedule-timer 'lisp-workbench #'schedule-apart)
    (install-advice 'run-timer 'lisp-workbench #'run-timer-apart)
    (install-advice 'set-system-timer 'lisp-workbench
                 (lambda (original) (unless *timers-held* (funcall original))))))

(defun schedule-apart (original timer time &rest keys &key repeat-interval &allow-other-keys)
  "Schedule TIMER. A repeating timer that was created in a worker runs in a new thread each time, because the timer outlives the worker, and
SBCL drops timers of ended threads. A timer that may run in any thread also gets a new thread, because otherwise it could run in one of the
engine's threads."
  (when (or (null (%timer-thread timer))
            (and repeat-interval (worker-p (%timer-thread timer))))
    (setf (%timer-thread timer) t))
  (apply original timer time keys))

(defun run-timer-apart (original timer)
  "Run a timer's function without the evaluation of the thread that happened to receive the signal."
  (let ((*evaluation* nil))
    (funcall original timer)))

(defun hold-timers ()
  "Suppress all timers until RELEASE-TIMERS is called. A timer whose function is running is rescheduled only when the function ends. A timer
that would run in a worker gets a new thread, because the worker is about to end."
  (without-interrupts
    (sb-thread:with-mutex (*scheduler-lock*)
      (setf *timers-held* t)
      (%clear-system-timer)))
  (dolist (timer (sb-ext:list-all-timers))
    (when (worker-p (%timer-thread timer))
      (setf (%timer-thread timer) t))))

(defun release-timers ()
  "Request the next timer's signal from the kernel again, because a forked process does not inherit the request."
  (without-interrupts
    (sb-thread:with-mutex (*scheduler-lock*)
      (setf *timers-held* nil)
      (set-system-timer))))

(defun mend-timers ()
  "Request a timer signal again if it was lost because it reached a thread that was just ending. Without this, all later timers would be
lost. Called by the clock."
  (when (timers-late-p)
    (without-interrupts
      (sb-thread:with-mutex (*scheduler-lock*)
        ;; Check again while holding the lock, because the timer may have run since, and the queue may be empty now.
        (when (timers-late-p) (set-system-timer))))))

(defun timers-late-p ()
  "Return true if the next timer is late by more than a tenth of a second."
  (let ((next (ignore-errors (peek-schedule))))
    (and (typep next 'sb-ext:timer)
         (> (get-internal-real-time)
            (+ (%timer-expire-time next) (floor internal-time-units-per-second 10))))))
