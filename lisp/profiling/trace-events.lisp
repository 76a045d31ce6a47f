;;;; Traced calls on their way out: in batches, bounded for each evaluation. Each is told at its beginning and at its end, by a number.

(in-package #:lisp-workbench/profiling)

(defconstant +batch+ 100 "The usual number of lines in one event.")
(defconstant +most-calls+ 200000 "The most calls that are told of one evaluation; further calls are only counted.")
(defconstant +most-values+ 20 "The most arguments, or values, of one call that are told.")
(defconstant +most-held-calls+ 2000 "The most calls of one evaluation whose arguments and values are held.")
(defconstant +value-text+ 200 "The longest text of an argument or a value, in characters.")

(defvar *reporting* nil "True while a call is told: calls made by printing it are not told.")
(defvar *depth* 0 "The number of traced calls around this one.")
(defvar *caller* nil "The evaluation of the innermost traced call around this one, and its number, in a cons; NIL where none is.")
(defvar *telling* nil "A list of the microseconds that telling the calls within the outermost traced call of this thread took.")

(defstruct batch
  "The calls that were noted of one evaluation. LINES are beginnings and ends that wait to be sent, the latest first. COUNT is of all calls so
far, DROPPED of those that were not told; TOLD is the number of dropped ones in the last event. SLOW are the classes of objects whose
printing did not end in time."
  evaluation (lines '()) (waiting 0) (count 0) (dropped 0) (told 0) (slow '()))

(sb-ext:defglobal *batches-lock* (sb-thread:make-mutex :name "lisp-workbench trace"))
(sb-ext:defglobal *batches* '())

(defmacro with-batches (() &body body)
  `(without-interrupts
     (sb-thread:with-mutex (*batches-lock*) ,@body)))

(defun note-call (number name kind values &optional took)
  "Tell that the call NUMBER of NAME began (VALUES are its arguments), ended after TOOK microseconds, or was unwound."
  (let* ((*reporting* t) (evaluation *evaluation*) (began (microseconds)))
    (add-line evaluation
              (object "call" number
                      "caller" (and (eq evaluation (first *caller*)) (rest *caller*))
                      "function" (name-text name)
                      "depth" *depth*
                      "kind" kind
                      "values" (array-of (loop for value in values
                                               repeat +most-values+
                                               collect (object "text" (traced-text value evaluation)
                                                               "handle" (held-value value evaluation number))))
                      "more" (max 0 (- (length values) +most-values+))
                      "thread" (thread-label)
                      "threadId" (sb-thread:thread-os-tid sb-thread:*current-thread*)
                      "at" (- began (evaluation-started evaluation))
                      "took" took))
    (keep-clock-awake)
    ;; The memory of what waits for a slow reader is bounded: the code waits for it.
    (when (queue-full-p) (wait-for-room))
    (when *telling* (incf (first *telling*) (- (microseconds) began)))))

(defun traced-text (value evaluation)
  "Return VALUE on one line. An object of a class of which one did not print in time before is only named: each further one would cost as long."
  (let ((class (class-of value)))
    (if (member class (slow-classes evaluation) :test #'eq)
        (format nil "#<~A, not printed since another took too long>" (name-text (class-name class)))
        (let* ((began (microseconds))
               (text (print-short value +value-text+)))
          (when (> (- (microseconds) began) 1000000) (note-slow class evaluation))
          text))))

(defun held-value (value evaluation number)
  "A handle of VALUE in the call of that NUMBER, held as the values of EVALUATION are; NIL where these are not kept."
  (and (field (evaluation-request evaluation) "keepValues")
       (<= number +most-held-calls+)
       (hold value (evaluation-id evaluation))))

(defun name-text (name)
  (let ((*package* (find-package '#:common-lisp-user))) (print-short name 300)))

(defun batch-of (evaluation)
  "Return the batch of EVALUATION, a new one when there is none. Call with the lock."
  (let ((id (evaluation-id evaluation)))
    (or (find id *batches* :key #'batch-evaluation :test #'equal)
        (first (push (make-batch :evaluation id) *batches*)))))

(defun slow-classes (evaluation)
  (with-batches () (batch-slow (batch-of evaluation))))

(defun note-slow (class evaluation)
  (with-batches () (pushnew class (batch-slow (batch-of evaluation)) :test #'eq)))

(defun claim-call (evaluation)
  "Count a call and return its number; NIL when it is one too many."
  (with-batches ()
    (let* ((batch (batch-of evaluation)) (number (incf (batch-count batch))))
      (if (<= number +most-calls+)
          number
          (progn (incf (batch-dropped batch)) nil)))))

(defun add-line (evaluation line)
  (with-batches ()
    (let ((batch (batch-of evaluation)))
      (push line (batch-lines batch))
      (when (>= (incf (batch-waiting batch)) +batch+) (send-batch batch)))))

(defun send-batch (batch)
  "Send the lines of BATCH that wait. Call with the lock."
  (when (or (batch-lines batch) (/= (batch-told batch) (batch-dropped batch)))
    (send-event "trace"
                "evaluation" (batch-evaluation batch)
                "calls" (array-of (reverse (batch-lines batch)))
                "dropped" (batch-dropped batch))
    (setf (batch-lines batch) '()
          (batch-waiting batch) 0
          (batch-told batch) (batch-dropped batch))))

(defun flush-trace ()
  "Send the calls that wait. Called by the clock."
  (when *batches*
    (with-batches () (mapc #'send-batch *batches*))))

(defun finish-trace (evaluation)
  "Send the rest of the calls before the reply."
  (when *batches*
    (with-batches ()
      (let ((batch (batch-of evaluation)))
        (send-batch batch)
        (setf *batches* (delete batch *batches*))))))
