;;;; Opening files. Opening for input needs no permission, unless the file is a terminal; opening SWANK's secret file is always denied. A
;;;; file opened for output must be the file that was displayed, even if another thread makes its name refer to another file in the
;;;; meantime.

(in-package #:lisp-workbench/effects)

(defun open-as-shown (gate effect original held arguments)
  "Open the file of EFFECT only if its existence is still as EFFECT describes it; otherwise check ARGUMENTS again. This prevents creating or
truncating a file in a folder to which another thread has redirected the name."
  (destructuring-bind (name &rest options &key (if-exists :error) (if-does-not-exist nil given) &allow-other-keys) held
    (let* ((new (equal "new file" (effect-change effect)))
           (creates (if given (eq if-does-not-exist :create) (not (member if-exists '(:overwrite :append)))))
           (excludes (member if-exists '(nil :error :new-version)))) ; true if a call that creates the file refuses an existing file
      (labels ((again () (return-from open-as-shown (call-at-gate gate original arguments)))
               (call (&rest held-to)
                 (handler-bind (((or sb-ext:file-exists sb-ext:file-does-not-exist)
                                  (lambda (condition)
                                    (declare (ignore condition))
                                    (when held-to (again)))))
                   (apply original name (append held-to options))))
               (call-in-vain ()         ; the call normally returns NIL; it returns a stream only if the file appeared or disappeared in the
                                        ; meantime
                 (let ((opened (apply original name options)))
                   (when opened
                     (take-back-opening opened (not new))
                     (again)))))
        (cond ((not creates) (if new (call-in-vain) (call)))
              (excludes (if new (call) (call-in-vain)))
              (new (call :if-exists :error))
              (t (call :if-does-not-exist :error)))))))

(defun take-back-opening (opened made)
  "Close OPENED. If the call created its file (MADE), remove the file by its current real name. CLOSE would remove it by the original name,
which may now denote another file."
  (let* ((descriptor (opened-descriptor opened)) ; streams of other classes have no descriptor
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
  "Return true if OPENED may be a terminal, according to the file type that SBCL recorded. This avoids a system call for most files."
  (not (and (load-time-value (null (lacking "skipping the terminal check for ordinary files")))
            (typep opened 'sb-sys:fd-stream)
            (eq :regular (fd-stream-fd-type opened)))))

(defun call-for-input (gate original arguments)
  "Open a file for reading. This needs no permission except in two cases: a terminal, where the person types, needs approval; SWANK's secret
file is denied, because with this file guarded code could evaluate as the person."
  (if (gate-opens gate)
      (let ((opened (apply original arguments)))
        (cond ((secret-p opened)
               (close-opened opened)
               (deny-effect (secret-effect gate) "Code that can read this secret can evaluate as the person, through SWANK"))
              ((and (may-be-terminal-p opened) (not (equal (first arguments) "/dev/null")) (terminal-p opened))
               (close-opened opened)
               (call-decided gate (terminal-effect gate arguments) original arguments))
              (t opened)))
      (apply original arguments)))

(defun secret-p (opened)
  "Return true if OPENED, a stream, a descriptor or NIL, is SWANK's secret file under any name."
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
  "Return true if OPENED, a stream, a descriptor or NIL, belongs to a terminal."
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
                             :facts '(("what it does" . "reads the text that is typed there")))))
    (setf (effect-kind effect) "device"
          (effect-operator effect) (operator-label (gate-operator gate)))
    effect))

(defun check-opened (effect opened)
  "Check, before anything is written, that the opened file is at the path that EFFECT displays, because another thread may have replaced a
folder on the path with a link."
  (let* ((descriptor (opened-descriptor opened))
         (name (and descriptor (effect-path effect) (descriptor-name descriptor))))
    (when (and name (string/= (folder-of name) (folder-of (effect-path effect))))
      (take-back-opening opened (equal "new file" (effect-change effect)))
      (deny-effect effect (format nil "While the file was being opened, its name was redirected to ~A" name)))))
