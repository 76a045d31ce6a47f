;;;; The guard: a call of an operator of the table is looked at when guarded code makes it. It costs nothing but the test of a
;;;; variable where nobody is guarded.

(in-package #:lisp-workbench/effects)

(defvar *under-way* '() "Effects that were allowed and in whose calls this thread is.")

(sb-ext:defglobal *gates* '())          ; those of the table that this SBCL has

(defun install-guard ()
  "Called once, when the core is built, after all other hooks: the guard must come before they do anything."
  (setf *gates* (gates))
  (mapc #'guard-gate *gates*)
  ;; What UIOP does with temporary files, as for the output of programs, goes where writing is allowed.
  (encapsulate 'uiop:temporary-directory 'lisp-workbench/guard
               (lambda (original) (if (and *guard* *temporary-base*) (temporary-directory) (funcall original))))
  (remember-guard))

(defun guard-gate (gate)
  (encapsulate (gate-operator gate) 'lisp-workbench/guard
               (lambda (original &rest arguments)
                 (declare (dynamic-extent arguments))
                 (if *guard*
                     (call-at-gate gate original arguments)
                     (apply original arguments)))))

(defun call-at-gate (gate original arguments)
  (if (harmless-p gate arguments)
      (apply original arguments)
      (let* ((arguments (mapcar #'steady arguments))
             (effect (look gate arguments)))
        (cond ((or (null effect) (part-of-allowed-p effect)) (apply original arguments))
              ((allowed-p effect) (call-allowed effect original arguments))
              (t (call-decided gate effect original arguments))))))

(defun harmless-p (gate arguments)
  "Opening for input, told at the least cost: it is done often."
  (and (eq (gate-operator gate) 'open)
       (member (getf (rest arguments) :direction :input) '(:input :probe))
       (not (eq (getf (rest arguments) :if-does-not-exist) :create))))

(defun steady (argument)
  "A copy of what another thread could change after it was shown."
  (typecase argument
    ((or string (vector * 4) (vector * 16)) (copy-seq argument)) ; the vectors may be addresses
    (cons (if (ignore-errors (list-length argument)) (mapcar #'steady argument) argument))
    (t argument)))

(defun part-of-allowed-p (effect)
  "Whether EFFECT is how one that was allowed is done: DELETE-DIRECTORY calls DELETE-FILE, EXIT calls OS-EXIT."
  (some (lambda (outer)
          (and (string= (effect-kind outer) (effect-kind effect))
               (cond ((effect-path outer)
                      (and (string= (effect-operator outer) "DELETE-DIRECTORY")
                           (effect-path effect)
                           (within-p (effect-path effect) (effect-path outer))))
                     (t (string= (effect-target outer) (effect-target effect))))))
        *under-way*))

(defun allowed-p (effect)
  "Everything that it touches is where writing is allowed."
  (and (effect-path effect)
       (member (effect-kind effect) '("write" "delete" "rename" "create-folder" "link" "attributes") :test #'string=)
       (allowed-folder (effect-path effect))
       (or (null (effect-other-path effect)) (allowed-folder (effect-other-path effect)))))

(defun call-allowed (effect original arguments)
  (let ((folder (allowed-folder (effect-path effect))))
    (unless (eq folder :silently)
      (if (equal folder (and *cache* (real-name *cache*)))
          (tell effect "recorded" :kind "write" :target folder :once t)
          (tell effect "recorded")))
    (perform effect original arguments)))

(defun perform (effect original arguments)
  (let ((*under-way* (cons effect *under-way*)))
    (apply original arguments)))

(defun call-decided (gate effect original arguments)
  "Call ORIGINAL once EFFECT was allowed, as it is then: what would now be done elsewhere than was shown is asked for again."
  (loop
    (let ((decision (if (may-wait-p) (ask gate effect) (list :deny "Nobody can be asked at this place"))))
      (unless (eq decision :again)
        (destructuring-bind (choice &optional detail) decision
          (ecase choice
            (:deny (deny-effect effect detail))
            (:abort (abort-at effect detail))
            (:proceed)
            (:use-path (setf arguments (with-other-path gate arguments detail))))
          (let ((now (look gate arguments)))
            (when (or (null now)
                      (if (eq choice :use-path)
                          (equal detail (or (effect-other-path now) (effect-path now)))
                          (same-effect-p now effect)))
              (note effect (if (eq choice :use-path) "other-path" "proceeded") (effect-target (or now effect)))
              (return (perform (or now effect) original arguments)))
            (setf effect now)))))))

(defun may-wait-p ()
  "Not in the engine's own threads and work, nor where the image is about to end or every thread would have to wait too."
  (and *may-wait*
       (not *gc-inhibit*)
       (null *escape-from-debugger*)
       (not *exit-in-progress*)
       (not (eq sb-thread:*current-thread* *finalizer-thread*))
       (not (eq sb-thread:*current-thread* (sb-thread:main-thread)))))

(defun same-effect-p (one other)
  (and (equal (effect-target one) (effect-target other))
       (equal (effect-path one) (effect-path other))
       (equal (effect-other-path one) (effect-other-path other))))

(defun deny-effect (effect reason)
  (if (may-wait-p)
      (note effect "denied" (effect-target effect))
      (tell effect "denied"))
  (let ((initargs (list :operator (effect-operator effect) :target (effect-target effect)
                        :reason (or reason "No reason was given"))))
    (if (effect-path effect)
        (apply #'error 'file-effect-denied :pathname (sb-ext:parse-native-namestring (effect-path effect)) initargs)
        (apply #'error 'effect-denied initargs))))

(defun abort-at (effect reason)
  "End the evaluation; in a thread that it made, that thread."
  (note effect "aborted" (effect-target effect))
  (let ((evaluation *evaluation*))
    (if (and evaluation (eq (evaluation-thread evaluation) sb-thread:*current-thread*))
        (end-evaluation evaluation "ABORT"
                        (format nil "Aborted at ~A ~A. ~@[~A. ~]Do not try another way."
                                (effect-operator effect) (effect-target effect)
                                (and reason (string-right-trim ". " reason))))
        (sb-thread:abort-thread))))

;;; The history

(defun note (effect outcome target &key (kind (effect-kind effect)) once)
  "Keep it for the reply. False when it was not put into the list."
  (and *evaluation*
       (note-effect *evaluation*
                    (object "kind" kind "operator" (effect-operator effect)
                            "target" (bounded target +longest-fact+) "outcome" outcome)
                    once)))

(defun tell (effect outcome &key (kind (effect-kind effect)) (target (effect-target effect)) once)
  "The same, for what was decided here, with an event."
  (when (if *evaluation* (note effect outcome target :kind kind :once once) (stray-told-p))
    (send-event "effect-recorded"
                "evaluation" (and *evaluation* (evaluation-id *evaluation*))
                "actor" (and *evaluation* (evaluation-actor *evaluation*))
                "kind" kind
                "operator" (effect-operator effect)
                "target" (bounded target +longest-target+)
                "path" (effect-path effect)
                "system" (system-under-way)
                "outcome" outcome
                "more" (if *evaluation* 0 (shiftf *untold* 0)))))

(defconstant +most-strays+ 50 "Effects of code of no evaluation that are told in one second; the others are counted.")

(sb-ext:defglobal *stray-second* 0)
(sb-ext:defglobal *strays* 0)
(sb-ext:defglobal *untold* 0)

(defun stray-told-p ()
  "Whether one more may be told now. A print method could try the same a million times while somebody looks."
  (let ((second (get-universal-time)))
    (unless (eql second *stray-second*)
      (setf *stray-second* second *strays* 0))
    (or (<= (incf *strays*) +most-strays+)
        (progn (incf *untold*) nil))))
