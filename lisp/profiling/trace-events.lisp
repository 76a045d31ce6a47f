;;;; Traced calls on their way out: in batches, bounded for each evaluation.

(in-package #:lisp-workbench/profiling)

(defconstant +batch+ 100 "Calls in one event, about.")
(defconstant +most-calls+ 5000 "That are told of one evaluation; the rest is counted.")
(defconstant +most-values+ 20 "Arguments or values of one call.")
(defconstant +value-text+ 200 "Characters.")

(defvar *reporting* nil "True while a call is told: what printing then calls is not.")
(defvar *depth* 0 "Traced calls that this one is within.")

(defstruct batch
  "What was noted of one evaluation. COUNT of all its calls so far, DROPPED those that were not told; TOLD is what the last
event said of it."
  evaluation (calls '()) (waiting 0) (count 0) (dropped 0) (told 0))

(sb-ext:defglobal *batches-lock* (sb-thread:make-mutex :name "lisp-workbench trace"))
(sb-ext:defglobal *batches* '())

(defun note-call (name depth kind values)
  "Note that a call of NAME began (VALUES are its arguments), ended, or was unwound."
  (let ((*reporting* t) (evaluation *evaluation*))
    (when (claim-call evaluation)
      (let ((call (object "function" (name-text name)
                          "depth" depth
                          "kind" kind
                          "values" (array-of (loop for value in values
                                                   repeat +most-values+
                                                   collect (print-short value +value-text+)))
                          "thread" (thread-label)
                          "at" (- (microseconds) (evaluation-started evaluation)))))
        (keep-clock-awake)
        (add-call evaluation call)))))

(defun name-text (name)
  (let ((*package* (find-package '#:common-lisp-user))) (print-short name 300)))

(defun batch-of (evaluation)
  "Call with the lock."
  (let ((id (evaluation-id evaluation)))
    (or (find id *batches* :key #'batch-evaluation :test #'equal)
        (first (push (make-batch :evaluation id) *batches*)))))

(defmacro with-batches (() &body body)
  `(without-interrupts
     (sb-thread:with-mutex (*batches-lock*) ,@body)))

(defun claim-call (evaluation)
  "Count a call; false when it is one too many."
  (with-batches ()
    (let ((batch (batch-of evaluation)))
      (if (<= (incf (batch-count batch)) +most-calls+)
          t
          (progn (incf (batch-dropped batch)) nil)))))

(defun add-call (evaluation call)
  (with-batches ()
    (let ((batch (batch-of evaluation)))
      (push call (batch-calls batch))
      (when (>= (incf (batch-waiting batch)) +batch+) (send-batch batch)))))

(defun send-batch (batch)
  "Call with the lock."
  (when (or (batch-calls batch) (/= (batch-told batch) (batch-dropped batch)))
    (send-event "trace"
                "evaluation" (batch-evaluation batch)
                "calls" (array-of (reverse (batch-calls batch)))
                "dropped" (batch-dropped batch))
    (setf (batch-calls batch) '()
          (batch-waiting batch) 0
          (batch-told batch) (batch-dropped batch))))

(defun flush-trace ()
  "Called by the clock."
  (when *batches*
    (with-batches () (mapc #'send-batch *batches*))))

(defun finish-trace (evaluation)
  "Called before the reply: what is left goes first."
  (when *batches*
    (with-batches ()
      (let ((batch (batch-of evaluation)))
        (send-batch batch)
        (setf *batches* (delete batch *batches*))))))
