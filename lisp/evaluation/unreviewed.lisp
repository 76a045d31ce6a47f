;;;; Agents' evaluations that the person has not accepted yet. If the person has turned this feature on, the person's own effects need a
;;;; decision while there are unaccepted evaluations. The code and its authors are not tracked: each evaluation of an agent counts, and
;;;; applies to every later effect of the person's evaluations.

(in-package #:lisp-workbench/evaluation)

(defconstant +most-changes+ 20 "The maximum number of agents' unaccepted evaluations that are reported individually. All of them are
counted.")
(defconstant +longest-change+ 400 "The maximum number of characters of each evaluation's code that are reported.")

(sb-ext:defglobal *asks-person* nil)    ; true if the person has turned this feature on for this image
(sb-ext:defglobal *changes* '())        ; (id actor operation code), latest first, at most +MOST-CHANGES+
(sb-ext:defglobal *change-count* 0)     ; number of starts and ends of agents' evaluations in this image
(sb-ext:defglobal *accepted-count* 0)   ; the value of *CHANGE-COUNT* when the person last accepted the changes
(sb-ext:defglobal *changes-lock* (sb-thread:make-mutex :name "lisp-workbench unreviewed changes"))

(declaim (inline asked-p))
(defun asked-p ()
  "Return true if this thread's effects outside the image need approval."
  (or *guard* (and *asks-person* *persons-code* (unaccepted-p))))

(defun unaccepted-p ()
  (> *change-count* *accepted-count*))

(defun note-change (evaluation)
  "Record that an agent's evaluation begins or has ended. Called both times, because the person may accept the earlier changes during the
evaluation, which may make more changes afterwards."
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
  "Return the start of the code that REQUEST evaluates, or the name of what it loads or runs; NIL if it has neither."
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
