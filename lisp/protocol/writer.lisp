;;;; Sends the outgoing frames in order, each as a whole. The sending thread writes a small frame itself if no frame is waiting and the pipe
;;;; has room. All other frames go through a bounded queue to the writer thread, the only thread that may block. A sender that waits for
;;;; room in the queue can be interrupted; a thread that is writing cannot.

(in-package #:lisp-workbench/protocol)

(defconstant +queue-limit+ (* 4 1024 1024) "The maximum number of octets in the queue. While the queue holds more, SEND waits.")
(defconstant +direct-limit+ 4096 "The number of octets that a pipe accepts without blocking when poll(2) reports it as writable.")

(sb-ext:defglobal *descriptor* nil "The file descriptor of the wire. It is NIL before START-WRITER; frames are dropped until then.")
(sb-ext:defglobal *lock* (sb-thread:make-mutex :name "lisp-workbench writer"))
(sb-ext:defglobal *changed* (sb-thread:make-waitqueue :name "lisp-workbench writer"))
(sb-ext:defglobal *queue* '() "Frames to write, newest first.")
(sb-ext:defglobal *queued* 0 "The number of octets in *QUEUE* and in the frames that the writer is writing.")
(sb-ext:defglobal *thread* nil)
(sb-ext:defglobal *stopping* nil)        ; true if the writer thread must end once the queue is empty
(declaim (type index *queued*))

(defun start-writer (descriptor)
  (setf *descriptor* descriptor
        *queue* '()
        *queued* 0
        *thread* nil)
  (resume-writer))

(defun leave-wire ()
  "Drop all unwritten frames and all frames sent from now on, because another program now uses the descriptor's number."
  (setf *descriptor* nil
        *queue* '()
        *queued* 0
        *thread* nil))

(defun resume-writer ()
  "Start the writer thread again after STOP-WRITER. If the old thread could not end because its output is not being read, let it continue."
  (setf *stopping* nil)
  (unless (and *thread* (sb-thread:thread-alive-p *thread*))
    (setf *thread* (sb-thread:make-thread #'write-until-stopped :name "lisp-workbench writer"))))

(defun stop-writer ()
  "Tell the writer thread to end as soon as everything is written, and return the thread. Frames sent after this call wait for
RESUME-WRITER."
  (sb-thread:with-mutex (*lock*)
    (setf *stopping* t)
    (sb-thread:condition-broadcast *changed*))
  *thread*)

(defun send (value)
  "Send VALUE as a frame. While the queue is full, wait; the wait can be interrupted."
  (multiple-value-bind (octets start end) (encode-frame value)
    (loop until (post octets start end t) do (wait-for-room))))

(defun send-now (value)
  "Send VALUE as a frame without ever waiting. Used for replies, and for events that are too rare to fill the queue."
  (multiple-value-bind (octets start end) (encode-frame value)
    (post octets start end nil)))

(defun send-event (name &rest fields)
  (send-now (list* :object "event" name fields)))

(defun drain-writer (seconds)
  "Wait until everything is written, for at most SECONDS."
  (loop repeat (ceiling seconds 1/500)
        until (zerop *queued*)
        do (sleep 1/500)))

(defun post (octets start end bounded)
  "Write the frame or put it into the queue. If BOUNDED is true and the queue is full, do neither and return false."
  (declare (type octets octets) (type index start end))
  (without-interrupts
    (sb-thread:with-mutex (*lock*)
      (unless (and bounded (> *queued* +queue-limit+))
        (write-or-queue octets start end)
        t))))

(defun write-or-queue (octets start end)
  "Write a frame at once if it is small, no frame is waiting and the pipe has room; otherwise queue it for the writer thread. Call with the
lock."
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
  "Write the queued frames. Evaluated code may end all threads that SBCL lists, so this thread can be ended only between frames. No frame is
ever truncated or lost."
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
  "Start the writer thread again if it has ended unexpectedly. Called by the clock."
  (unless (or *stopping* (null *descriptor*) (null *thread*) (sb-thread:thread-alive-p *thread*))
    (resume-writer)))

(defun writable-p ()
  (unix-simple-poll *descriptor* :output 0))

(defun write-octets (octets start end)
  "Write all OCTETS from START to END. If nothing reads from the wire any more, end the process, because it no longer has a purpose."
  (declare (type octets octets) (type index start end))
  (loop while (< start end)
        do (multiple-value-bind (count errno)
               (with-pinned-objects (octets)
                 (unix-write *descriptor* octets start (- end start)))
             (cond (count (incf start count))
                   ((/= errno sb-posix:eintr) (leave-unheard 3))))))
