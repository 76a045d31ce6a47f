;;;; The guard: a call of an operator of the table is looked at when guarded code makes it. It costs nothing but the test of a
;;;; variable where nobody is guarded.

(in-package #:lisp-workbench/effects)

(defvar *under-way* '() "Effects that were allowed and in whose calls this thread is.")

(sb-ext:defglobal *gates* '())          ; those of the table that this SBCL has

(defun install-guard ()
  "Called once, when the core is built, after all other hooks: the guard must come before they do anything."
  (install-gates)
  (setf *unasked-place-p* 'unasked-place-p)
  (put-around 'compile-file #'note-compiling)
  ;; A module may bring operators of the table.
  (put-around 'load (lambda (original &rest arguments)
                      (multiple-value-prog1 (apply original arguments) (install-gates))))
  ;; What UIOP does with temporary files, as for the output of programs, goes where writing is allowed.
  (put-around 'uiop:temporary-directory
              (lambda (original) (if (and *guard* *temporary-base*) (temporary-directory) (funcall original))))
  (put-around 'encapsulate #'refuse-around-engine)
  (put-around 'unencapsulate #'refuse-around-engine))

(defun install-gates ()
  "Guard what of the table is there and not guarded yet. SB-SIMPLE-STREAMS puts a function of its own in the place of OPEN."
  (put-around-again)
  (dolist (gate *gates*) (guard-again gate))
  (when (< (length *gates*) (length *table*))
    (dolist (gate (gates))
      (unless (find (gate-operator gate) *gates* :key #'gate-operator :test #'equal)
        (let ((function (fdefinition (gate-operator gate))))
          (guard-gate gate)
          (setf *gates* (append *gates* (list gate)))
          (remember-gate gate (if (typep function 'generic-function) nil function)))))))

(defun guard-again (gate)
  "Where the operator was redefined, guard what it is now. Called after each load and each guarded evaluation."
  (let ((operator (gate-operator gate)))
    (when (fboundp operator)
      (let ((function (fdefinition operator)))
        (cond ((typep function 'generic-function) (guard-methods-again gate function))
              ((not (nth-value 1 (gethash function *real-functions*))) (guard-gate gate)))))))

(sb-ext:defglobal *guarded-methods* (make-hash-table :test #'eq :weakness :key :synchronized t) "Methods that have the guard.")
(sb-ext:defglobal *guarded-places* (make-hash-table :test #'equal :synchronized t)
  "Operator that is a generic function → its methods when they were looked at last, and the specializers of those that were guarded.")

(defun guard-methods-again (gate function)
  "A module that is loaded again, such as SB-BSD-SOCKETS, defines its methods anew. Methods of other specializers are the code's own."
  (destructuring-bind (&optional methods &rest places) (gethash (gate-operator gate) *guarded-places*)
    (unless (eq methods (sb-mop:generic-function-methods function))
      (without-guard
        (dolist (place places)
          (let ((method (find-method function '() place nil)))
            (when (and method (not (gethash method *guarded-methods*)))
              (guard-method gate function method)))))
      (note-methods gate function places))))

(defun note-methods (gate function places)
  (setf (gethash (gate-operator gate) *guarded-places*) (cons (sb-mop:generic-function-methods function) places)))

(defun guard-gate (gate)
  "Put the guard into the function itself, or into its methods where it has some: what FDEFINITION, #' and METHOD-FUNCTION give has
it too, whatever other name it gets."
  (let* ((operator (gate-operator gate)) (function (fdefinition operator)))
    (forget-inline-expansion operator)
    (if (typep function 'generic-function)
        (let ((methods (copy-list (sb-mop:generic-function-methods function))))
          (dolist (method methods) (guard-method gate function method))
          (note-methods gate function (mapcar #'sb-mop:method-specializers
                                              (remove-if #'method-qualifiers methods))))
        (put-around operator
                    (lambda (original &rest arguments)
                      (declare (dynamic-extent arguments))
                      (if *guard*
                          (call-at-gate gate original arguments)
                          (apply original arguments)))))))

(defun guard-method (gate function method)
  "Replace METHOD by one that has the guard. Code may still add methods of its own, which do nothing outside by themselves."
  (let* ((real (sb-mop:method-function method))
         (guarded (make-instance (class-of method)
                                 :qualifiers (method-qualifiers method)
                                 :specializers (sb-mop:method-specializers method)
                                 :lambda-list (sb-mop:method-lambda-list method)
                                 :documentation (documentation method t)
                                 :function (lambda (arguments next-methods)
                                             (if *guard*
                                                 (call-at-gate gate
                                                               (lambda (&rest arguments) (funcall real arguments next-methods))
                                                               arguments)
                                                 (funcall real arguments next-methods))))))
    (setf (gethash guarded *guarded-methods*) t)
    (add-method function guarded)))

(defun forget-inline-expansion (operator)
  "SB-POSIX lets its functions be compiled into their callers, who would then go past the guard if they asked for it."
  (when (and (symbolp operator)
             (or (info :function :inlining-data operator) (info :function :inlinep operator)
                 (info :function :source-transform operator)))
    (proclaim `(notinline ,operator))
    (clear-info :function :inlining-data operator)))

(defun call-at-gate (gate original arguments)
  (note-reaching-outside)
  (if (harmless-p gate arguments)
      (progn
        (refuse-nul (first arguments))
        (call-for-input gate original arguments))
      (let ((arguments (held-descriptors gate (steady-arguments gate arguments))))
        (mapc #'refuse-nul (names-among gate arguments))
        (let ((effect (look gate arguments)))
          (cond ((null effect) (call-without-effect gate original arguments))
                ((effect-refused effect) (deny-effect effect (effect-refused effect)))
                ((part-of-allowed-p effect) (call-held gate effect original arguments))
                ((allowed-p effect) (call-allowed gate effect original arguments))
                (t (call-decided gate effect original arguments)))))))

(defun names-among (gate arguments)
  "Those of ARGUMENTS that are no mere data."
  (if (member (gate-operator gate) '(sb-bsd-sockets:socket-send sb-bsd-sockets:socket-receive))
      (cddr arguments)
      arguments))

(defun call-without-effect (gate original arguments)
  "It is held to that: a file or a folder that is there now may be missing a moment later."
  (case (gate-operator gate)
    (ensure-directories-exist (values (first arguments) nil))
    (open (if (member (getf (rest arguments) :direction) '(:output :io))
              nil                       ; it was to open nothing
              (call-for-input gate original (list* (first arguments) :if-does-not-exist :error (rest arguments)))))
    (t (call-for-input gate original arguments))))

(defun call-held (gate effect original arguments)
  "Call ORIGINAL for what EFFECT says; give what the operator gives for ARGUMENTS."
  (let ((held (held-arguments gate effect arguments)))
    (case (gate-operator gate)
      (open (let ((pathname (merge-pathnames (first arguments)))
                  (stream (open-as-shown gate effect original held arguments)))
              (when (typep stream 'sb-sys:fd-stream)
                (setf (fd-stream-pathname stream) pathname)) ; which may be a logical one
              stream))
      (ensure-directories-exist (values (first arguments) (nth-value 1 (apply original held))))
      (rename-file (let ((new-name (merge-pathnames (second arguments) (merge-pathnames (first arguments)))))
                     (destructuring-bind (name &rest truenames) (multiple-value-list (apply original held))
                       (declare (ignore name))
                       (when (typep (first arguments) 'sb-sys:fd-stream)
                         (setf (fd-stream-pathname (first arguments)) new-name
                               (fd-stream-file (first arguments)) (effect-other-path effect)))
                       (values-list (cons new-name truenames)))))
      (t (apply original held)))))

(defun open-as-shown (gate effect original held arguments)
  "Open a file that EFFECT says is new only if it still is, and one that is there only if it is; else ARGUMENTS are looked at again. In a
folder to which another thread has led the name nothing is made or emptied so."
  (destructuring-bind (name &rest options &key (if-exists :error) (if-does-not-exist nil given) &allow-other-keys) held
    (let* ((new (equal "new file" (effect-change effect)))
           (creates (if given (eq if-does-not-exist :create) (not (member if-exists '(:overwrite :append)))))
           (excludes (member if-exists '(nil :error :new-version)))) ; what is there, if it creates
      (labels ((again () (return-from open-as-shown (call-at-gate gate original arguments)))
               (call (&rest held-to)
                 (handler-bind (((or sb-ext:file-exists sb-ext:file-does-not-exist)
                                  (lambda (condition)
                                    (declare (ignore condition))
                                    (when held-to (again)))))
                   (apply original name (append held-to options))))
               (call-in-vain ()         ; it gives no stream unless the file came or went meanwhile
                 (let ((opened (apply original name options)))
                   (when opened
                     (take-back-opening opened (not new))
                     (again)))))
        (cond ((not creates) (if new (call-in-vain) (call)))
              (excludes (if new (call) (call-in-vain)))
              (new (call :if-exists :error))
              (t (call :if-does-not-exist :error)))))))

(defun take-back-opening (opened made)
  "Close OPENED, and remove its file if it was MADE for it, whatever its name means by now: CLOSE would remove by that name."
  (let* ((descriptor (opened-descriptor opened)) ; streams of other classes have none
         (name (and descriptor (descriptor-name descriptor))))
    (when (typep opened 'sb-sys:fd-stream)
      (setf (fd-stream-file opened) nil))
    (close-opened opened)
    (when (and made name)
      (let ((stat (stat-of name nil)))
        (when (and stat (zerop (sb-posix:stat-size stat)))
          (ignore-errors (without-guard (sb-posix:unlink name))))))))

(defun harmless-p (gate arguments)
  "Opening for input, and reading and writing a stream that is open, told at the least cost: it is done often."
  (when (eq (gate-look gate) 'look-at-own-simple-stream)
    (return-from harmless-p (null (apply 'look-at-own-simple-stream arguments))))
  (case (gate-operator gate)
    (open (and (member (getf (rest arguments) :direction :input) '(:input :probe))
               (not (eq (getf (rest arguments) :if-does-not-exist) :create))))
    (sb-sys:make-fd-stream (and (not (own-descriptor-p (first arguments)))
                                (or (null (getf (rest arguments) :output))
                                    (opening-p (getf (rest arguments) :file)))))))

(defun opening-p (file)
  "Whether this is how OPEN was allowed to make a stream for FILE."
  (and *under-way*
       (find-if (lambda (effect) (and (string= "OPEN" (effect-operator effect)) (equal file (effect-path effect)))) *under-way*)))

(declaim (inline may-be-terminal-p))
(defun may-be-terminal-p (opened)
  "Spares most files the system call: SBCL noted what kind of file it opened."
  (not (and (load-time-value (null (lacking "sparing files the question whether they are terminals")))
            (typep opened 'sb-sys:fd-stream)
            (eq :regular (fd-stream-fd-type opened)))))

(defun call-for-input (gate original arguments)
  "Files are read unasked; what the person types at a terminal is not."
  (if (member (gate-operator gate) '(open sb-posix:open))
      (let ((opened (apply original arguments)))
        (cond ((and (may-be-terminal-p opened) (not (equal (first arguments) "/dev/null")) (terminal-p opened))
               (close-opened opened)
               (call-decided gate (terminal-effect gate arguments) original arguments))
              (t opened)))
      (apply original arguments)))

(defun terminal-p (opened)
  "Whether OPENED, a stream, a descriptor or NIL, is one of a terminal."
  (let ((descriptor (opened-descriptor opened)))
    (and descriptor (not (member (unix-isatty descriptor) '(nil 0))))))

(defun opened-descriptor (opened)
  (typecase opened
    (integer opened)
    (sb-sys:fd-stream (let ((descriptor (sb-sys:fd-stream-fd opened))) ; negative once it is closed
                        (and (not (minusp descriptor)) descriptor)))))

(defun close-opened (opened)
  (if (integerp opened) (sb-posix:close opened) (close opened :abort t)))

(defun terminal-effect (gate arguments)
  (let ((effect (make-effect (handler-case (real-name (funcall (if (gate-posix-p gate) 'posix-name 'lisp-name) (first arguments)))
                               (error () "a terminal"))
                             :facts '(("what it does" . "reads what is typed there")))))
    (setf (effect-kind effect) "device"
          (effect-operator effect) (operator-label (gate-operator gate)))
    effect))

(defconstant +longest-address+ 108 "Octets of the address of a local socket.")

(defun steady-arguments (gate arguments)
  "What is received goes into the caller's own buffer."
  (if (eq (gate-operator gate) 'sb-bsd-sockets:socket-receive)
      (list* (first arguments) (second arguments) (mapcar #'steady (cddr arguments)))
      (mapcar #'steady arguments)))

(defun steady (argument)
  "A copy of what another thread could change after it was shown."
  (typecase argument
    ((or string (vector * 4) (vector * 16)) (copy-seq argument)) ; the vectors may be addresses
    ((vector (unsigned-byte 8)) (if (<= (length argument) +longest-address+) (copy-seq argument) argument))
    (string-stream (if (text-stream-p argument) (make-string-input-stream (rest-of-text argument)) argument))
    (cons (if (ignore-errors (list-length argument)) (mapcar #'steady argument) argument))
    (t argument)))

(defun part-of-allowed-p (effect)
  "Whether EFFECT is how one that was allowed is done: DELETE-DIRECTORY calls DELETE-FILE, EXIT calls OS-EXIT, a method the next one.
Everything that was shown must be the same: code may run within the call that it was allowed for, such as methods of a stream. No
program is started by starting another."
  (and (string/= (effect-kind effect) "run-program")
       (some (lambda (outer)
               (and (string= (effect-kind outer) (effect-kind effect))
                    (cond ((and (effect-path outer) (string= (effect-operator outer) "DELETE-DIRECTORY"))
                           (and (effect-path effect)
                                (find "contents" (effect-facts outer) :key #'car :test #'string=)
                                (within-p (effect-path effect) (effect-path outer))))
                          ((effect-path outer) nil)
                          (t (and (null (effect-path effect))
                                  (string= (effect-target outer) (effect-target effect))
                                  (equal (effect-facts outer) (effect-facts effect)))))))
             *under-way*)))

(defun call-allowed (gate effect original arguments)
  (let ((folder (allowed-folder (effect-path effect))))
    (unless (eq folder :silently)
      (if (equal folder (and *cache* (real-name *cache*)))
          (tell effect "recorded" :kind "write" :target folder :once t)
          (tell effect "recorded")))
    (perform gate effect original arguments)))

(defun perform (gate effect original arguments)
  (let ((*under-way* (cons effect *under-way*)))
    (if (member (effect-operator effect) '("OPEN" "CREAT") :test #'string=)
        (let ((opened (call-held gate effect original arguments)))
          (check-opened effect opened)
          opened)
        (call-held gate effect original arguments))))

(defun check-opened (effect opened)
  "Another thread may have exchanged a folder on the way for a link since EFFECT was looked at: what was opened must be where it was
shown to be, before anybody writes to it."
  (let* ((descriptor (opened-descriptor opened))
         (name (and descriptor (effect-path effect) (descriptor-name descriptor))))
    (when (and name (string/= (folder-of name) (folder-of (effect-path effect))))
      (take-back-opening opened (equal "new file" (effect-change effect)))
      (deny-effect effect (format nil "While it was opened its name was led to ~A" name)))))

(defun call-decided (gate effect original arguments)
  "Call ORIGINAL once EFFECT was allowed, as it is then: what would now be done elsewhere than was shown is asked for again."
  (let ((now effect))
    (flet ((still-p (decision)
             (destructuring-bind (choice &optional path) decision
               (when (eq choice :use-path) (setf arguments (with-other-path gate arguments path)))
               (setf now (look gate arguments))
               (or (null now)
                   (if (eq choice :use-path)
                       (equal path (or (effect-other-path now) (effect-path now)))
                       (same-effect-p now effect))))))
      (loop
        (let ((decision (if (may-wait-p) (ask gate effect #'still-p) (list :deny "Nobody can be asked at this place"))))
          (if (eq decision :again)
              (setf effect now)
              (destructuring-bind (choice &optional detail) decision
                (ecase choice
                  (:deny (deny-effect effect detail))
                  (:abort (abort-at effect detail))
                  ((:proceed :use-path)
                   (note effect (if (eq choice :use-path) "other-path" "proceeded") (effect-target (or now effect)))
                   (return (if now
                               (perform gate now original arguments)
                               (call-without-effect gate original arguments))))))))))))

(defun may-wait-p ()
  "Not in the engine's own threads and work, nor where the image is about to end or every thread would have to wait too."
  (and *may-wait*
       (not *gc-inhibit*)
       (null *escape-from-debugger*)
       (not *exit-in-progress*)
       (not (eq sb-thread:*current-thread* *finalizer-thread*))
       (not (eq sb-thread:*current-thread* (sb-thread:main-thread)))))

(defun same-effect-p (one other)
  "Whether everything that was shown of ONE is so of OTHER. What is appended to may have grown meanwhile."
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
