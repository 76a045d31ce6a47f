;;;; Traced calls on their way out: in batches, bounded for each evaluation.

(in-package #:lisp-workbench/profiling)

(defconstant +batch+ 100 "The usual number of calls in one event.")
(defconstant +most-calls+ 5000 "The most calls that are told of one evaluation; further calls are only counted.")
(defconstant +most-values+ 20 "The most arguments, or values, of one call that are told.")
(defconstant +most-held-calls+ 1000 "The most calls of one evaluation whose arguments and values are held.")
(defconstant +value-text+ 200 "The longest text of an argument or a value, in characters.")

(defvar *reporting* nil "True while a call is told: calls made by printing it are not told.")
(defvar *depth* 0 "The number of traced calls around this one.")

(defstruct batch
  "The calls that were noted of one evaluation. COUNT is of all its calls so far, DROPPED of those that were not
told; TOLD is the count in the last event."
  evaluation (calls '()) (waiting 0) (count 0) (dropped 0) (told 0))

(sb-ext:defglobal *batches-lock* (sb-thread:make-mutex :name "lisp-workbench trace"))
(sb-ext:defglobal *batches* '())

(defun note-call (name depth kind values)
  "Note that a call of NAME began (VALUES are its arguments), ended, or was unwound."
  (let* ((*reporting* t) (evaluation *evaluation*) (number (claim-call evaluation)))
    (when number
      (let ((call (object "function" (name-text name)
                          "depth" depth
                          "kind" kind
                          "values" (array-of (loop for value in values
                                                   repeat +most-values+
                                                   collect (object "text" (print-short value +value-text+)
                                                                   "handle" (held-value value evaluation number))))
                          "thread" (thread-label)
                          "at" (- (microseconds) (evaluation-started evaluation)))))
        (keep-clock-awake)
        (add-call evaluation call)))))

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

(defmacro with-batches (() &body body)
  `(without-interrupts
     (sb-thread:with-mutex (*batches-lock*) ,@body)))

(defun claim-call (evaluation)
  "Count a call and return its number; NIL when it is one too many."
  (with-batches ()
    (let* ((batch (batch-of evaluation)) (number (incf (batch-count batch))))
      (if (<= number +most-calls+)
          number
          (progn (incf (batch-dropped batch)) nil)))))

(defun add-call (evaluation call)
  (with-batches ()
    (let ((batch (batch-of evaluation)))
      (push call (batch-calls batch))
      (when (>= (incf (batch-waiting batch)) +batch+) (send-batch batch)))))

(defun send-batch (batch)
  "Send the calls of BATCH that wait. Call with the lock."
  (when (or (batch-calls batch) (/= (batch-told batch) (batch-dropped batch)))
    (send-event "trace"
                "evaluation" (batch-evaluation batch)
                "calls" (array-of (reverse (batch-calls batch)))
                "dropped" (batch-dropped batch))
    (setf (batch-calls batch) '()
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
