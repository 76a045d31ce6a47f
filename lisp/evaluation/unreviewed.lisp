;;;; The evaluations of agents that the person has not accepted yet, and whether the person's own effects wait while there are any.
;;;; No code and no author is followed here: whatever an agent evaluated counts, and whatever the person evaluates then is asked about.

(in-package #:lisp-workbench/evaluation)

(defconstant +most-changes+ 20 "The most unaccepted evaluations of agents that are told; all are counted.")
(defconstant +longest-change+ 400 "The most characters of each one's code that are told.")

(sb-ext:defglobal *asks-person* nil)    ; true where the person wants it so for this image
(sb-ext:defglobal *changes* '())        ; (id actor operation code), latest first, at most +MOST-CHANGES+
(sb-ext:defglobal *change-count* 0)     ; beginnings and ends of agents' evaluations in this image
(sb-ext:defglobal *accepted-count* 0)   ; the value of *CHANGE-COUNT* up to which the person accepted them
(sb-ext:defglobal *changes-lock* (sb-thread:make-mutex :name "lisp-workbench unreviewed changes"))

(declaim (inline asked-p))
(defun asked-p ()
  "True when effects of this thread outside the image must be allowed first."
  (or *guard* (and *asks-person* *persons-code* (unaccepted-p))))

(defun unaccepted-p ()
  (> *change-count* *accepted-count*))

(defun note-change (evaluation)
  "Note that an evaluation of an agent begins, or has ended: what it did until then may be anything. Called at both ends, since the person may
accept what has happened so far in between."
  (let ((request (evaluation-request evaluation)))
    (when (field request "guard")
      (sb-thread:with-mutex (*changes-lock*)
        (let ((first (not (unaccepted-p))))
          (when first (setf *changes* '()))
          (incf *change-count*)
          (unless (find (evaluation-id evaluation) *changes* :key #'first :test #'eq)
            (push (list (evaluation-id evaluation) (evaluation-actor evaluation) (field request "op") (changing-text request)) *changes*)
            (when (> (length *changes*) +most-changes+) (setf *changes* (subseq *changes* 0 +most-changes+))))
          (when (and first *asks-person*) (tell-changes)))))))

(defun changing-text (request)
  "The beginning of the code that REQUEST evaluates, or the name of what it loads or runs; NIL when it has neither."
  (let ((text (loop for name in '("code" "text" "system" "file" "name")
                    for value = (field request name)
                    when (stringp value) return value)))
    (and text (subseq text 0 (min (length text) +longest-change+)))))

(defun changes-object ()
  (object "unreviewed" (json-boolean (unaccepted-p))
          "changes" (array-of (loop for (id actor operation code) in (reverse (and (unaccepted-p) *changes*))
                                    collect (object "evaluation" id "actor" actor "operation" operation "code" code)))
          "upTo" *change-count*))

(defun tell-changes ()
  (send-event "agents-changed" "unreviewed" (json-boolean (unaccepted-p))))

(define-operation "ask-person" (:control request)
  (sb-thread:with-mutex (*changes-lock*)
    (setf *asks-person* (field request "on"))
    (changes-object)))

(define-operation "list-changes" (:control request)
  (declare (ignore request))
  (sb-thread:with-mutex (*changes-lock*) (changes-object)))

(define-operation "accept-changes" (:control request)
  (sb-thread:with-mutex (*changes-lock*)
    (setf *accepted-count* (max *accepted-count* (min (field request "upTo") *change-count*)))
    (when *asks-person* (tell-changes))
    (changes-object)))
