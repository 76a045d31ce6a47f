;;;; The outgoing frames, in order, never torn. A small frame is written at once by the thread that sends it, when
;;;; nothing waits and the pipe has room; everything else goes through a bounded queue to the writer thread, which alone
;;;; may block. A sender that waits for room in the queue can be interrupted; one that writes cannot.

(in-package #:lisp-workbench/protocol)

(defconstant +queue-limit+ (* 4 1024 1024) "The octets in the queue beyond which SEND waits.")
(defconstant +direct-limit+ 4096 "The octets that a pipe takes without blocking when it polls as writable.")

(sb-ext:defglobal *descriptor* nil "File descriptor of the wire; NIL before START-WRITER: then frames are dropped.")
(sb-ext:defglobal *lock* (sb-thread:make-mutex :name "lisp-workbench writer"))
(sb-ext:defglobal *changed* (sb-thread:make-waitqueue :name "lisp-workbench writer"))
(sb-ext:defglobal *queue* '() "Frames to write, newest first.")
(sb-ext:defglobal *queued* 0 "Octets in *QUEUE* and in the hands of the writer.")
(sb-ext:defglobal *thread* nil)
(sb-ext:defglobal *stopping* nil)        ; true when the thread is to end once the queue is empty
(declaim (type index *queued*))

(defun start-writer (descriptor)
  (setf *descriptor* descriptor
        *queue* '()
        *queued* 0
        *thread* nil)
  (resume-writer))

(defun leave-wire ()
  "Drop what is not written yet and all that is sent from now on: another program owns the descriptor's number."
  (setf *descriptor* nil
        *queue* '()
        *queued* 0
        *thread* nil))

(defun resume-writer ()
  "Start the writer's thread again after STOP-WRITER; a thread that could not end because nobody reads goes on."
  (setf *stopping* nil)
  (unless (and *thread* (sb-thread:thread-alive-p *thread*))
    (setf *thread* (sb-thread:make-thread #'write-until-stopped :name "lisp-workbench writer"))))

(defun stop-writer ()
  "Ask the writer's thread to end as soon as everything is written, and return it. What is sent then waits for RESUME-WRITER."
  (sb-thread:with-mutex (*lock*)
    (setf *stopping* t)
    (sb-thread:condition-broadcast *changed*))
  *thread*)

(defun send (value)
  "Send VALUE as a frame; waits, interruptibly, while the queue is full."
  (multiple-value-bind (octets start end) (encode-frame value)
    (loop until (post octets start end t) do (wait-for-room))))

(defun send-now (value)
  "Send VALUE as a frame without ever waiting: for replies and events, which are few."
  (multiple-value-bind (octets start end) (encode-frame value)
    (post octets start end nil)))

(defun send-event (name &rest fields)
  (send-now (list* :object "event" name fields)))

(defun drain-writer (seconds)
  "Wait until everything is written, at most SECONDS."
  (loop repeat (ceiling seconds 1/500)
        until (zerop *queued*)
        do (sleep 1/500)))

(defun post (octets start end bounded)
  "Write the frame or put it into the queue. False when BOUNDED and the queue is full."
  (declare (type octets octets) (type index start end))
  (without-interrupts
    (sb-thread:with-mutex (*lock*)
      (unless (and bounded (> *queued* +queue-limit+))
        (write-or-queue octets start end)
        t))))

(defun write-or-queue (octets start end)
  "Write a frame at once when nothing waits and the pipe has room, else queue it for the writer's thread. Call with the lock."
  (declare (type octets octets) (type index start end))
  (cond ((null *descriptor*))
        ((and (zerop *queued*) (<= (- end start) +direct-limit+) (writable-p))
         (write-octets octets start end))
        (t
         (push (list* octets start end) *queue*)
         (incf *queued* (- end start))
         (sb-thread:condition-broadcast *changed*))))

(defun frames-waiting-p ()
  (and *queue* t))

(defun queue-full-p ()
  (> *queued* +queue-limit+))

(defun wait-for-room ()
  (sb-thread:with-mutex (*lock*)
    (loop while (> *queued* +queue-limit+)
          do (sb-thread:condition-wait *changed* *lock*))))

(defun write-until-stopped ()
  "Write what is queued. Evaluated code may end all threads that SBCL lists: this one ends only between frames, so that none is torn or lost."
  (without-interrupts
    (loop
      (let ((frames (sb-thread:with-mutex (*lock*)
                      (loop until (or *queue* *stopping*)
                            do (allow-with-interrupts (sb-thread:condition-wait *changed* *lock*)))
                      (nreverse (shiftf *queue* '())))))
        (unless frames (return))
        (mapc #'write-queued frames)))))

(defun write-queued (frame)
  (destructuring-bind (octets start . end) frame
    (write-octets octets start end)
    (sb-thread:with-mutex (*lock*)
      (decf *queued* (- end start))
      (when (<= *queued* +queue-limit+)
        (sb-thread:condition-broadcast *changed*)))))

(defun revive-writer ()
  "Start the writer's thread again when it has ended before its time. Called by the clock."
  (unless (or *stopping* (null *descriptor*) (null *thread*) (sb-thread:thread-alive-p *thread*))
    (resume-writer)))

(defun writable-p ()
  (unix-simple-poll *descriptor* :output 0))

(defun write-octets (octets start end)
  "Write all OCTETS from START to END. The process ends when nobody reads any more, as it has no purpose then."
  (declare (type octets octets) (type index start end))
  (loop while (< start end)
        do (multiple-value-bind (count errno)
               (with-pinned-objects (octets)
                 (unix-write *descriptor* octets start (- end start)))
             (cond (count (incf start count))
                   ((/= errno sb-posix:eintr) (leave-unheard 3))))))
