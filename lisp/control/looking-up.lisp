;;;; A thread for looking things up, so that it is served while an evaluation runs. It may run print methods and the like,
;;;; so each request has five seconds; a thread that cannot be interrupted is left behind and replaced.

(in-package #:lisp-workbench/control)

(defconstant +look-up-seconds+ 5)

(sb-ext:defglobal *look-up-lock* (sb-thread:make-mutex :name "lisp-workbench looking up"))
(sb-ext:defglobal *look-up-wanted* (sb-thread:make-waitqueue :name "lisp-workbench looking up"))
(sb-ext:defglobal *look-ups* '())       ; what waits, oldest first
(sb-ext:defglobal *look-up-thread* nil)
(sb-ext:defglobal *look-up-since* nil)  ; internal real time at which the one under way began
(sb-ext:defglobal *look-up-id* nil)     ; its request's id
(sb-ext:defglobal *look-ups-stopping* nil)

(defun look-up (id operation request)
  "Called by the control thread."
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

(defun resume-look-ups ()
  "One that was too busy to end goes on."
  (sb-thread:with-mutex (*look-up-lock*)
    (setf *look-ups-stopping* nil)
    (when (and *look-ups* (not (look-up-thread-alive-p))) (start-look-up-thread))))

(defun look-up-thread-alive-p ()
  (and *look-up-thread* (sb-thread:thread-alive-p *look-up-thread*)))

(defun start-look-up-thread ()
  (setf *look-up-since* nil
        *look-up-thread* (sb-thread:make-thread #'look-up-forever :name "lisp-workbench looking up")))

(defun replace-stuck-look-up ()
  "Called by the clock: a look-up that did not even end when it was interrupted gets its thread left behind."
  (let ((since *look-up-since*))
    (when (and since (> (- (get-internal-real-time) since)
                        (* 2 +look-up-seconds+ internal-time-units-per-second)))
      (sb-thread:with-mutex (*look-up-lock*)
        (when (eql since *look-up-since*)
          (reply-error *look-up-id* "timeout" "It could not be ended; its thread was left behind.")
          (start-look-up-thread))))))

(defun look-up-forever ()
  (loop for next = (take-look-up)
        while next
        do (destructuring-bind (id operation request) next
             (let ((result (perform-look-up operation request)))
               (sb-thread:with-mutex (*look-up-lock*)
                 (unless (serving-p) (return)) ; it was given up and answered meanwhile
                 (setf *look-up-since* nil))
               (answer-look-up id result)))))

(defun serving-p ()
  (eq *look-up-thread* sb-thread:*current-thread*))

(defun take-look-up ()
  "The next one; NIL when the thread is to end."
  (sb-thread:with-mutex (*look-up-lock*)
    ;; With the lock: a thread that just began runs before its maker has noted it.
    (unless (serving-p) (return-from take-look-up nil))
    (loop until (or *look-ups* *look-ups-stopping*) do (sb-thread:condition-wait *look-up-wanted* *look-up-lock*))
    (when *look-ups-stopping*
      (setf *look-up-thread* nil)       ; nobody may rely on it from now on
      (return-from take-look-up nil))
    (setf *look-up-since* (get-internal-real-time)
          *look-up-id* (first (first *look-ups*)))
    (pop *look-ups*)))

(defun perform-look-up (operation request)
  "The reply; :LATE; :DEBUGGER; or (:FAILED type message)."
  (call-without-debugger
   (lambda ()
     (with-deadline (+look-up-seconds+)
       (handler-case (funcall (operation-function operation) request)
         (error (condition)
           (list :failed (type-name condition) (message condition 1000)))
         (storage-condition (condition)
           (list :failed (type-name condition) "The look-up needed too much memory.")))))))

(defun answer-look-up (id result)
  (cond ((eq result :late) (reply-error id "timeout" "It took longer than five seconds."))
        ((eq result :debugger) (reply-error id "error" "The look-up entered the debugger."))
        ((eq (first result) :failed) (reply-error id (second result) (third result)))
        (t (reply-ok id result))))
