;;;; What goes out: frames in order, never torn. A small frame is written at once by the thread that sends it, when
;;;; nothing waits and the pipe has room; everything else goes through a bounded queue to the writer thread, which alone
;;;; may block. A sender that waits for room in the queue can be interrupted; one that writes cannot.

(in-package #:lisp-workbench/protocol)

(defconstant +queue-limit+ (* 4 1024 1024) "Octets; beyond it SEND waits.")
(defconstant +direct-limit+ 4096 "Octets; a pipe that polls as writable takes that many without blocking.")

(sb-ext:defglobal *descriptor* nil "File descriptor of the wire; NIL before START-WRITER: then frames are dropped.")
(sb-ext:defglobal *lock* (sb-thread:make-mutex :name "lisp-workbench writer"))
(sb-ext:defglobal *changed* (sb-thread:make-waitqueue :name "lisp-workbench writer"))
(sb-ext:defglobal *held* nil)            ; a frame that goes out with the next one, as (octets start . end)
(sb-ext:defglobal *queue* '() "Frames to write, newest first.")
(sb-ext:defglobal *queued* 0 "Octets in *QUEUE* and in the hands of the writer.")
(sb-ext:defglobal *thread* nil)
(sb-ext:defglobal *stopping* nil)        ; the thread is to end when the queue is empty
(declaim (type index *queued*))

(defun start-writer (descriptor)
  (setf *descriptor* descriptor
        *held* nil
        *queue* '()
        *queued* 0
        *thread* nil)
  (resume-writer))

(defun resume-writer ()
  "Start the writer's thread again after STOP-WRITER; one that could not end because nobody reads goes on."
  (setf *stopping* nil)
  (unless (and *thread* (sb-thread:thread-alive-p *thread*))
    (setf *thread* (sb-thread:make-thread #'write-until-stopped :name "lisp-workbench writer"))))

(defun stop-writer ()
  "Ask the writer's thread to end as soon as everything is written, and return it. What is sent then waits for RESUME-WRITER."
  (sb-thread:with-mutex (*lock*)
    (post-held)
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

(defun hold-event (name &rest fields)
  "Send an event together with the next frame, at the latest with FLUSH-HELD: one write, and one reader woken, less."
  (multiple-value-bind (octets start end) (encode-frame (list* :object "event" name fields))
    (without-interrupts
      (sb-thread:with-mutex (*lock*)
        (post-held)
        (setf *held* (list* octets start end))))))

(defun flush-held ()
  (when *held*
    (without-interrupts
      (sb-thread:with-mutex (*lock*)
        (post-held)))))

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
      (cond ((and bounded (> *queued* +queue-limit+)) nil)
            (*held*
             (destructuring-bind (held held-start . held-end) (shiftf *held* nil)
               (let* ((length (+ (- held-end held-start) (- end start)))
                      (both (make-array length :element-type '(unsigned-byte 8))))
                 (declare (type octets held both) (type index held-start held-end))
                 (replace both held :start2 held-start :end2 held-end)
                 (replace both octets :start1 (- held-end held-start) :start2 start :end2 end)
                 (write-or-queue both 0 length)))
             t)
            (t (write-or-queue octets start end)
               t)))))

(defun post-held ()
  "Call with the lock."
  (when *held*
    (destructuring-bind (octets start . end) (shiftf *held* nil)
      (write-or-queue octets start end))))

(defun write-or-queue (octets start end)
  "Call with the lock."
  (declare (type octets octets) (type index start end))
  (cond ((null *descriptor*))
        ((and (zerop *queued*) (<= (- end start) +direct-limit+) (writable-p))
         (write-octets octets start end))
        (t
         (push (list* octets start end) *queue*)
         (incf *queued* (- end start))
         (sb-thread:condition-broadcast *changed*))))

(defun queue-full-p ()
  (> *queued* +queue-limit+))

(defun wait-for-room ()
  (sb-thread:with-mutex (*lock*)
    (loop while (> *queued* +queue-limit+)
          do (sb-thread:condition-wait *changed* *lock*))))

(defun write-until-stopped ()
  (loop
    (let ((frames (sb-thread:with-mutex (*lock*)
                    (loop until (or *queue* *stopping*) do (sb-thread:condition-wait *changed* *lock*))
                    (shiftf *queue* '()))))
      (unless frames (return))
      (dolist (frame (nreverse frames))
        (destructuring-bind (octets start . end) frame
          (write-octets octets start end)
          (sb-thread:with-mutex (*lock*)
            (decf *queued* (- end start))
            (when (<= *queued* +queue-limit+)
              (sb-thread:condition-broadcast *changed*))))))))

(defun writable-p ()
  (unix-simple-poll *descriptor* :output 0))

(defun write-octets (octets start end)
  "Write all of it. When nobody reads any more the process has no purpose and ends."
  (declare (type octets octets) (type index start end))
  (loop while (< start end)
        do (multiple-value-bind (count errno)
               (with-pinned-objects (octets)
                 (unix-write *descriptor* octets start (- end start)))
             (cond (count (incf start count))
                   ((/= errno sb-posix:eintr) (os-exit 3 :abort t))))))
