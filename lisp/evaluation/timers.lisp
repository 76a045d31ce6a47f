;;;; The user's timers among the engine's threads. A timer's signal goes to any thread of the process, mostly the main one,
;;;; and its handler starts threads: it must not come while the process forks, see control/alone.lisp.

(in-package #:lisp-workbench/evaluation)

(sb-ext:defglobal *timers-held* nil)    ; no signal is asked for

(defun install-timers ()
  "Part of INSTALL-HOOKS. Without checkpoints nobody holds timers."
  (unless (lacking "checkpoints")
    (encapsulate 'sb-ext:schedule-timer 'lisp-workbench #'schedule-apart)
    (encapsulate 'run-timer 'lisp-workbench #'run-timer-apart)
    (encapsulate 'set-system-timer 'lisp-workbench
                 (lambda (original) (unless *timers-held* (funcall original))))))

(defun schedule-apart (original timer time &rest keys &key repeat-interval &allow-other-keys)
  "A timer that repeats outlives the worker in which it was made, and SBCL drops a timer whose thread has ended: it gets a
thread of its own each time."
  (when (and repeat-interval (worker-p (%timer-thread timer)))
    (setf (%timer-thread timer) t))
  (apply original timer time keys))

(defun run-timer-apart (original timer)
  "The evaluation whose thread the signal happened to meet has nothing to do with the timer."
  (let ((*evaluation* nil))
    (funcall original timer)))

(defun hold-timers ()
  "Let no timer fire until RELEASE-TIMERS; one whose thread is at work is scheduled again when it ends, and not before. One
that would run in a worker, which is about to end, gets a thread of its own."
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
  "Called by the clock: a timer's signal that met a thread which was just ending is lost, and with it all timers after it."
  (let ((next (ignore-errors (peek-schedule))))
    (when (and next
               (> (get-internal-real-time)
                  (+ (%timer-expire-time next) (floor internal-time-units-per-second 10))))
      (without-interrupts
        (sb-thread:with-mutex (*scheduler-lock*)
          (set-system-timer))))))
