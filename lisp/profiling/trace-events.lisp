;;;; Sends traced calls in batches and limits their number per evaluation. The start and the end of a call are reported separately, with the
;;;; same call number.

(in-package #:lisp-workbench/profiling)

(defconstant +batch+ 100 "The usual number of lines in one event.")
(defconstant +most-calls+ 200000 "The maximum number of calls that are reported for one evaluation. Calls beyond this number are only
counted.")
(defconstant +most-values+ 20 "The maximum number of arguments, and likewise of values, that are reported for one call.")
(defconstant +most-held-calls+ 2000 "The maximum number of calls of one evaluation whose arguments and values are retained.")
(defconstant +value-text+ 200 "The maximum length of an argument's or value's text, in characters.")

(defvar *reporting* nil "True while a call is being reported. Calls made by the printing itself are not reported.")
(defvar *depth* 0 "The number of traced calls that contain the current call.")
(defvar *caller* nil "A cons of the evaluation and the number of the innermost traced call around the current call; NIL if there is none.")
(defvar *telling* nil "A list with one number: the microseconds spent on reporting calls within this thread's outermost traced call.")

(defstruct batch
  "The recorded calls of one evaluation. LINES are the starts and ends of calls that are waiting to be sent, latest first. COUNT is the
number of all calls so far, DROPPED the number of unreported calls. TOLD is the value of DROPPED in the last event. SLOW contains the
classes whose objects took too long to print."
  evaluation (lines '()) (waiting 0) (count 0) (dropped 0) (told 0) (slow '()))

(sb-ext:defglobal *batches-lock* (sb-thread:make-mutex :name "lisp-workbench trace"))
(sb-ext:defglobal *batches* '())

(defmacro with-batches (() &body body)
  `(without-interrupts
     (sb-thread:with-mutex (*batches-lock*) ,@body)))

(defun note-call (number name kind values &optional took)
  "Report an event of call NUMBER, a call of the function NAME. Depending on KIND, the call started with the arguments VALUES, returned
VALUES after TOOK microseconds, or was unwound."
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
    ;; If the core reads slowly, the code waits here, which limits the memory used by waiting messages.
    (when (queue-full-p) (wait-for-room))
    (when *telling* (incf (first *telling*) (- (microseconds) began)))))

(defun traced-text (value evaluation)
  "Return VALUE as text on one line. If an earlier object of the same class took too long to print, return only the class's name, because
each of its objects would take as long."
  (let ((class (class-of value)))
    (if (member class (slow-classes evaluation) :test #'eq)
        (format nil "#<~A, not printed because another one took too long>" (name-text (class-name class)))
        (let* ((began (microseconds))
               (text (print-short value +value-text+)))
          (when (> (- (microseconds) began) 1000000) (note-slow class evaluation))
          text))))

(defun held-value (value evaluation number)
  "Return a handle of VALUE, which belongs to call NUMBER and is retained for EVALUATION. Return NIL if the values of this call are not
retained."
  (and (field (evaluation-request evaluation) "keepValues")
       (<= number +most-held-calls+)
       (hold value (evaluation-id evaluation))))

(defun name-text (name)
  (let ((*package* (find-package '#:common-lisp-user))) (print-short name 300)))

(defun batch-of (evaluation)
  "Return the batch of EVALUATION; create it if necessary. Call with the lock."
  (let ((id (evaluation-id evaluation)))
    (or (find id *batches* :key #'batch-evaluation :test #'equal)
        (first (push (make-batch :evaluation id) *batches*)))))

(defun slow-classes (evaluation)
  (with-batches () (batch-slow (batch-of evaluation))))

(defun note-slow (class evaluation)
  (with-batches () (pushnew class (batch-slow (batch-of evaluation)) :test #'eq)))

(defun claim-call (evaluation)
  "Count a call. Return its number, or NIL if the number exceeds the limit."
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
  "Send the waiting lines of BATCH. Call with the lock."
  (when (or (batch-lines batch) (/= (batch-told batch) (batch-dropped batch)))
    (send-event "trace"
                "evaluation" (batch-evaluation batch)
                "calls" (array-of (reverse (batch-lines batch)))
                "dropped" (batch-dropped batch))
    (setf (batch-lines batch) '()
          (batch-waiting batch) 0
          (batch-told batch) (batch-dropped batch))))

(defun flush-trace ()
  "Send the waiting calls. Called by the clock."
  (when *batches*
    (with-batches () (mapc #'send-batch *batches*))))

(defun finish-trace (evaluation)
  "Send the remaining calls of EVALUATION before its reply."
  (when *batches*
    (with-batches ()
      (let ((batch (batch-of evaluation)))
        (send-batch batch)
        (setf *batches* (delete batch *batches*))))))
