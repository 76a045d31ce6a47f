;;;; A thread that ticks every 10 ms while there is work. At every fifth tick it flushes buffered output and ends printing that takes too
;;;; long. After five idle seconds it sleeps until KEEP-CLOCK-AWAKE is called. The thread is restarted if it ends early, because of an error
;;;; in its work or because evaluated code ended all threads. Without the clock, no frame would be read while a worker is busy.

(in-package #:lisp-workbench/evaluation)

(defconstant +tick+ 1/100 "The time between two ticks of the clock, in seconds.")
(defconstant +idle-ticks+ 500)

(sb-ext:defglobal *clock-lock* (sb-thread:make-mutex :name "lisp-workbench clock"))
(sb-ext:defglobal *clock-wanted* (sb-thread:make-waitqueue :name "lisp-workbench clock"))
(sb-ext:defglobal *ticks-left* 0 "The number of idle ticks after which the clock goes to sleep.")
(sb-ext:defglobal *clock-sleeps* nil)
(sb-ext:defglobal *unflushed* '() "Sinks with buffered text that the clock must send.")
(sb-ext:defglobal *deadlines* '() "The active deadlines of all threads.")
(sb-ext:defglobal *interrupted* '() "The INTERRUPTIONS objects of threads with waiting interruptions.")
(declaim (type fixnum *ticks-left*))

(defvar *tick-work* '() "Functions to call at each tick; they must not block.")

(defstruct deadline
  "A time limit for an action of a thread. ASKED is true from the moment the clock interrupts the thread until the thread handles that
interrupt."
  thread (time 0 :type fixnum) tag (asked nil))

(defvar *deadline-tags* '() "The tags of this thread's own deadlines.")

(sb-ext:defglobal *clock-thread* nil)
(sb-ext:defglobal *clock-stopping* nil)

(defun start-clock ()
  (setf *unflushed* '() *deadlines* '() *interrupted* '() *clock-sleeps* nil *ticks-left* 0 *clock-thread* nil)
  (resume-clock))

(defun resume-clock ()
  "Restart the clock's thread after STOP-CLOCK. If the old thread has not ended yet, it continues."
  (setf *clock-stopping* nil)
  (unless (and *clock-thread* (sb-thread:thread-alive-p *clock-thread*))
    (start-clock-thread)))

(defun start-clock-thread ()
  (without-interrupts
    (let ((*evaluation* nil))
      (setf *clock-thread* (sb-thread:make-thread #'tick-again-until-stopped :name "lisp-workbench clock")))))

(defun tick-again-until-stopped ()
  "Tick until STOP-CLOCK. If the thread ends for another reason, start a new one."
  (unwind-protect (tick-until-stopped)
    (unless (or *clock-stopping* *exit-in-progress*) (start-clock-thread))))

(defun stop-clock ()
  "Request that the clock's thread end, and return the thread."
  (sb-thread:with-mutex (*clock-lock*)
    (setf *clock-stopping* t)
    (sb-thread:condition-broadcast *clock-wanted*))
  *clock-thread*)

(defun keep-clock-awake ()
  "Wake the clock, or postpone the time at which it goes to sleep. Called when work begins."
  (setf *ticks-left* +idle-ticks+)
  (sb-thread:barrier (:memory))
  (when *clock-sleeps*
    (sb-thread:with-mutex (*clock-lock*)
      (sb-thread:condition-broadcast *clock-wanted*))))

(defun tick-until-stopped ()
  (loop
    (sb-thread:with-mutex (*clock-lock*)
      (setf *clock-sleeps* t)
      (sb-thread:barrier (:memory))
      (loop while (and (<= *ticks-left* 0) (null *unflushed*) (null *deadlines*) (null *interrupted*)
                       (not *clock-stopping*))
            do (sb-thread:condition-wait *clock-wanted* *clock-lock*))
      (setf *clock-sleeps* nil)
      ;; During this wait, only STOP-CLOCK wakes the clock.
      (unless *clock-stopping*
        (sb-thread:condition-wait *clock-wanted* *clock-lock* :timeout +tick+)))
    (when *clock-stopping* (return))
    (decf *ticks-left*)
    (mapc #'funcall *tick-work*)
    (when (zerop (mod *ticks-left* 5))
      (flush-late-output)
      (end-late-work))))

(defun flush-late-output ()
  (let ((sinks (loop for sinks = *unflushed*
                     when (eq (sb-ext:compare-and-swap (symbol-value '*unflushed*) sinks '()) sinks)
                       return sinks)))
    (dolist (sink sinks)
      (unless (try-flush sink) (note-unflushed sink)))))

(defun note-unflushed (sink)
  (sb-ext:atomic-push sink (symbol-value '*unflushed*))
  (keep-clock-awake))

(defun end-late-work ()
  (when *deadlines*
    (let ((now (get-internal-real-time)))
      (dolist (deadline *deadlines*)
        (when (and (> now (deadline-time deadline)) (not (deadline-asked deadline)))
          (let ((deadline deadline))
            (setf (deadline-asked deadline) t)
            (ignore-errors
             (sb-thread:interrupt-thread
              (deadline-thread deadline)
              (lambda ()
                (setf (deadline-asked deadline) nil)
                (when (member (deadline-tag deadline) *deadline-tags* :test #'eq)
                  (throw (deadline-tag deadline) :late)))))))))))

(defun call-with-deadline (seconds function)
  "Call FUNCTION; if it takes longer than SECONDS, stop it and return :LATE. This cannot stop clean-up forms that loop."
  (let* ((tag (list nil))
         (deadline (make-deadline :thread sb-thread:*current-thread* :tag tag
                                  :time (+ (get-internal-real-time)
                                           (round (* seconds internal-time-units-per-second))))))
    (catch tag
      (let ((*deadline-tags* (cons tag *deadline-tags*)))
        (unwind-protect-without-interrupts
             (progn
               (sb-ext:atomic-push deadline (symbol-value '*deadlines*))
               (keep-clock-awake)
               (funcall function))
          (sb-ext:atomic-update (symbol-value '*deadlines*) (lambda (deadlines) (remove deadline deadlines))))))))

(defmacro with-deadline ((seconds) &body body)
  "Return the values of BODY, or :LATE if BODY takes longer than SECONDS."
  `(call-with-deadline ,seconds (lambda () ,@body)))
