;;;; A thread for looking things up, so that it is served while an evaluation runs. It may run print methods and the like,
;;;; so each request has a few seconds, as its operation says; a thread that cannot be interrupted is left behind and replaced.

(in-package #:lisp-workbench/control)

(sb-ext:defglobal *look-up-lock* (sb-thread:make-mutex :name "lisp-workbench looking up"))
(sb-ext:defglobal *look-up-wanted* (sb-thread:make-waitqueue :name "lisp-workbench looking up"))
(sb-ext:defglobal *look-ups* '())       ; waiting look-ups, oldest first: (id operation request &optional put-back)
(sb-ext:defglobal *look-up-thread* nil)
(sb-ext:defglobal *look-up-since* nil)  ; internal real time at which the look-up under way began
(sb-ext:defglobal *look-up-id* nil)     ; the id of that look-up's request
(sb-ext:defglobal *look-up-seconds* 5)  ; how long that look-up may take
(sb-ext:defglobal *look-ups-stopping* nil)
(sb-ext:defglobal *look-up-left-behind* nil) ; true once a thread was left behind that may still run the user's code

(defvar *look-up-tag* nil "The catch tag to which :AGAIN is thrown in this thread so that its look-up is done later; NIL when it may not be.")

(defun look-up (id operation request)
  "Queue OPERATION, a look-up, with its REQUEST. Called by the control thread."
  (sb-thread:with-mutex (*look-up-lock*)
    (setf *look-ups* (nconc *look-ups* (list (list id operation request))))
    (unless (look-up-thread-alive-p) (start-look-up-thread))
    (sb-thread:condition-broadcast *look-up-wanted*)))

(defun stop-look-up ()
  "Ask the thread to end when it has nothing to do, and return it; NIL when there is none."
  (when (look-up-thread-alive-p)
    (sb-thread:with-mutex (*look-up-lock*)
      (setf *look-ups-stopping* t)
      (sb-thread:condition-broadcast *look-up-wanted*)
      *look-up-thread*)))

(defun put-look-up-back (thread)
  "Interrupt the look-up that THREAD is in the midst of: it goes back to the head of the queue, the first time; the second time it is
left to end by itself, so that whoever waits for it is answered at last."
  (ignore-errors
   (sb-thread:interrupt-thread thread (lambda ()
                                        (when *look-up-tag* (throw *look-up-tag* :again))))))

(defun resume-look-ups ()
  "Serve look-ups again after STOP-LOOK-UP; a thread that was too busy to end goes on."
  (sb-thread:with-mutex (*look-up-lock*)
    (setf *look-ups-stopping* nil)
    (when (and *look-ups* (not (look-up-thread-alive-p))) (start-look-up-thread))))

(defun look-up-thread-alive-p ()
  (and *look-up-thread* (sb-thread:thread-alive-p *look-up-thread*)))

(defun looking-up-p ()
  "True when the user's code may run in a thread of look-ups."
  (or *look-ups* *look-up-since* *look-up-left-behind*))

(defun start-look-up-thread ()
  (setf *look-up-since* nil
        *look-up-thread* (sb-thread:make-thread #'look-up-forever :name "lisp-workbench looking up")))

(defun replace-stuck-look-up ()
  "Leave the thread of a look-up behind that did not end even when it was interrupted, and start another. Called by the clock."
  (let ((since *look-up-since*))
    (when (and since (> (- (get-internal-real-time) since)
                        (* 2 *look-up-seconds* internal-time-units-per-second)))
      (sb-thread:with-mutex (*look-up-lock*)
        (when (eql since *look-up-since*)
          (setf *look-up-left-behind* t)
          (reply-error *look-up-id* "timeout" "It could not be ended; its thread was left behind.")
          (start-look-up-thread))))))

(defun look-up-forever ()
  (loop for next = (take-look-up)
        while next
        do (destructuring-bind (id operation request &optional again) next
             (sb-sys:scrub-control-stack) ; else objects of the look-up before would seem to be in use
             (let ((result (if again
                               (perform-look-up operation request)
                               (perform-unless-interrupted operation request))))
               (sb-thread:with-mutex (*look-up-lock*)
                 (unless (serving-p) (return)) ; the look-up was given up and answered meanwhile
                 (setf *look-up-since* nil)
                 (note-other-work)
                 (when (eq result :again) (push (list id operation request t) *look-ups*)))
               (unless (eq result :again) (answer-look-up id operation result))))))

(defun serving-p ()
  (eq *look-up-thread* sb-thread:*current-thread*))

(defun perform-unless-interrupted (operation request)
  "Perform a look-up as PERFORM-LOOK-UP does; return :AGAIN when it was put back."
  (let ((tag (list nil)))
    (catch tag
      (let ((*look-up-tag* tag))
        (perform-look-up operation request)))))

(defun take-look-up ()
  "Wait for the next look-up and return it; NIL when the thread is to end."
  (sb-thread:with-mutex (*look-up-lock*)
    ;; Asked with the lock, since a thread that just began runs before its maker has noted it.
    (unless (serving-p) (return-from take-look-up nil))
    (loop until (or *look-ups* *look-ups-stopping*) do (sb-thread:condition-wait *look-up-wanted* *look-up-lock*))
    (when *look-ups-stopping*
      (setf *look-up-thread* nil)       ; from now on look-ups need a new thread
      (return-from take-look-up nil))
    (setf *look-up-since* (get-internal-real-time)
          *look-up-id* (first (first *look-ups*))
          *look-up-seconds* (operation-seconds (second (first *look-ups*))))
    (pop *look-ups*)))

(defun perform-look-up (operation request)
  "Perform OPERATION; return the reply, :LATE, :DEBUGGER, or (:FAILED type message)."
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
         (reply-error id "timeout" (format nil "It took longer than ~R seconds." (operation-seconds operation))))
        ((eq result :debugger) (reply-error id "error" "The look-up entered the debugger."))
        ((eq (first result) :failed) (reply-error id (second result) (third result)))
        (t (reply-ok id result))))
