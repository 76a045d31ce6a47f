;;;; Opening files. Opening for input needs no permission, unless it is a terminal, and is denied for the secret of SWANK; opened for output, the file must be the one that
;;;; was shown, though another thread may lead its name elsewhere meanwhile.

(in-package #:lisp-workbench/effects)

(defun open-as-shown (gate effect original held arguments)
  "Open the file of EFFECT only if it is still new, or still there, as EFFECT says; otherwise look at ARGUMENTS again. So nothing is made or
emptied in a folder to which another thread has led the name meanwhile."
  (destructuring-bind (name &rest options &key (if-exists :error) (if-does-not-exist nil given) &allow-other-keys) held
    (let* ((new (equal "new file" (effect-change effect)))
           (creates (if given (eq if-does-not-exist :create) (not (member if-exists '(:overwrite :append)))))
           (excludes (member if-exists '(nil :error :new-version)))) ; when it creates, the call refuses a file that is there
      (labels ((again () (return-from open-as-shown (call-at-gate gate original arguments)))
               (call (&rest held-to)
                 (handler-bind (((or sb-ext:file-exists sb-ext:file-does-not-exist)
                                  (lambda (condition)
                                    (declare (ignore condition))
                                    (when held-to (again)))))
                   (apply original name (append held-to options))))
               (call-in-vain ()         ; the call gives a stream only if the file came or went meanwhile
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
        (when (and stat (zerop (stat-size stat)))
          (ignore-errors (without-guard (sb-posix:unlink name))))))))

(declaim (inline may-be-terminal-p))
(defun may-be-terminal-p (opened)
  "True when OPENED may be a terminal, by SBCL's note of the kind of file; this spares most files the system call."
  (not (and (load-time-value (null (lacking "sparing files the question whether they are terminals")))
            (typep opened 'sb-sys:fd-stream)
            (eq :regular (fd-stream-fd-type opened)))))

(defun call-for-input (gate original arguments)
  "Open for reading, which needs no permission, unless it would open a terminal, where the person types, or the secret of SWANK, with which
guarded code could have itself evaluated as the person's."
  (if (gate-opens gate)
      (let ((opened (apply original arguments)))
        (cond ((secret-p opened)
               (close-opened opened)
               (deny-effect (secret-effect gate) "Anyone who can read it can evaluate as the person, through SWANK"))
              ((and (may-be-terminal-p opened) (not (equal (first arguments) "/dev/null")) (terminal-p opened))
               (close-opened opened)
               (call-decided gate (terminal-effect gate arguments) original arguments))
              (t opened)))
      (apply original arguments)))

(defun secret-p (opened)
  "True when OPENED, a stream, a descriptor or NIL, is the file with the secret of SWANK, under whatever name."
  (let* ((descriptor (opened-descriptor opened))
         (secret (and descriptor *secret* (stat-of *secret*))))
    (and secret
         (let ((stat (stat-of descriptor)))
           (and stat
                (= (stat-inode stat) (stat-inode secret))
                (= (stat-device stat) (stat-device secret)))))))

(defun secret-effect (gate)
  (let ((effect (make-effect *secret* :path *secret*)))
    (setf (effect-kind effect) "read"
          (effect-operator effect) (operator-label (gate-operator gate)))
    effect))

(defun terminal-p (opened)
  "True when OPENED, a stream, a descriptor or NIL, belongs to a terminal."
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

(defun check-opened (effect opened)
  "Check that the opened file is where EFFECT shows it, before anybody writes to it: another thread may have exchanged a folder on the way for
a link since."
  (let* ((descriptor (opened-descriptor opened))
         (name (and descriptor (effect-path effect) (descriptor-name descriptor))))
    (when (and name (string/= (folder-of name) (folder-of (effect-path effect))))
      (take-back-opening opened (equal "new file" (effect-change effect)))
      (deny-effect effect (format nil "While it was opened its name was led to ~A" name)))))
