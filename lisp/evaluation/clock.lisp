;;;; A thread that ticks every 10 ms while there is work. At every fifth tick it flushes output that lies in a buffer and
;;;; ends printing that takes too long. Idle for five seconds it sleeps until KEEP-CLOCK-AWAKE.

(in-package #:lisp-workbench/evaluation)

(defconstant +tick+ 1/100 "Seconds.")
(defconstant +idle-ticks+ 500)

(sb-ext:defglobal *clock-lock* (sb-thread:make-mutex :name "lisp-workbench clock"))
(sb-ext:defglobal *clock-wanted* (sb-thread:make-waitqueue :name "lisp-workbench clock"))
(sb-ext:defglobal *ticks-left* 0 "Ticks until the clock goes to sleep.")
(sb-ext:defglobal *clock-sleeps* nil)
(sb-ext:defglobal *unflushed* '() "Sinks with text in their buffer that the clock has to send.")
(sb-ext:defglobal *deadlines* '() "Deadlines under way.")
(declaim (type fixnum *ticks-left*))

(defvar *tick-work* '() "Functions to call at each tick; they must not wait.")

(defstruct deadline thread (time 0 :type fixnum) tag)

(defvar *deadline-tags* '() "Tags of the deadlines that this thread is under.")

(sb-ext:defglobal *clock-thread* nil)
(sb-ext:defglobal *clock-stopping* nil)

(defun start-clock ()
  (setf *unflushed* '() *deadlines* '() *clock-sleeps* nil *ticks-left* 0 *clock-thread* nil)
  (resume-clock))

(defun resume-clock ()
  "Start the clock's thread again after STOP-CLOCK; one that has not ended yet goes on."
  (setf *clock-stopping* nil)
  (unless (and *clock-thread* (sb-thread:thread-alive-p *clock-thread*))
    (setf *clock-thread* (sb-thread:make-thread #'tick-until-stopped :name "lisp-workbench clock"))))

(defun stop-clock ()
  "Ask the clock's thread to end, and return it."
  (sb-thread:with-mutex (*clock-lock*)
    (setf *clock-stopping* t)
    (sb-thread:condition-broadcast *clock-wanted*))
  *clock-thread*)

(defun keep-clock-awake ()
  "Called when work begins."
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
      (loop while (and (<= *ticks-left* 0) (null *unflushed*) (null *deadlines*) (not *clock-stopping*))
            do (sb-thread:condition-wait *clock-wanted* *clock-lock*))
      (setf *clock-sleeps* nil)
      ;; Nobody wakes it but STOP-CLOCK.
      (unless *clock-stopping*
        (sb-thread:condition-wait *clock-wanted* *clock-lock* :timeout +tick+)))
    (when *clock-stopping* (return))
    (decf *ticks-left*)
    (flush-held)
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
        (when (> now (deadline-time deadline))
          (let ((tag (deadline-tag deadline)))
            (ignore-errors
             (sb-thread:interrupt-thread
              (deadline-thread deadline)
              (lambda ()
                (when (member tag *deadline-tags* :test #'eq)
                  (throw tag :late)))))))))))

(defun call-with-deadline (seconds function)
  "Call FUNCTION; when it takes longer than SECONDS, give it up and return :LATE. Clean-up forms that loop are beyond this."
  (let* ((tag (list nil))
         (deadline (make-deadline :thread sb-thread:*current-thread* :tag tag
                                  :time (+ (get-internal-real-time)
                                           (round (* seconds internal-time-units-per-second))))))
    (catch tag
      (let ((*deadline-tags* (cons tag *deadline-tags*)))
        (unwind-protect
             (progn
               (sb-ext:atomic-push deadline (symbol-value '*deadlines*))
               (keep-clock-awake)
               (funcall function))
          (sb-ext:atomic-update (symbol-value '*deadlines*) (lambda (deadlines) (remove deadline deadlines))))))))

(defmacro with-deadline ((seconds) &body body)
  "The values of BODY, or :LATE when they are not there after SECONDS."
  `(call-with-deadline ,seconds (lambda () ,@body)))
