;;;; The guard: checks each call that guarded code makes to an operator in the table. If no code is guarded, the only cost is the test of a
;;;; variable.

(in-package #:lisp-workbench/effects)

(defvar *under-way* '() "The allowed effects whose calls are now running in this thread.")

(defun call-at-gate (gate original arguments)
  (note-reaching-outside)
  (if (harmless-p gate arguments)
      (progn
        (refuse-nul (first arguments))
        (call-for-input gate original arguments))
      (let ((arguments (held-from-look gate (steady-arguments gate arguments))))
        (when *at-gate* (deny-within-gate gate))
        (mapc #'refuse-nul (nthcdr (gate-data gate) arguments))
        (let* ((effect (at-gate (look gate arguments)))
               (part (and effect (at-gate (part-of-allowed-p effect))))
               (allowed (and effect (at-gate (allowed-p effect)))))
          (cond ((null effect) (call-without-effect gate original arguments))
                ((effect-refused effect) (deny-effect effect (effect-refused effect)))
                (part (call-held gate effect original arguments))
                (allowed (call-allowed gate effect original arguments))
                (t (call-decided gate effect original arguments)))))))

(defun deny-within-gate (gate)
  "Deny a call by code that runs while the engine determines the effect of another call."
  (error 'effect-denied :operator (symbol-name (gate-operator gate)) :target "while another effect is being checked"
                        :reason "This code runs where no approval can be requested"))

(defun call-without-effect (gate original arguments)
  "Call ORIGINAL, which would have no effect in the current state of the files. Ensure that it has no effect even if an existing file or
folder disappears a moment later."
  (funcall (or (gate-without gate) 'call-for-input) gate original arguments))

(defun open-nothing (gate original arguments)
  (if (member (getf (rest arguments) :direction) '(:output :io))
      nil                               ; in the current state, the call opens no file and returns NIL
      (call-for-input gate original (list* (first arguments) :if-does-not-exist :error (rest arguments)))))

(defun make-no-folders (gate original arguments)
  (declare (ignore gate original))
  (values (first arguments) nil))

(defun call-held (gate effect original arguments)
  "Call ORIGINAL with the names that EFFECT displays. Return the values that the operator would return for the original ARGUMENTS."
  (let ((held (held-arguments gate effect arguments)))
    (if (gate-call gate)
        (funcall (gate-call gate) gate effect original held arguments)
        (apply original held))))

(defun open-held (gate effect original held arguments)
  (let ((pathname (merge-pathnames (first arguments)))
        (stream (open-as-shown gate effect original held arguments)))
    (when (typep stream 'sb-sys:fd-stream)
      (setf (fd-stream-pathname stream) pathname)) ; the stream must have the name from the original arguments, which may be a logical
                                                   ; pathname
    stream))

(defun make-folders-held (gate effect original held arguments)
  (declare (ignore gate effect))
  (values (first arguments) (nth-value 1 (apply original held))))

(defun rename-held (gate effect original held arguments)
  (declare (ignore gate))
  (let ((new-name (merge-pathnames (second arguments) (merge-pathnames (first arguments)))))
    (destructuring-bind (name &rest truenames) (multiple-value-list (apply original held))
      (declare (ignore name))
      (when (typep (first arguments) 'sb-sys:fd-stream)
        (setf (fd-stream-pathname (first arguments)) new-name
              (fd-stream-file (first arguments)) (effect-other-path effect)))
      (values-list (cons new-name truenames)))))

(defun harmless-p (gate arguments)
  (and (gate-harmless gate) (apply (gate-harmless gate) arguments)))

(defun opening-for-input-p (&optional name &rest options)
  (declare (ignore name))
  (and (member (getf options :direction :input) '(:input :probe))
       (not (eq (getf options :if-does-not-exist) :create))))

(defun stream-of-opening-p (&optional descriptor &rest options)
  "Return true if the stream on DESCRIPTOR is only for input, or is created within an allowed OPEN call."
  (and (not (own-descriptor-p descriptor))
       (or (null (getf options :output))
           (opening-p (getf options :file)))))

(defun others-simple-stream-p (&rest arguments)
  (null (apply 'look-at-own-simple-stream arguments)))

(defun opening-p (file)
  "Return the effect of the allowed OPEN call for FILE that is running in this thread, or NIL."
  (and *under-way*
       (find-if (lambda (effect) (and (effect-opens effect) (equal file (effect-path effect)))) *under-way*)))

(defconstant +longest-address+ 108 "The maximum number of octets in the address of a local socket.")

(defun steady-arguments (gate arguments)
  "Return copies of ARGUMENTS that other code cannot change. If the call itself writes into an argument, do not copy that argument."
  (let ((filled (gate-filled gate)))
    (append (subseq arguments 0 (min filled (length arguments)))
            (mapcar #'steady (nthcdr filled arguments)))))

(defun steady (argument)
  "If another thread could change ARGUMENT after it was displayed, return a copy of it; otherwise return ARGUMENT itself."
  (typecase argument
    ((or string (vector * 4) (vector * 16)) (copy-seq argument)) ; short vectors are copied, because they may be addresses
    ((vector (unsigned-byte 8)) (if (<= (length argument) +longest-address+) (copy-seq argument) argument))
    (string-stream (if (text-stream-p argument) (make-string-input-stream (rest-of-text argument)) argument))
    (cons (if (ignore-errors (list-length argument)) (mapcar #'steady argument) argument))
    (t argument)))

(defun part-of-allowed-p (effect)
  "Return true if EFFECT is part of an allowed effect whose call is running: DELETE-DIRECTORY calls DELETE-FILE, EXIT calls OS-EXIT, a
method calls the next method. All displayed facts must be the same in both effects, because other code, such as a stream's methods, may run
within the allowed call. Starting one program is never part of starting another."
  (and (string/= (effect-kind effect) "run-program")
       (some (lambda (outer)
               (and (string= (effect-kind outer) (effect-kind effect))
                    (cond ((effect-path outer)
                           (and (effect-path effect)
                                (find "contents" (effect-facts outer) :key #'car :test #'string=)
                                (within-p (effect-path effect) (effect-path outer))))
                          (t (and (null (effect-path effect))
                                  (string= (effect-target outer) (effect-target effect))
                                  (equal (effect-facts outer) (effect-facts effect)))))))
             *under-way*)))

(defun call-allowed (gate effect original arguments)
  (at-gate
    (let ((folder (allowed-folder (effect-path effect))))
      (unless (eq folder :silently)
        (if (equal folder (and *cache* (real-name *cache*)))
            (tell effect "recorded" :kind "write" :target folder :once t)
            (tell effect "recorded")))))
  (perform gate effect original arguments))

(defun perform (gate effect original arguments &optional unasked)
  "Make the allowed call. If UNASKED is true, the call was allowed without requesting the person's approval; a file that it writes is then
marked. Files in the image's own temporary folder need no marks."
  (let ((*under-way* (cons effect *under-way*)) (*instead* (effect-instead effect)))
    (if (gate-opens gate)
        (let* ((opened (call-held gate effect original arguments)) (descriptor (opened-descriptor opened)))
          (check-opened effect opened)
          (when (and unasked descriptor) (mark-unasked descriptor (stat-of descriptor)))
          (when (and (typep opened 'sb-sys:fd-stream) (compilers-output-p (effect-path effect)))
            (write-privately opened))
          opened)
        (multiple-value-prog1 (call-held gate effect original arguments)
          (when (and unasked (string= "write" (effect-kind effect)) (effect-path effect))
            (mark-unasked (effect-path effect) (stat-of (effect-path effect))))))))

(defun call-decided (gate effect original arguments)
  "Call ORIGINAL after EFFECT has been allowed. If the effect of the call has changed since it was displayed, request approval again. During
the comparison and the call, hold the files that determine the call's effect."
  (let ((now effect) (holding (make-holding)) (result nil))
    (flet ((still-p (decision)
             (destructuring-bind (choice &optional path unasked) decision
               (declare (ignore unasked))
               (when (eq choice :use-path) (setf arguments (with-other-path gate arguments path)))
               (setf now (at-gate (let ((*holding* holding)) (look gate arguments))))
               (cond ((null now))
                     ((if (eq choice :use-path)
                          (equal path (or (effect-other-path now) (effect-path now)))
                          (same-effect-p now effect)))
                     (t (let-go holding) nil)))))
      (let-go-of-ended)
      (unwind-protect
           (loop
             (let ((decision (if (may-wait-p) (ask gate effect #'still-p) (list :deny "This code runs where no approval can be requested"))))
               (if (eq decision :again)
                   (setf effect now)
                   (destructuring-bind (choice &optional detail unasked) decision
                     (ecase choice
                       (:deny (deny-effect effect detail))
                       (:abort (abort-at effect detail))
                       ((:proceed :use-path)
                        (note effect (if (eq choice :use-path) "other-path" "proceeded") (effect-target (or now effect)))
                        (return (if now
                                    (let ((results (multiple-value-list (perform gate now original arguments unasked))))
                                      (setf result (first results))
                                      (values-list results))
                                    (call-without-effect gate original arguments)))))))))
        (let-go holding (and (sb-ext:process-p result) result))))))

(defun may-wait-p ()
  "Return true if this thread may wait for a decision. Return false in the engine's own threads and work, while the image is exiting, or if
all other threads would have to wait too."
  (and *may-wait*
       (not *gc-inhibit*)
       (null *escape-from-debugger*)
       (not *exit-in-progress*)
       (not (eq sb-thread:*current-thread* *finalizer-thread*))
       (not (eq sb-thread:*current-thread* (sb-thread:main-thread)))))

(defun same-effect-p (one other)
  "Return true if all facts that were displayed for ONE are also true for OTHER. A file to which the call appends may have grown in the
meantime."
  (and (equal (effect-target one) (effect-target other))
       (equal (effect-path one) (effect-path other))
       (equal (effect-other-path one) (effect-other-path other))
       (equal (effect-change one) (effect-change other))
       (equal (decisive-facts one) (decisive-facts other))))

(defun decisive-facts (effect)
  (remove-if (lambda (fact)
               (and (equal "appends" (effect-change effect))
                    (member (car fact) '("size" "modified") :test #'string=)))
             (effect-facts effect)))

(defun deny-effect (effect reason)
  (at-gate
    (if (may-wait-p)
        (note effect "denied" (effect-target effect))
        (tell effect "denied")))
  (let ((initargs (list :operator (effect-operator effect) :target (effect-target effect)
                        :reason (or reason "No reason was given"))))
    (if (effect-path effect)
        (apply #'error 'file-effect-denied :pathname (sb-ext:parse-native-namestring (effect-path effect)) initargs)
        (apply #'error 'effect-denied initargs))))

(defun abort-at (effect reason)
  "End the evaluation. In a thread that the evaluation created, end only that thread."
  (note effect "aborted" (effect-target effect))
  (let ((evaluation *evaluation*))
    (if (and evaluation (eq (evaluation-thread evaluation) sb-thread:*current-thread*))
        (end-evaluation evaluation "ABORT"
                        (format nil "Aborted at ~A ~A. ~@[~A. ~]Do not try another way."
                                (effect-operator effect) (effect-target effect)
                                (and reason (string-right-trim ". " reason))))
        (sb-thread:abort-thread))))
