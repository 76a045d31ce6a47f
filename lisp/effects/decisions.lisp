;;;; Waiting for a decision: the thread parks inside the call, as one that reads input does, until somebody outside decides.

(in-package #:lisp-workbench/effects)

(defconstant +most-frames+ 20)
(defconstant +most-inner-frames+ 40)
(defconstant +longest-counted+ 100000 "Characters of code whose forms are counted for a record.")
(defconstant +most-before+ 20 "Earlier effects that are told with a new one.")

(defstruct parked
  id effect other-path-p                ; whether another path can be put in
  (decision nil))                       ; (:PROCEED), (:USE-PATH path), (:DENY reason) or (:ABORT reason)

(sb-ext:defglobal *parked-effects* '())
(sb-ext:defglobal *effect-lock* (sb-thread:make-mutex :name "lisp-workbench effects"))
(sb-ext:defglobal *effect-decided* (sb-thread:make-waitqueue :name "lisp-workbench effects"))
(sb-ext:defglobal *effect-count* 0)

(defun ask (gate effect)
  "Tell of EFFECT and wait. The decision; :AGAIN when a restart was taken that only whoever decides may take."
  (let ((parked (make-parked :id (next-effect-id) :effect effect :other-path-p (and (gate-path-index gate) (effect-path effect))))
        (outcome "interrupted"))
    (when *evaluation* (finish-output-of *evaluation*))
    (let ((record (effect-record parked)))
      (unwind-protect
           (let ((decision (progn
                             (sb-thread:with-mutex (*effect-lock*) (push parked *parked-effects*))
                             (await-decision parked record))))
             (setf outcome (outcome-of decision))
             decision)
        (sb-thread:with-mutex (*effect-lock*) (setf *parked-effects* (remove parked *parked-effects*)))
        (send-event "effect-settled"
                    "effect" (parked-id parked)
                    "evaluation" (and *evaluation* (evaluation-id *evaluation*))
                    "outcome" outcome)))))

(defun next-effect-id ()
  "Unique also where a copy of the image goes on: it has another process id."
  (format nil "e~36R-~36R-~D" (microseconds) (unix-getpid)
          (sb-thread:with-mutex (*effect-lock*) (incf *effect-count*))))

(defun outcome-of (decision)
  (ecase (if (consp decision) (first decision) decision)
    (:proceed "proceeded")
    (:use-path "other-path")
    (:deny "denied")
    (:abort "aborted")
    (:again "interrupted")))

(defun await-decision (parked record)
  "Tell RECORD and wait. The restarts are for whoever looks at the thread in the debugger, which may be as soon as it is told.
Only a decision from outside lets the call go on: a restart could be invoked by the code itself."
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
  "Interrupts come in only while the lock is free: a thread that went into the debugger with it would block the one that decides."
  (without-interrupts
    (sb-thread:with-mutex (*effect-lock*)
      (loop until (parked-decision parked)
            do (allow-with-interrupts (sb-thread:condition-wait *effect-decided* *effect-lock*)))
      (parked-decision parked))))

(define-operation "decide-effect" (:control request)
  (let ((decision (field request "decision")) (path (field request "path")) (reason (field request "reason")))
    (sb-thread:with-mutex (*effect-lock*)
      (let ((parked (find (field request "effect") *parked-effects* :key #'parked-id :test #'equal)))
        (when (and parked (equal decision "use-path") (not (and path (parked-other-path-p parked))))
          (error "This effect takes no other path."))
        (when (and parked (null (parked-decision parked)))
          (setf (parked-decision parked)
                (cond ((equal decision "proceed") '(:proceed))
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
              "thread" (thread-label)
              "ownThread" (json-boolean (and evaluation (eq (evaluation-thread evaluation) sb-thread:*current-thread*)))
              "kind" (effect-kind effect)
              "operator" (effect-operator effect)
              "target" (bounded (effect-target effect) +longest-target+)
              "path" (effect-path effect)
              "otherPath" (effect-other-path effect)
              "facts" (array-of (loop for (name . value) in (effect-facts effect)
                                      collect (object "name" name "value" (bounded value +longest-fact+))))
              "frames" (array-of frames)
              "innerFrames" (array-of inner)
              "restarts" (array-of (restart-records parked))
              "system" (system-under-way)
              "before" (array-of before)
              "beforeTotal" total)))))

(defun bounded (text limit)
  (if (> (length text) limit)
      (format nil "~A… (~D more characters)" (subseq text 0 limit) (- (length text) limit))
      text))

(defun frame-records ()
  "Frames of the code itself, and those of SBCL and the engine between them. Print methods of the code are not let do anything
outside meanwhile."
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
  "The name alone: the arguments are the engine's own business."
  (print-short (frame-record-name record) 120))

(defun form-under-way ()
  "Which of the top-level forms of an evaluation runs, from 1, and how many there are; NIL where it is none of them."
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
