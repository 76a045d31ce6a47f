;;;; The user's timers among the engine's threads. A timer's signal goes to any thread of the process, mostly the main one,
;;;; and its handler starts threads: it must not come while the process forks, see control/alone.lisp.

(in-package #:lisp-workbench/evaluation)

(sb-ext:defglobal *timers-held* nil)    ; true while no timer signal is requested

(defun install-timers ()
  "Install the hooks on timers, part of INSTALL-HOOKS. Without checkpoints timers are never held."
  (unless (lacking "checkpoints")
    (install-advice 'sb-ext:schedule-timer 'lisp-workbench #'schedule-apart)
    (install-advice 'run-timer 'lisp-workbench #'run-timer-apart)
    (install-advice 'set-system-timer 'lisp-workbench
                 (lambda (original) (unless *timers-held* (funcall original))))))

(defun schedule-apart (original timer time &rest keys &key repeat-interval &allow-other-keys)
  "Schedule TIMER; one that repeats and was made in a worker gets a thread of its own each time. It outlives the worker, and SBCL drops timers
of ended threads. So does one that may run in any thread, which would be the engine's."
  (when (or (null (%timer-thread timer))
            (and repeat-interval (worker-p (%timer-thread timer))))
    (setf (%timer-thread timer) t))
  (apply original timer time keys))

(defun run-timer-apart (original timer)
  "Run a timer's function without the evaluation whose thread the signal happened to meet."
  (let ((*evaluation* nil))
    (funcall original timer)))

(defun hold-timers ()
  "Let no timer fire until RELEASE-TIMERS; a timer whose thread is at work is scheduled again when that ends, and not
before. A timer that would run in a worker, which is about to end, gets a thread of its own."
  (without-interrupts
    (sb-thread:with-mutex (*scheduler-lock*)
      (setf *timers-held* t)
      (%clear-system-timer)))
  (dolist (timer (sb-ext:list-all-timers))
    (when (worker-p (%timer-thread timer))
      (setf (%timer-thread timer) t))))

(defun release-timers ()
  "Ask the kernel for the next timer's signal again; a copy never had it."
  (without-interrupts
    (sb-thread:with-mutex (*scheduler-lock*)
      (setf *timers-held* nil)
      (set-system-timer))))

(defun mend-timers ()
  "Ask for a timer signal again when one was lost, by meeting a thread that was just ending; else all later timers would be lost. Called by
the clock."
  (when (timers-late-p)
    (without-interrupts
      (sb-thread:with-mutex (*scheduler-lock*)
        ;; Looked at again with the lock: meanwhile the timer may have run, and its place in the queue holds no timer.
        (when (timers-late-p) (set-system-timer))))))

(defun timers-late-p ()
  "True when the next timer is late by a tenth of a second."
  (let ((next (ignore-errors (peek-schedule))))
    (and (typep next 'sb-ext:timer)
         (> (get-internal-real-time)
            (+ (%timer-expire-time next) (floor internal-time-units-per-second 10))))))
