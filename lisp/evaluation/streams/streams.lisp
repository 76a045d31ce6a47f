;;;; The streams of evaluated code. They are of SBCL's own kind, because code expects the features of a terminal's streams: characters, an
;;;; external format, a fast buffer. An evaluation has one sink; each of its threads has a port for output and one for error output. A port
;;;; sends its text as events when its buffer is full, when the thread writes to its other port, on request, at a tick of the clock, or when
;;;; the evaluation ends.

(in-package #:lisp-workbench/evaluation)

(defconstant +buffer-size+ 4096 "Characters.")

;;; Sinks

(defstruct (sink (:constructor make-sink (evaluation limit)))
  "A collector that gathers and sends the output of an evaluation. EVALUATION is the evaluation's id. LIMIT is the number of characters that
may still be sent, CUT the number of characters dropped since. DISCARDING is true once the output is no longer wanted. PORTS are the streams
that may have unsent text."
  (evaluation nil :read-only t)
  (limit 0 :type fixnum)
  (cut 0 :type fixnum)
  (discarding nil)
  (tails '() :type list)                ; a TAIL for each kind of output that lost text
  (lock (sb-thread:make-mutex :name "output") :read-only t)
  (ports '() :type list)
  (unflushed nil))

(defconstant +tail-size+ 4096 "Characters.")

(defstruct (tail (:constructor make-tail (kind)))
  "The last characters of KIND beyond the limit of a sink, in a ring; COUNT is the total number of characters beyond the limit."
  (kind nil :read-only t)
  (ring (make-string +tail-size+) :type (simple-array character (*)) :read-only t)
  (count 0 :type fixnum))

(declaim (inline make-blank-text))
(defun make-blank-text (length)
  (make-string length))

(define-port output-port ((port-write-char "OUT" "COUT") (port-write-octet "BOUT") (port-write-string "SOUT") (port-misc "MISC"))
  "An output stream of evaluated code. KIND is :STDOUT, :STDERR or :TERMINAL. OWNER, the thread that created the stream, puts characters
into TEXT without a lock and counts them in FILL. The first SENT of these characters have already been sent. Sending takes the sink's lock.
PEER is the owner's other port."
  (sink nil :read-only t)
  (kind :stdout :read-only t)
  (owner sb-thread:*current-thread* :read-only t)
  (peer nil)
  (text (make-blank-text 0) :type (simple-array character (*))) ; allocated at the first character
  (fill 0 :type (mod #.(1+ +buffer-size+)))
  (sent 0 :type (mod #.(1+ +buffer-size+)))
  (start-column 0 :type fixnum)         ; column at which TEXT begins
  (listed nil)                          ; true when the port is among its sink's PORTS
  (octets '() :type list))              ; octets of an incomplete character, latest first

(defmethod print-object ((port output-port) stream)
  (print-unreadable-object (port stream)
    (write-string (ecase (output-port-kind port) (:stdout "standard output") (:stderr "error output") (:terminal "terminal output")) stream)))

(defun make-output-ports (sink)
  "Create two ports for the current thread: one for output and one for error output."
  (let ((output (make-output-port :sink sink :kind :stdout))
        (error-output (make-output-port :sink sink :kind :stderr)))
    (setf (output-port-peer output) error-output
          (output-port-peer error-output) output)
    (values output error-output)))

(defun emit (sink kind text start end send)
  "Send TEXT from START to END, up to the limit. The caller must hold the lock of SINK."
  (declare (type sink sink) (type (simple-array character (*)) text) (type fixnum start end))
  (let ((allowed (if (sink-discarding sink) 0 (min (- end start) (sink-limit sink)))))
    (when (< allowed (- end start))
      (incf (sink-cut sink) (- end start allowed))
      (unless (sink-discarding sink) (keep-tail sink kind text (+ start allowed) end)))
    (decf (sink-limit sink) allowed)
    (let ((stop (+ start allowed)))
      (unwind-protect
           (loop while (< start stop)
                 do (let ((next (min stop (+ start +buffer-size+))))
                      (funcall send (object "event" "output"
                                            "evaluation" (sink-evaluation sink)
                                            "stream" (ecase kind (:stdout "stdout") (:stderr "stderr") (:terminal "terminal"))
                                            "text" (subseq text start next)))
                      (setf start next)))
        ;; The difference is greater than zero if an interruption ended the wait for room in the queue.
        (incf (sink-cut sink) (- stop start))))))

(defun keep-tail (sink kind text start end)
  "Store the last characters of TEXT from START to END, which is beyond the limit. The caller must hold the lock of SINK."
  (declare (type (simple-array character (*)) text) (type fixnum start end))
  (let* ((tail (or (find kind (sink-tails sink) :key #'tail-kind)
                   (first (push (make-tail kind) (sink-tails sink)))))
         (ring (tail-ring tail))
         (from (max start (- end +tail-size+)))
         (at (mod (+ (tail-count tail) (- from start)) +tail-size+))
         (room (- +tail-size+ at)))
    (declare (type fixnum from at room))
    (replace ring text :start1 at :start2 from :end2 end)
    (when (< room (- end from)) (replace ring text :start2 (+ from room) :end2 end))
    (incf (tail-count tail) (- end start))))

(defun take-tails (sink)
  "Remove the last characters of the output beyond the limit from SINK, and return them in wire form."
  (sb-thread:with-recursive-lock ((sink-lock sink))
    (array-of
     (loop for tail in (shiftf (sink-tails sink) '())
           for count = (tail-count tail) and ring = (tail-ring tail)
           for at = (mod count +tail-size+)
           unless (eq (tail-kind tail) :terminal)
             collect (object "stream" (ecase (tail-kind tail) (:stdout "stdout") (:stderr "stderr"))
                             "text" (if (<= count +tail-size+)
                                        (subseq ring 0 count)
                                        (concatenate 'string (subseq ring at) (subseq ring 0 at)))
                             "skipped" (max 0 (- count +tail-size+)))))))

(defun renew-output-limit (evaluation)
  "Reset the output limit of EVALUATION to its initial value. This leaves room for output after a compiler's long transcript."
  (let ((sink (evaluation-sink evaluation)) (limit (field (evaluation-request evaluation) "outputLimit")))
    (finish-sink sink)
    (sb-thread:with-recursive-lock ((sink-lock sink))
      (setf (sink-limit sink) limit))))

(defun discard-output (sink)
  "From now on, only count the characters written to SINK. Take no lock, because a thread that is waiting for room in the queue may hold it."
  (setf (sink-discarding sink) t))

(defun send-pending (port send)
  "Send the unsent text of PORT. Return true if there was any. The caller must hold the sink's lock."
  (declare (type output-port port))
  (let ((start (output-port-sent port)) (end (output-port-fill port)))
    (when (< start end)
      (setf (output-port-sent port) end)
      (emit (output-port-sink port) (output-port-kind port) (output-port-text port) start end send)
      t)))

(defun empty-port (port)
  "Send the unsent text of PORT and empty its buffer. Called by the owner of PORT."
  (declare (type output-port port))
  (sb-thread:with-recursive-lock ((sink-lock (output-port-sink port)))
    (let ((text (output-port-text port)) (start (output-port-sent port)) (end (output-port-fill port)))
      (setf (output-port-start-column port) (port-column port)
            (output-port-fill port) 0
            (output-port-sent port) 0)
      (when (< start end)
        ;; A copy, because an interruption of this thread may write while the text is being sent.
        (emit (output-port-sink port) (output-port-kind port) (subseq text start end) 0 (- end start) #'send)))))

(defun list-port (port)
  "Register PORT with its sink and the clock as a port with unsent text."
  (let ((sink (output-port-sink port)))
    (sb-thread:with-recursive-lock ((sink-lock sink))
      (setf (output-port-listed port) t)
      (pushnew port (sink-ports sink) :test #'eq)
      (unless (sink-unflushed sink)
        (setf (sink-unflushed sink) t)
        (note-unflushed sink)))))

(defun try-flush (sink)
  "Send the unsent text of SINK's ports. Do nothing if another thread is sending or the queue is full. Return false if the clock must call
this again: either sending was impossible, or there was text and more may follow."
  (let ((lock (sink-lock sink)))
    (when (and (not (queue-full-p)) (sb-thread:grab-mutex lock :waitp nil))
      (unwind-protect
           (let ((busy (remove-if-not (lambda (port) (send-pending port #'send-now)) (sink-ports sink))))
             (dolist (port (sink-ports sink))
               (unless (member port busy :test #'eq)
                 (setf (output-port-listed port) nil)
                 (sb-thread:barrier (:memory))
                 ;; The owner may have written text before it could see that the port is no longer listed.
                 (when (send-pending port #'send-now)
                   (setf (output-port-listed port) t)
                   (push port busy))))
             (setf (sink-ports sink) busy
                   (sink-unflushed sink) (and busy t))
             (null busy))
        (sb-thread:release-mutex lock)))))

(defun finish-sink (sink &optional (send #'send))
  "Send the remaining text of SINK when an evaluation ends or requests this."
  (sb-thread:with-recursive-lock ((sink-lock sink))
    (dolist (port (sink-ports sink))
      (send-pending port send))))

(defun finish-output-of (evaluation)
  (finish-sink (evaluation-sink evaluation)))

;;; Writing

(declaim (inline begin-writing))
(defun begin-writing (port)
  "Send the text in the owner's other port first, to preserve the order of the output."
  (declare (type output-port port))
  (let ((peer (output-port-peer port)))
    (when (and peer (plusp (output-port-fill (the output-port peer))))
      (empty-port peer))))

(declaim (inline end-writing))
(defun end-writing (port)
  (unless (output-port-listed port) (list-port port)))

(defun ensure-text (port)
  (when (zerop (length (output-port-text port)))
    (setf (output-port-text port) (make-string +buffer-size+))))

(defun write-as-stranger (port text start end)
  "Write TEXT to PORT from a thread that is not its owner. Send the owner's text first."
  (let ((sink (output-port-sink port)))
    (sb-thread:with-recursive-lock ((sink-lock sink))
      (send-pending port #'send)
      (emit sink (output-port-kind port) text start end #'send))))

(defun port-write-char (port character)
  ;; SBCL calls this only with arguments of these types.
  (declare (type output-port port) (type character character) (optimize speed (safety 0)))
  (cond ((eq sb-thread:*current-thread* (output-port-owner port))
         (begin-writing port)
         (when (or (= (output-port-fill port) +buffer-size+) (zerop (length (output-port-text port))))
           (empty-port port)
           (ensure-text port))
         (without-interrupts
           (let ((fill (output-port-fill port)))
             (when (< fill +buffer-size+)
               (setf (schar (output-port-text port) fill) character)
               (sb-thread:barrier (:write))
               (setf (output-port-fill port) (1+ fill)))))
         (end-writing port))
        (t (write-as-stranger port (make-string 1 :initial-element character) 0 1)))
  character)

(defun port-write-octet (port octet)
  "Write an octet of text in UTF-8, as a terminal's streams allow."
  (declare (type output-port port) (type (unsigned-byte 8) octet))
  (when (/= #b10 (ldb (byte 2 6) octet)) (write-held-octets port)) ; start of a character
  (push octet (output-port-octets port))
  (when (>= (length (output-port-octets port))
            (character-octets (first (last (output-port-octets port)))))
    (write-held-octets port))
  octet)

(defun character-octets (first)
  "Return the number of octets of a UTF-8 character that begins with the octet FIRST."
  (cond ((< first #xC0) 1) ((< first #xE0) 2) ((< first #xF0) 3) (t 4)))

(defun write-held-octets (port)
  (let ((octets (reverse (shiftf (output-port-octets port) '()))))
    (when octets
      (loop for character across (sb-ext:octets-to-string (coerce octets '(vector (unsigned-byte 8)))
                                                          :external-format '(:utf-8 :replacement #\replacement_character))
            do (port-write-char port character)))))

(defun port-write-string (port string start end)
  "Write STRING from START to END. SBCL also calls this for WRITE-SEQUENCE of octets."
  (declare (type output-port port) (type (simple-array * (*)) string) (type fixnum start))
  (unless (simple-string-p string)
    (loop for index from start below (or end (length string)) do (port-write-octet port (aref string index)))
    (return-from port-write-string string))
  (let* ((end (or end (length string)))
         (text (if (typep string '(simple-array character (*))) string (coerce string '(simple-array character (*))))))
    (declare (type fixnum end) (type (simple-array character (*)) text))
    (if (eq sb-thread:*current-thread* (output-port-owner port))
        (let ((count (- end start)))
          (begin-writing port)
          (when (or (> (+ (output-port-fill port) count) +buffer-size+) (zerop (length (output-port-text port))))
            (empty-port port)
            (ensure-text port))
          (if (> count +buffer-size+)
              (sb-thread:with-recursive-lock ((sink-lock (output-port-sink port)))
                (setf (output-port-start-column port) (column-after text start end (output-port-start-column port)))
                (emit (output-port-sink port) (output-port-kind port) text start end #'send))
              (append-text port text start end)))
        (write-as-stranger port text start end)))
  string)

(defun append-text (port text start end)
  (declare (type output-port port) (type (simple-array character (*)) text) (type fixnum start end) (optimize speed))
  (without-interrupts
    (let* ((fill (output-port-fill port))
           (after (+ fill (the fixnum (- end start)))))
      (declare (type fixnum after))
      (when (<= after +buffer-size+)
        (replace (output-port-text port) text :start1 fill :start2 start :end2 end)
        (sb-thread:barrier (:write))
        (setf (output-port-fill port) after))))
  (end-writing port))

(defun port-column (port)
  (column-after (output-port-text port) 0 (output-port-fill port) (output-port-start-column port)))

(defun column-after (text start end column)
  "Return the column at the end of TEXT from START to END. The text begins at COLUMN."
  (declare (type (simple-array character (*)) text) (type fixnum start end column))
  (let ((newline (position #\Newline text :start start :end end :from-end t)))
    (if newline (- end newline 1) (+ column (- end start)))))

(defun port-misc (port operation argument)
  "Perform the operations of the stream protocol other than writing. Evaluated code can close PORT, but PORT continues to work."
  (declare (ignore argument))
  (answer-question operation
    (:column (port-column port))
    ((:finish-output :force-output)
     (if (eq sb-thread:*current-thread* (output-port-owner port))
         (empty-port port)
         (finish-sink (output-port-sink port)))
     nil)
    (:element-type 'character)
    (:element-mode :bivalent)           ; WRITE-SEQUENCE asks
    (:external-format :utf-8)
    (:close t)))
