;;;; A thread for look-ups, so that they are served while an evaluation runs. A look-up may run user code such as print methods, so each
;;;; operation sets a time limit of a few seconds for its look-ups. A thread that cannot be interrupted is abandoned and replaced.

(in-package #:lisp-workbench/control)

(sb-ext:defglobal *look-up-lock* (sb-thread:make-mutex :name "lisp-workbench looking up"))
(sb-ext:defglobal *look-up-wanted* (sb-thread:make-waitqueue :name "lisp-workbench looking up"))
(sb-ext:defglobal *look-ups* '())       ; waiting look-ups, oldest first: (id operation request &optional put-back)
(sb-ext:defglobal *look-up-thread* nil)
(sb-ext:defglobal *look-up-since* nil)  ; internal real time at which the current look-up began
(sb-ext:defglobal *look-up-id* nil)     ; request id of the current look-up
(sb-ext:defglobal *look-up-seconds* 5)  ; time limit of the current look-up
(sb-ext:defglobal *look-ups-stopping* nil)
(sb-ext:defglobal *look-up-left-behind* nil) ; true once a look-up thread has been abandoned, because it may still run user code

(defvar *look-up-tag* nil "The catch tag to which :AGAIN is thrown in this thread to postpone its look-up; NIL if it cannot be postponed.")

(defun look-up (id operation request)
  "Queue OPERATION, a look-up, with its REQUEST. Called by the control thread."
  (sb-thread:with-mutex (*look-up-lock*)
    (setf *look-ups* (nconc *look-ups* (list (list id operation request))))
    (unless (look-up-thread-alive-p) (start-look-up-thread))
    (sb-thread:condition-broadcast *look-up-wanted*)))

(defun stop-look-up ()
  "Request that the look-up thread end when it is idle, and return it; NIL if there is no such thread."
  (when (look-up-thread-alive-p)
    (sb-thread:with-mutex (*look-up-lock*)
      (setf *look-ups-stopping* t)
      (sb-thread:condition-broadcast *look-up-wanted*)
      *look-up-thread*)))

(defun put-look-up-back (thread)
  "Interrupt the current look-up of THREAD. The first time, put it back at the head of the queue. The second time, let it run to its end, so
that its client eventually gets a reply."
  (ignore-errors
   (sb-thread:interrupt-thread thread (lambda ()
                                        (when *look-up-tag* (throw *look-up-tag* :again))))))

(defun resume-look-ups ()
  "Serve look-ups again after STOP-LOOK-UP. If the thread was too busy to end, it continues."
  (sb-thread:with-mutex (*look-up-lock*)
    (setf *look-ups-stopping* nil)
    (when (and *look-ups* (not (look-up-thread-alive-p))) (start-look-up-thread))))

(defun look-up-thread-alive-p ()
  (and *look-up-thread* (sb-thread:thread-alive-p *look-up-thread*)))

(defun looking-up-p ()
  "Return true if user code may be running in a look-up thread."
  (or *look-ups* *look-up-since* *look-up-left-behind*))

(defun start-look-up-thread ()
  (setf *look-up-since* nil
        *look-up-thread* (sb-thread:make-thread #'look-up-forever :name "lisp-workbench looking up")))

(defun replace-stuck-look-up ()
  "Abandon the thread of a look-up that did not end even after an interrupt, and start another thread. Called by the clock."
  (let ((since *look-up-since*))
    (when (and since (> (- (get-internal-real-time) since)
                        (* 2 *look-up-seconds* internal-time-units-per-second)))
      (sb-thread:with-mutex (*look-up-lock*)
        (when (eql since *look-up-since*)
          (setf *look-up-left-behind* t)
          (reply-error *look-up-id* "timeout" "The look-up took too long and could not be ended; its thread was abandoned.")
          (start-look-up-thread))))))

(defun look-up-forever ()
  (loop for next = (take-look-up)
        while next
        do (destructuring-bind (id operation request &optional again) next
             (sb-sys:scrub-control-stack) ; otherwise objects of the previous look-up would seem to be in use
             (let ((result (if again
                               (perform-look-up operation request)
                               (perform-unless-interrupted operation request))))
               (sb-thread:with-mutex (*look-up-lock*)
                 (unless (serving-p) (return)) ; the look-up was abandoned, and the clock has already replied to its client
                 (setf *look-up-since* nil)
                 (note-other-work)
                 (when (eq result :again) (push (list id operation request t) *look-ups*)))
               (unless (eq result :again) (answer-look-up id operation result))))))

(defun serving-p ()
  (eq *look-up-thread* sb-thread:*current-thread*))

(defun perform-unless-interrupted (operation request)
  "Perform a look-up as PERFORM-LOOK-UP does. Return :AGAIN if it was postponed."
  (let ((tag (list nil)))
    (catch tag
      (let ((*look-up-tag* tag))
        (perform-look-up operation request)))))

(defun take-look-up ()
  "Wait for the next look-up and return it; NIL if the thread must end."
  (sb-thread:with-mutex (*look-up-lock*)
    ;; Checked while the lock is held, because a new thread may run before the code that created it has stored it.
    (unless (serving-p) (return-from take-look-up nil))
    (loop until (or *look-ups* *look-ups-stopping*) do (sb-thread:condition-wait *look-up-wanted* *look-up-lock*))
    (when *look-ups-stopping*
      (setf *look-up-thread* nil)       ; from now on, look-ups need a new thread
      (return-from take-look-up nil))
    (setf *look-up-since* (get-internal-real-time)
          *look-up-id* (first (first *look-ups*))
          *look-up-seconds* (operation-seconds (second (first *look-ups*))))
    (pop *look-ups*)))

(defun perform-look-up (operation request)
  "Perform OPERATION. Return the reply, :LATE, :DEBUGGER, or (:FAILED type message)."
  (call-without-debugger
   (lambda ()
     (with-deadline ((operation-seconds operation))
       (handler-case (funcall (operation-function operation) request)
         (error (condition)
           (list :failed (type-name condition) (message condition 1000)))
         (storage-condition (condition)
           (list :failed (type-name condition) "The look-up needed too much memory.")))))))

(defun answer-look-up (id operation result)
  (cond ((eq result :late)
         (reply-error id "timeout" (format nil "The look-up took longer than ~R seconds." (operation-seconds operation))))
        ((eq result :debugger) (reply-error id "error" "The look-up entered the debugger."))
        ((eq (first result) :failed) (reply-error id (second result) (third result)))
        (t (reply-ok id result))))
