;;;; Waits for a decision: the thread waits inside the call, like a thread that reads input, until the decision arrives from outside.

(in-package #:lisp-workbench/effects)

(defconstant +most-frames+ 20)
(defconstant +most-inner-frames+ 40)
(defconstant +longest-counted+ 100000 "The maximum length, in characters, of code whose forms are counted for an effect record.")
(defconstant +most-before+ 20 "The maximum number of earlier effects that are reported with a new one.")

(defstruct parked
  "An effect whose thread is waiting for a decision. DECISION is NIL until the decision arrives."
  id effect other-path-p                ; true if the decision may name another path
  (decision nil))                       ; (:PROCEED nil unasked), (:USE-PATH path), (:DENY reason) or (:ABORT reason)

(sb-ext:defglobal *parked-effects* '())
(sb-ext:defglobal *effect-lock* (sb-thread:make-mutex :name "lisp-workbench effects"))
(sb-ext:defglobal *effect-decided* (sb-thread:make-waitqueue :name "lisp-workbench effects"))
(sb-ext:defglobal *effect-count* 0)
(sb-ext:defglobal *id-state* nil)       ; the random state for creating effect ids, initialized in each image

(defvar *at-gate* nil "True while this thread determines or reports the effect of a call.")

(defmacro at-gate (&body body)
  "Run BODY, which determines or reports the effect of a call. The user's print methods may run in BODY. Their effects are denied, and if
such a method fails, a label replaces its output."
  `(let ((*at-gate* t) (*guarded-printing* t)) ,@body))

(defun ask (gate effect still-p)
  "Report EFFECT, wait, and return the decision. Return :AGAIN if the code invoked a restart that only the person may use, or if STILL-P
returns false, which means that the effect is no longer the one that was displayed. In both cases nothing has been done, and the record
shows that."
  (let ((parked (make-parked :id (at-gate (next-effect-id)) :effect effect :other-path-p (and (gate-path-index gate) (effect-path effect))))
        (outcome "interrupted"))
    (when *evaluation* (finish-output-of *evaluation*))
    (let ((record (with-guard-at-once (at-gate (effect-record parked)))))
      (unwind-protect-without-interrupts
           (let ((decision (progn
                             (sb-thread:with-mutex (*effect-lock*) (push parked *parked-effects*))
                             (await-decision parked record))))
             (cond ((and (consp decision) (member (first decision) '(:proceed :use-path))
                         (not (funcall still-p decision)))
                    (setf outcome "changed")
                    :again)
                   (t (setf outcome (outcome-of decision))
                      decision)))
        (sb-thread:with-mutex (*effect-lock*) (setf *parked-effects* (remove parked *parked-effects*)))
        (send-event "effect-settled"
                    "effect" (parked-id parked)
                    "evaluation" (and *evaluation* (evaluation-id *evaluation*))
                    "outcome" outcome)))))

(defun next-effect-id ()
  "Return a new id. The id is unique even after a checkpoint has continued, because it contains the process id. Code cannot guess the next
id."
  (sb-thread:with-mutex (*effect-lock*)
    (unless *id-state* (setf *id-state* (make-random-state t)))
    (format nil "e~36R-~36R-~D-~36R" (microseconds) (sb-posix:getpid) (incf *effect-count*)
            (random (ash 1 64) *id-state*))))

(defun outcome-of (decision)
  (ecase (if (consp decision) (first decision) decision)
    (:proceed "proceeded")
    (:use-path "other-path")
    (:deny "denied")
    (:abort "aborted")
    (:again "interrupted")))

(defun await-decision (parked record)
  "Report RECORD and wait. The restarts are for a person who looks at the thread in the debugger, possibly at once. They never let the call
proceed, because the code itself could invoke them. Only a decision from outside lets the call proceed."
  (flet ((say (text) (lambda (stream) (write-string text stream))))
    (restart-case (progn
                    (send-event "effect-requested" "effect" record)
                    (with-parked-worker () (wait-until-decided parked)))
      (proceed () :report (lambda (stream) (funcall (say "Proceed this once (you are asked again).") stream)) :again)
      (proceed-always ()
        :report (lambda (stream) (funcall (say "Proceed, always for this target (you are asked again).") stream))
        :again)
      (use-path (&rest path)
        :test (lambda (condition) (declare (ignore condition)) (parked-other-path-p parked))
        :report (lambda (stream) (funcall (say "Use another path (you are asked again).") stream))
        (declare (ignore path))
        :again)
      (deny () :report (lambda (stream) (funcall (say "Deny: the code gets an error.") stream))
        (list :deny "It was denied in the debugger")))))

(defun wait-until-decided (parked)
  "Wait until PARKED is decided. Allow interrupts only while this thread does not hold the lock, because a thread that entered the debugger
with the lock would block the thread that delivers the decision."
  (without-interrupts
    (sb-thread:with-mutex (*effect-lock*)
      (loop until (parked-decision parked)
            do (allow-with-interrupts (sb-thread:condition-wait *effect-decided* *effect-lock*)))
      (parked-decision parked))))

(define-operation "decide-effect" (:control request)
  (let ((decision (field request "decision")) (path (field request "path")) (reason (field request "reason"))
        (unasked (eq t (field request "unasked"))))
    (sb-thread:with-mutex (*effect-lock*)
      (let ((parked (find (field request "effect") *parked-effects* :key #'parked-id :test #'equal)))
        (when (and parked (equal decision "use-path") (not (and path (parked-other-path-p parked))))
          (error "This effect cannot use another path."))
        (when (and parked (null (parked-decision parked)))
          (setf (parked-decision parked)
                (cond ((equal decision "proceed") (list :proceed nil unasked))
                      ((equal decision "use-path") (list :use-path path))
                      ((equal decision "abort") (list :abort reason))
                      (t (list :deny reason))))
          (sb-thread:condition-broadcast *effect-decided*))
        (object "found" (json-boolean parked))))))

;;; The record

(defun effect-record (parked)
  (let ((effect (parked-effect parked)) (evaluation *evaluation*))
    (multiple-value-bind (before total) (if evaluation (effect-history evaluation +most-before+) (values '() 0))
     (multiple-value-bind (frames inner) (frame-records)
      (object "effect" (parked-id parked)
              "evaluation" (and evaluation (evaluation-id evaluation))
              "actor" (and evaluation (evaluation-actor evaluation))
              "definedBy" (and (not (and evaluation (field (evaluation-request evaluation) "guard"))) (author-object *author*))
              "unreviewed" (and *persons-code* (null *author*) (changes-object))
              "thread" (thread-label)
              "ownThread" (json-boolean (and evaluation (eq (evaluation-thread evaluation) sb-thread:*current-thread*)))
              "kind" (effect-kind effect)
              "operator" (effect-operator effect)
              "target" (bounded (effect-target effect) +longest-target+)
              "path" (effect-path effect)
              "otherPath" (effect-other-path effect)
              "change" (effect-change effect)
              "facts" (array-of (loop for (name . value) in (effect-facts effect)
                                      collect (object "name" name "value" (bounded value +longest-target+))))
              "frames" (array-of frames)
              "innerFrames" (array-of inner)
              "restarts" (array-of (restart-records parked))
              "system" (system-under-way)
              "systemFile" (system-file-under-way)
              "before" (array-of before)
              "beforeTotal" total)))))

(defun bounded (text limit)
  (if (> (length text) limit)
      (format nil "~A… (~D more characters)" (subseq text 0 limit) (- (length text) limit))
      text))

(defun frame-records ()
  "Return two values: the frames of user code, and the frames of SBCL and the engine between them. While this runs, the effects of user
print methods are denied."
  (let ((own '()) (inner '()))
    (ignore-errors
     (loop with records = (collect-frames)
           for record across records
           for index from 0
           for outermost = (= index (1- (length records)))
           do (if (relevant-name-p (frame-record-name record))
                  (when (< (length own) +most-frames+) (push (own-frame record index outermost) own))
                  (when (< (length inner) +most-inner-frames+)
                    (push (object "call" (inner-frame-text record) "before" (length own)) inner)))))
    (values (nreverse own) (nreverse inner))))

(defun own-frame (record index outermost)
  (let ((frame (frame-object record index)) (evaluates (eq 'eval (frame-record-name record))))
    (object "call" (field frame "call")
            "source" (and (not evaluates) (field frame "source"))
            "form" (and evaluates outermost (form-under-way)))))

(defun inner-frame-text (record)
  "Return the text for an inner frame, which is only its name."
  (print-short (frame-record-name record) 120))

(defun form-under-way ()
  "Return two values: the number, from 1, of the evaluation's running top-level form, and the total number of its forms. Return NIL if no
form is running."
  (let ((code (and *evaluation* (evaluation-reader *evaluation*) (field (evaluation-request *evaluation*) "code"))))
    (when (and code (<= (length code) +longest-counted+))
      (let ((number (1+ (length (evaluation-forms *evaluation*)))))
        (object "number" number "total" (max number (length (read-nodes code :features t))))))))

(defun restart-records (parked)
  (loop for (name label) in `(("PROCEED" "Do it this once.")
                              ("PROCEED-ALWAYS" "Do it, now and whenever this session does the same to the same target.")
                              ,@(and (parked-other-path-p parked) '(("USE-PATH" "Do it to another file.")))
                              ("DENY" "Deny: the code gets an error.")
                              ("ABORT" "Abort the evaluation."))
        collect (object "name" name "label" label)))
