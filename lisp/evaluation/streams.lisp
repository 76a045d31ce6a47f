;;;; The streams of evaluated code, of SBCL's own kind, so that code finds in them what it finds in a terminal's: characters,
;;;; an external format, the speed of a buffer. An evaluation has one sink; each of its threads has a port for output and one
;;;; for error output. A port's text leaves as events when its buffer is full, the other port of the thread is written to,
;;;; somebody asks for it, the clock ticks or the evaluation ends.

(in-package #:lisp-workbench/evaluation)

(defconstant +buffer-size+ 4096 "Characters.")

(eval-when (:compile-toplevel :load-toplevel :execute)
  (defun stream-slot (&rest names)
    "The slot of SBCL's streams that has one of NAMES: newer versions call some of them otherwise."
    (let ((slots (mapcar #'dsd-name (dd-slots (find-defstruct-description 'ansi-stream)))))
      (or (some (lambda (name) (find name slots :test #'string=)) names)
          (error "SBCL ~A has no stream slot of the names ~{~A~^, ~}." (lisp-implementation-version) names)))))

(defmacro define-port (name (&rest functions) documentation &body slots)
  "Define the structure NAME of SBCL's stream kind. FUNCTIONS are lists of a function and the names of the slot that it fills."
  `(defstruct (,name (:include ansi-stream
                               ,@(loop for (function . names) in functions
                                       collect `(,(apply #'stream-slot names) #',function)))
                     (:copier nil))
     ,documentation
     ,@slots))

;;; SBCL asks a stream for what is seldom asked by a code for each question. Which code means what is found by asking a stream
;;; that writes it down: versions differ, and have no names for it.

(define-port asked-port ((note-question "MISC") (always-a "IN") (write-nothing "OUT" "COUT"))
  "Keeps the codes by which it was asked, latest first."
  (codes '()))

(defun note-question (port code &rest more)
  (declare (ignore more))
  (push code (asked-port-codes port))
  nil)

(defun always-a (port &rest more)
  (declare (ignore port more))
  #\a)

(defun write-nothing (port character)
  (declare (ignore port character))
  nil)

(eval-when (:compile-toplevel :load-toplevel :execute)
  (defun question-code (question)
    "The code by which SBCL asks QUESTION."
    (let ((port (make-asked-port)))
      (flet ((ask (function &rest arguments)
               (ignore-errors (apply function arguments))))
        (ecase question
          (:column (ask #'charpos port))
          (:finish-output (ask #'finish-output port))
          (:force-output (ask #'force-output port))
          (:element-type (ask #'stream-element-type port))
          (:element-mode (ask #'stream-element-mode port))
          (:external-format (ask #'stream-external-format port))
          (:close (ask #'close port))
          (:listen (ask #'listen port))
          (:unread (ask #'unread-char (ask #'read-char port) port))
          (:clear-input (ask #'clear-input port))))
      (or (first (last (asked-port-codes port)))
          (and (eq question :element-mode) :never-asked)
          (error "SBCL ~A asks no stream for ~A." (lisp-implementation-version) question)))))

(defmacro answer-question (code &body clauses)
  "Like CASE on the CODE of a question, NIL for all others. Each clause has a question or a list of them."
  `(case ,code
     ,@(loop for (questions . body) in clauses
             collect `(,(mapcar #'question-code (if (listp questions) questions (list questions))) ,@body))))

;;; Sinks

(defstruct (sink (:constructor make-sink (evaluation limit)))
  "Where the output of an evaluation goes. EVALUATION is its id. LIMIT counts the characters that may still be sent; CUT those
that were dropped since. PORTS are those that may hold text."
  (evaluation nil :read-only t)
  (limit 0 :type fixnum)
  (cut 0 :type fixnum)
  (lock (sb-thread:make-mutex :name "output") :read-only t)
  (ports '() :type list)
  (unflushed nil))

(declaim (inline make-blank-text))
(defun make-blank-text (length)
  (make-string length))

(define-port output-port ((port-write-char "OUT" "COUT") (port-write-octet "BOUT") (port-write-string "SOUT") (port-misc "MISC"))
  "KIND is :STDOUT, :STDERR or :TERMINAL. The thread that made a port, its OWNER, puts characters into TEXT without a lock and counts them in
FILL; those before SENT have left. Whoever sends them has the sink's lock. PEER is the owner's other port."
  (sink nil :read-only t)
  (kind :stdout :read-only t)
  (owner sb-thread:*current-thread* :read-only t)
  (peer nil)
  (text (make-blank-text 0) :type (simple-array character (*))) ; made at the first character
  (fill 0 :type (mod #.(1+ +buffer-size+)))
  (sent 0 :type (mod #.(1+ +buffer-size+)))
  (start-column 0 :type fixnum)         ; column at which TEXT begins
  (listed nil)                          ; whether the sink knows that there may be text
  (octets '() :type list))              ; of a character that was not written whole yet, latest first

(defmethod print-object ((port output-port) stream)
  (print-unreadable-object (port stream)
    (write-string (ecase (output-port-kind port) (:stdout "standard output") (:stderr "error output") (:terminal "terminal output")) stream)))

(defun make-output-ports (sink)
  "A port for output and one for error output, of the current thread."
  (let ((output (make-output-port :sink sink :kind :stdout))
        (error-output (make-output-port :sink sink :kind :stderr)))
    (setf (output-port-peer output) error-output
          (output-port-peer error-output) output)
    (values output error-output)))

(defun emit (sink kind text start end send)
  "Send a piece of TEXT as far as the limit allows. The caller has the lock of SINK."
  (declare (type sink sink) (type (simple-array character (*)) text) (type fixnum start end))
  (let ((allowed (min (- end start) (sink-limit sink))))
    (when (< allowed (- end start))
      (incf (sink-cut sink) (- end start allowed)))
    (decf (sink-limit sink) allowed)
    (loop with stop = (+ start allowed)
          while (< start stop)
          do (let ((next (min stop (+ start +buffer-size+))))
               (funcall send (object "event" "output"
                                     "evaluation" (sink-evaluation sink)
                                     "stream" (ecase kind (:stdout "stdout") (:stderr "stderr") (:terminal "terminal"))
                                     "text" (subseq text start next)))
               (setf start next)))))

(defun send-pending (port send)
  "Send what PORT holds and has not sent. The caller has the sink's lock. True when there was something."
  (declare (type output-port port))
  (let ((start (output-port-sent port)) (end (output-port-fill port)))
    (when (< start end)
      (setf (output-port-sent port) end)
      (emit (output-port-sink port) (output-port-kind port) (output-port-text port) start end send)
      t)))

(defun empty-port (port)
  "Called by the owner of PORT: send what it holds and begin its buffer anew."
  (declare (type output-port port))
  (sb-thread:with-recursive-lock ((sink-lock (output-port-sink port)))
    (let ((text (output-port-text port)) (start (output-port-sent port)) (end (output-port-fill port)))
      (setf (output-port-start-column port) (port-column port)
            (output-port-fill port) 0
            (output-port-sent port) 0)
      (when (< start end)
        ;; A copy: an interruption of this thread may write while the text is on its way.
        (emit (output-port-sink port) (output-port-kind port) (subseq text start end) 0 (- end start) #'send)))))

(defun list-port (port)
  "Let the sink and the clock know that PORT holds text."
  (let ((sink (output-port-sink port)))
    (sb-thread:with-recursive-lock ((sink-lock sink))
      (setf (output-port-listed port) t)
      (pushnew port (sink-ports sink) :test #'eq)
      (unless (sink-unflushed sink)
        (setf (sink-unflushed sink) t)
        (note-unflushed sink)))))

(defun try-flush (sink)
  "Called by the clock: send what the ports of SINK hold unless somebody is sending or the queue is full. False when it is to come
again: it was not possible, or there was text, after which more may be on its way."
  (let ((lock (sink-lock sink)))
    (when (and (not (queue-full-p)) (sb-thread:grab-mutex lock :waitp nil))
      (unwind-protect
           (let ((busy (remove-if-not (lambda (port) (send-pending port #'send-now)) (sink-ports sink))))
             (dolist (port (sink-ports sink))
               (unless (member port busy :test #'eq)
                 (setf (output-port-listed port) nil)
                 (sb-thread:barrier (:memory))
                 ;; The owner may have written before it could see that.
                 (when (send-pending port #'send-now)
                   (setf (output-port-listed port) t)
                   (push port busy))))
             (setf (sink-ports sink) busy
                   (sink-unflushed sink) (and busy t))
             (null busy))
        (sb-thread:release-mutex lock)))))

(defun finish-sink (sink &optional (send #'send))
  "Send the rest when an evaluation ends or asks for it."
  (sb-thread:with-recursive-lock ((sink-lock sink))
    (dolist (port (sink-ports sink))
      (send-pending port send))))

(defun finish-output-of (evaluation)
  (finish-sink (evaluation-sink evaluation)))

;;; Writing

(declaim (inline begin-writing))
(defun begin-writing (port)
  "Keep the order in which the owner wrote to its two ports."
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
  "Another thread than the owner writes to PORT: what the owner wrote leaves first, then TEXT."
  (let ((sink (output-port-sink port)))
    (sb-thread:with-recursive-lock ((sink-lock sink))
      (send-pending port #'send)
      (emit sink (output-port-kind port) text start end #'send))))

(defun port-write-char (port character)
  ;; SBCL calls it with nothing else.
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
  "The streams of a terminal take octets too. They are the text in UTF-8."
  (declare (type output-port port) (type (unsigned-byte 8) octet))
  (when (/= #b10 (ldb (byte 2 6) octet)) (write-held-octets port)) ; a character begins
  (push octet (output-port-octets port))
  (when (>= (length (output-port-octets port))
            (character-octets (first (last (output-port-octets port)))))
    (write-held-octets port))
  octet)

(defun character-octets (first)
  "How many octets a character has in UTF-8 that begins with the octet FIRST."
  (cond ((< first #xC0) 1) ((< first #xE0) 2) ((< first #xF0) 3) (t 4)))

(defun write-held-octets (port)
  (let ((octets (reverse (shiftf (output-port-octets port) '()))))
    (when octets
      (loop for character across (sb-ext:octets-to-string (coerce octets '(vector (unsigned-byte 8)))
                                                          :external-format '(:utf-8 :replacement #\replacement_character))
            do (port-write-char port character)))))

(defun port-write-string (port string start end)
  "SBCL calls it for WRITE-SEQUENCE of octets too."
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
  "The column after a piece of TEXT that begins at COLUMN."
  (declare (type (simple-array character (*)) text) (type fixnum start end column))
  (let ((newline (position #\Newline text :start start :end end :from-end t)))
    (if newline (- end newline 1) (+ column (- end start)))))

(defun port-misc (port operation argument)
  "What else is asked of a port. Evaluated code may close it; it goes on serving."
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

;;; *QUERY-IO* and *DEBUG-IO* of code for whom nobody answers

(define-port aside-port ((aside-write-char "OUT" "COUT") (aside-write-string "SOUT") (aside-misc "MISC"))
  "Where *QUERY-IO* and *DEBUG-IO* of a client's code write: as in plain SBCL they follow *TERMINAL-IO* where the code binds or sets
that. While it is HOME, the text goes to OUTPUT, which the person sees and the client's reply leaves out, as the contract of
evaluate-lisp has it."
  (home nil :read-only t)
  (output nil :read-only t))

(defmethod print-object ((port aside-port) stream)
  (print-unreadable-object (port stream)
    (write-string "output beside the reply" stream)))

(declaim (inline aside-target))
(defun aside-target (port)
  (declare (type aside-port port))
  (if (eq *terminal-io* (aside-port-home port)) (aside-port-output port) *terminal-io*))

(defun aside-write-char (port character)
  (write-char character (aside-target port)))

(defun aside-write-string (port string start end)
  (write-string string (aside-target port) :start start :end end))

(defun aside-misc (port operation argument)
  (declare (ignore argument))
  (answer-question operation
    (:column (charpos (aside-target port)))
    ((:finish-output :force-output) (finish-output (aside-target port)) nil)
    (:element-type 'character)
    (:element-mode 'character)
    (:external-format :utf-8)
    (:close t)))

;;; Input

(define-port input-port ((input-read-char "IN") (input-misc "MISC"))
  "Asks the person when its text is used up, see ASK-FOR-INPUT; without an EVALUATION it is at its end."
  (evaluation nil :read-only t)
  (text "" :type simple-string)
  (position 0 :type fixnum))

(defmethod print-object ((port input-port) stream)
  ;; The report of END-OF-FILE shows it; by that text main/core/tools knows whose input is at its end, and says why.
  (print-unreadable-object (port stream)
    (write-string "standard input" stream)))

(defun input-left-p (port)
  (< (input-port-position port) (length (input-port-text port))))

(defun input-read-char (port eof-error-p eof-value)
  (cond ((or (input-left-p port) (fill-port port))
         (prog1 (char (input-port-text port) (input-port-position port))
           (incf (input-port-position port))))
        (eof-error-p (error 'end-of-file :stream port))
        (t eof-value)))

(defun input-misc (port operation argument)
  (declare (ignore argument))
  (answer-question operation
    (:listen (cond ((input-left-p port) t) ((input-port-evaluation port) nil) (t :eof)))
    (:unread (when (plusp (input-port-position port)) (decf (input-port-position port))) nil)
    (:clear-input (setf (input-port-position port) (length (input-port-text port))) nil)
    (:element-type 'character)
    (:element-mode 'character)
    (:external-format :utf-8)
    (:close t)))

(defun fill-port (port)
  "Ask the person for a line; false at the end of file."
  (let ((text (and (input-port-evaluation port) (ask-for-input (input-port-evaluation port)))))
    (setf (input-port-position port) 0
          (input-port-text port) (cond ((null text) "")
                                       ((and (plusp (length text)) (char= #\Newline (char text (1- (length text)))))
                                        (coerce text 'simple-string))
                                       (t (format nil "~A~%" text))))
    (plusp (length (input-port-text port)))))
