;;;; The streams of evaluated code. An evaluation has one sink: output and error output go into one buffer, in the order
;;;; in which they were written, and leave as events when the buffer is full, the stream changes, somebody asks for it,
;;;; the clock ticks or the evaluation ends. Threads that the code starts share the sink, also after the evaluation.

(in-package #:lisp-workbench/evaluation)

(defconstant +buffer-size+ 4096 "Characters.")

(defstruct (sink (:constructor make-sink (evaluation limit)))
  "EVALUATION is its id. LIMIT counts the characters that may still be sent; CUT those that were dropped since."
  (evaluation nil :read-only t)
  (limit 0 :type fixnum)
  (cut 0 :type fixnum)
  (lock (sb-thread:make-mutex :name "output") :read-only t)
  (buffer (make-string 0) :type (simple-array character (*))) ; made at the first character
  (fill 0 :type fixnum)
  (kind :stdout)
  (unflushed nil))

(defclass output-port (sb-gray:fundamental-character-output-stream)
  ((sink :initarg :sink :reader port-sink)
   (kind :initarg :kind :reader port-kind)
   (column :initform 0 :accessor port-column :type fixnum))
  (:documentation "KIND is :STDOUT or :STDERR."))

(defmethod print-object ((port output-port) stream)
  (print-unreadable-object (port stream)
    (write-string (ecase (port-kind port) (:stdout "standard output") (:stderr "error output")) stream)))

(defun flush-sink (sink &optional (send #'send))
  "Send what the buffer of SINK holds. The caller has the lock."
  (declare (type sink sink))
  (let ((fill (sink-fill sink)))
    (setf (sink-unflushed sink) nil)
    (when (plusp fill)
      (let ((text (subseq (sink-buffer sink) 0 fill)))
        (setf (sink-fill sink) 0)
        (funcall send (object "event" "output"
                      "evaluation" (sink-evaluation sink)
                      "stream" (ecase (sink-kind sink) (:stdout "stdout") (:stderr "stderr"))
                      "text" text))))))

(defun try-flush (sink)
  "Called by the clock: flush SINK unless somebody is writing to it or the queue is full. False when it was not possible."
  (let ((lock (sink-lock sink)))
    (when (and (not (queue-full-p)) (sb-thread:grab-mutex lock :waitp nil))
      (unwind-protect (progn (flush-sink sink #'send-now) t)
        (sb-thread:release-mutex lock)))))

(defun finish-sink (sink &optional (send #'send))
  "Send the rest when an evaluation ends or asks for it."
  (sb-thread:with-recursive-lock ((sink-lock sink))
    (flush-sink sink send)))

(defun finish-output-of (evaluation)
  (finish-sink (evaluation-sink evaluation)))

(defun sink-put (sink kind string start end)
  "Append a piece of a simple character string."
  (declare (type sink sink) (type (simple-array character (*)) string) (type fixnum start end) (optimize speed))
  (sb-thread:with-recursive-lock ((sink-lock sink))
    (let ((allowed (min (- end start) (sink-limit sink))))
      (declare (type fixnum allowed))
      (when (< allowed (- end start))
        (incf (sink-cut sink) (- end start allowed))
        (setf end (+ start allowed)))
      (when (plusp allowed)
        (decf (sink-limit sink) allowed)
        (when (zerop (length (sink-buffer sink)))
          (setf (sink-buffer sink) (make-string +buffer-size+)))
        (unless (eq kind (sink-kind sink))
          (flush-sink sink)
          (setf (sink-kind sink) kind))
        (loop
          (let* ((fill (sink-fill sink))
                 (count (min (- end start) (- +buffer-size+ fill))))
            (declare (type fixnum fill count))
            (replace (sink-buffer sink) string :start1 fill :start2 start :end2 (+ start count))
            (setf (sink-fill sink) (+ fill count))
            (incf start count)
            (when (< start end) (flush-sink sink))
            (when (>= start end) (return))))
        (unless (sink-unflushed sink)
          (setf (sink-unflushed sink) t)
          (note-unflushed sink))))))

(defmethod sb-gray:stream-write-string ((port output-port) string &optional (start 0) end)
  (let* ((end (or end (length string)))
         (newline (position #\Newline string :start start :end end :from-end t)))
    (if newline
        (setf (port-column port) (- end newline 1))
        (incf (port-column port) (- end start)))
    (if (typep string '(simple-array character (*)))
        (sink-put (port-sink port) (port-kind port) string start end)
        (sink-put (port-sink port) (port-kind port)
                  (coerce (subseq string start end) '(simple-array character (*))) 0 (- end start))))
  string)

(defmethod sb-gray:stream-write-char ((port output-port) character)
  (if (char= character #\Newline)
      (setf (port-column port) 0)
      (incf (the fixnum (port-column port))))
  (let ((sink (port-sink port)))
    (declare (type sink sink))
    (if (plusp (sink-limit sink))
        (sink-put-char sink (port-kind port) character)
        (sb-thread:with-recursive-lock ((sink-lock sink))
          (incf (sink-cut sink)))))
  character)

(defun sink-put-char (sink kind character)
  (declare (type sink sink) (type character character) (optimize speed))
  (let ((string (make-string 1 :initial-element character)))
    (declare (dynamic-extent string))
    (sink-put sink kind string 0 1)))

(defmethod sb-gray:stream-line-column ((port output-port))
  (port-column port))

(defmethod sb-gray:stream-force-output ((port output-port))
  (finish-sink (port-sink port))
  nil)

(defmethod sb-gray:stream-finish-output ((port output-port))
  (finish-sink (port-sink port))
  nil)

(defmethod close ((port output-port) &key abort)
  "Evaluated code may close its streams; they go on serving."
  (declare (ignore abort))
  t)

;;; Input

(defclass input-port (sb-gray:fundamental-character-input-stream)
  ((evaluation :initarg :evaluation :reader port-evaluation)
   (text :initform "" :accessor port-text)
   (position :initform 0 :accessor port-position))
  (:documentation "Asks the person when its text is used up; see ASK-FOR-INPUT."))

(defmethod print-object ((port input-port) stream)
  (print-unreadable-object (port stream)
    (write-string "standard input" stream)))

(defmethod sb-gray:stream-read-char ((port input-port))
  (if (or (< (port-position port) (length (port-text port)))
          (fill-port port))
      (prog1 (char (port-text port) (port-position port))
        (incf (port-position port)))
      :eof))

(defmethod sb-gray:stream-unread-char ((port input-port) character)
  (declare (ignore character))
  (decf (port-position port))
  nil)

(defmethod sb-gray:stream-listen ((port input-port))
  (< (port-position port) (length (port-text port))))

(defmethod sb-gray:stream-read-char-no-hang ((port input-port))
  (when (< (port-position port) (length (port-text port)))
    (sb-gray:stream-read-char port)))

(defmethod sb-gray:stream-clear-input ((port input-port))
  (setf (port-position port) (length (port-text port)))
  nil)

(defmethod sb-gray:stream-line-column ((port input-port))
  "Y-OR-N-P asks for it on SBCL 2.2."
  nil)

(defmethod close ((port input-port) &key abort)
  (declare (ignore abort))
  t)

(defun fill-port (port)
  "Ask the person for a line; false at the end of file."
  (let ((text (ask-for-input (port-evaluation port))))
    (setf (port-position port) 0
          (port-text port) (cond ((null text) "")
                                 ((and (plusp (length text)) (char= #\Newline (char text (1- (length text))))) text)
                                 (t (format nil "~A~%" text))))
    (not (null text))))
