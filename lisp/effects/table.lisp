;;;; All operators that reach outside the image, in one table.

(in-package #:lisp-workbench/effects)

(defparameter *table*
  '(;; The columns are: the operator, the kind of its effects, its look function, and the index of the argument that another path can
    ;; replace.
    ("COMMON-LISP:OPEN"                "write"         look-at-open          0
     :opens t :harmless opening-for-input-p :without open-nothing :call open-held)
    ("COMMON-LISP:DELETE-FILE"         "delete"        look-at-name          0)
    ("COMMON-LISP:RENAME-FILE"         "rename"        look-at-renaming      1
     :call rename-held)
    ("COMMON-LISP:ENSURE-DIRECTORIES-EXIST" "create-folder" look-at-new-folder 0
     :folder t :without make-no-folders :call make-folders-held)
    ("SB-EXT:DELETE-DIRECTORY"         "delete"        look-at-folder        0)
    ("SB-EXT:RUN-PROGRAM"              "run-program"   look-at-program       nil
     :own-errors t)
    ("SB-EXT:PROCESS-KILL"             "signal"        look-at-signal)
    ("SB-EXT:SAVE-LISP-AND-DIE"        "save-image"    look-at-core          0)
    ("SB-EXT:EXIT"                     "exit"          look-at-exit)
    ("SB-SYS:OS-EXIT"                  "exit"          look-at-exit-code)
    ("SB-ALIEN:LOAD-SHARED-OBJECT"     "foreign"       look-at-library       0)
    ("SB-SYS:ENABLE-INTERRUPT"         "process"       look-at-numbers)
    ("SB-EXT:(SETF GC-LOGFILE)"        "write"         look-at-log-file)
    ("SB-SIMPLE-STREAMS:DEVICE-OPEN"   "write"         look-at-simple-stream)
    ("SB-SIMPLE-STREAMS:DEVICE-CLOSE"  "delete"        look-at-closing-simple-stream)
    ("SB-SIMPLE-STREAMS:DEVICE-READ"   "process"       look-at-own-simple-stream nil
     :harmless others-simple-stream-p)
    ("SB-SIMPLE-STREAMS:DEVICE-WRITE"  "process"       look-at-own-simple-stream nil
     :harmless others-simple-stream-p)
    ("SB-THREAD:MAKE-LISTENER-THREAD"  "device"        look-at-listener)
    ("SB-SYS:MAKE-FD-STREAM"           "process"       look-at-descriptor-stream nil
     :harmless stream-of-opening-p)
    ("SB-SYS:INVALIDATE-DESCRIPTOR"    "process"       look-at-first-descriptor nil
     :held held-descriptor)
    ("SB-BSD-SOCKETS:SOCKET-CONNECT"   "connect"       look-at-connection)
    ("SB-BSD-SOCKETS:SOCKET-SEND"      "connect"       look-at-datagram      nil
     :data 2 :held held-socket)
    ("SB-BSD-SOCKETS:SOCKET-BIND"      "listen"        look-at-connection)
    ("SB-BSD-SOCKETS:SOCKET-LISTEN"    "listen"        look-at-listening)
    ("SB-BSD-SOCKETS:SOCKET-RECEIVE"   "process"       look-at-own-socket    nil
     :data 2 :filled 2 :held held-socket)
    ("SB-BSD-SOCKETS:SOCKET-CLOSE"     "process"       look-at-own-socket)
    ("SB-BSD-SOCKETS:SOCKET-SHUTDOWN"  "process"       look-at-own-socket    nil
     :held held-socket)
    ("SB-BSD-SOCKETS:(SETF NON-BLOCKING-MODE)" "process" look-at-setting-socket)
    ("SB-BSD-SOCKETS:GET-HOST-BY-NAME" "connect"       look-at-name-query)
    ("SB-BSD-SOCKETS:GET-HOST-BY-ADDRESS" "connect"    look-at-name-query)
    ("SB-POSIX:OPEN"                   "write"         look-at-posix-open    0
     :opens t)
    ("SB-POSIX:CREAT"                  "write"         look-at-making        0
     :opens t)
    ("SB-POSIX:MKFIFO"                 "write"         look-at-pipe          0)
    ("SB-POSIX:MKNOD"                  "write"         look-at-node          0)
    ("SB-POSIX:MKSTEMP"                "write"         look-at-making        0)
    ("SB-POSIX:TRUNCATE"               "write"         look-at-cutting       0)
    ("SB-POSIX:FTRUNCATE"              "write"         look-at-cutting-descriptor nil
     :held held-descriptor)
    ("SB-POSIX:UNLINK"                 "delete"        look-at-name          0)
    ("SB-POSIX:RMDIR"                  "delete"        look-at-name          0)
    ("SB-POSIX:RENAME"                 "rename"        look-at-two-names     1)
    ("SB-POSIX:LINK"                   "link"          look-at-hard-link     1)
    ("SB-POSIX:SYMLINK"                "link"          look-at-link          1)
    ("SB-POSIX:MKDIR"                  "create-folder" look-at-name          0)
    ("SB-POSIX:MKDTEMP"                "create-folder" look-at-file          0)
    ("SB-POSIX:CHMOD"                  "attributes"    look-at-mode          0)
    ("SB-POSIX:FCHMOD"                 "attributes"    look-at-descriptors-mode nil
     :held held-descriptor)
    ("SB-POSIX:CHOWN"                  "attributes"    look-at-owner         0)
    ("SB-POSIX:LCHOWN"                 "attributes"    look-at-links-owner   0)
    ("SB-POSIX:FCHOWN"                 "attributes"    look-at-descriptors-owner nil
     :held held-descriptor)
    ("SB-POSIX:UTIME"                  "attributes"    look-at-times         0)
    ("SB-POSIX:UTIMES"                 "attributes"    look-at-times         0)
    ("SB-POSIX:CHDIR"                  "folder"        look-at-file          0)
    ("SB-POSIX:FCHDIR"                 "folder"        look-at-descriptor    nil
     :held held-descriptor)
    ("SB-POSIX:CHROOT"                 "folder"        look-at-file          0)
    ("SB-POSIX:SETENV"                 "environment"   look-at-variable)
    ("SB-POSIX:UNSETENV"               "environment"   look-at-variable)
    ("SB-POSIX:PUTENV"                 "environment"   look-at-assignment)
    ("SB-POSIX:KILL"                   "signal"        look-at-signal)
    ("SB-POSIX:KILLPG"                 "signal"        look-at-group-signal)
    ("SB-POSIX:FORK"                   "run-program"   look-at-fork)
    ("SB-POSIX:POSIX-FORK"             "run-program"   look-at-fork)
    ("SB-POSIX:EXECV"                  "run-program"   look-at-becoming)
    ("SB-POSIX:EXIT"                   "exit"          look-at-exit-code)
    ("SB-POSIX:_EXIT"                  "exit"          look-at-exit-code)
    ("SB-POSIX:ABORT"                  "exit"          look-at-exit-code)
    ("SB-POSIX:UMASK"                  "process"       look-at-mask)
    ("SB-POSIX:SETUID"                 "process"       look-at-numbers)
    ("SB-POSIX:SETEUID"                "process"       look-at-numbers)
    ("SB-POSIX:SETREUID"               "process"       look-at-numbers)
    ("SB-POSIX:SETRESUID"              "process"       look-at-numbers)
    ("SB-POSIX:SETFSUID"               "process"       look-at-numbers)
    ("SB-POSIX:SETGID"                 "process"       look-at-numbers)
    ("SB-POSIX:SETEGID"                "process"       look-at-numbers)
    ("SB-POSIX:SETREGID"               "process"       look-at-numbers)
    ("SB-POSIX:SETRESGID"              "process"       look-at-numbers)
    ("SB-POSIX:SETFSGID"               "process"       look-at-numbers)
    ("SB-POSIX:SETPGID"                "process"       look-at-numbers)
    ("SB-POSIX:SETPGRP"                "process"       look-at-numbers)
    ("SB-POSIX:SETSID"                 "process"       look-at-numbers)
    ("SB-POSIX:MLOCKALL"               "process"       look-at-numbers)
    ("SB-POSIX:SYSLOG"                 "write"         look-at-log)
    ("SB-POSIX:IOCTL"                  "device"        look-at-control nil
     :held held-descriptor)
    ("SB-POSIX:TCSETATTR"              "device"        look-at-control nil
     :held held-descriptor)
    ("SB-POSIX:TCSENDBREAK"            "device"        look-at-control nil
     :held held-descriptor)
    ("SB-POSIX:TCFLOW"                 "device"        look-at-control nil
     :held held-descriptor)
    ("SB-POSIX:TCFLUSH"                "device"        look-at-control nil
     :held held-descriptor)
    ;; These operators are refused on descriptors of the connection with the workbench. On other descriptors they have no effect outside the
    ;; image.
    ("SB-POSIX:CLOSE"                  "process"       look-at-first-descriptor nil
     :held held-descriptor)
    ("SB-POSIX:DUP"                    "process"       look-at-first-descriptor nil
     :held held-descriptor)
    ("SB-POSIX:DUP2"                   "process"       look-at-own-descriptor nil
     :held held-descriptors)
    ("SB-POSIX:FCNTL"                  "process"       look-at-first-descriptor nil
     :held held-descriptor)
    ("SB-POSIX:LOCKF"                  "process"       look-at-first-descriptor nil
     :held held-descriptor)
    ("SB-POSIX:READ"                   "process"       look-at-first-descriptor nil
     :held held-descriptor)
    ("SB-POSIX:WRITE"                  "process"       look-at-first-descriptor nil
     :held held-descriptor)
    ("SB-POSIX:LSEEK"                  "process"       look-at-first-descriptor nil
     :held held-descriptor))
  "The operators that reach outside the image: (name kind look path-index slot value …), for the slots of a GATE. Only this table contains
operator names. Operators that this SBCL lacks are left out; a module's operators are added when the module is loaded. SB-EXT:QUIT is not
listed, because it calls EXIT. tests/operators.lisp contains a judgement about each other function that SBCL exports.")

(macrolet ((define-gate (&rest slots)
             `(progn
                (defstruct (gate (:constructor make-gate (operator kind look &optional path-index
                                                          &key ,@(loop for (name default) in (nthcdr 4 slots) collect `(,name ,default)))))
                  "A guarded operator. Functions are named by symbols; NIL means the default behaviour.
OPERATOR: the function's name
KIND: the kind of its effects
LOOK: called with the arguments; returns the effect that a call would have, or NIL
PATH-INDEX: the index of the argument that another path can replace, or NIL
FOLDER: true if that path is the path of a folder
DATA: the number of leading arguments that are only data and cannot name a target
FILLED: the number of leading arguments into which the call writes; they must be the caller's own objects, and all other arguments are
copied
OPENS: true if a call returns the stream or descriptor that it opened
OWN-ERRORS: true if the operator itself signals the errors about invalid arguments; with a PATH-INDEX this is always the case
HELD: called with the arguments; returns arguments with which the call uses exactly the checked objects
HARMLESS: called with the arguments; returns true if a call certainly has no effect; it must be fast, because it is called often
WITHOUT: called with the gate, the function and the arguments, in place of a call that would have no effect
CALL: called with the gate, the effect, the function, the arguments that were shown and the caller's own arguments; makes the call"
                  ,@(mapcar #'first slots))
                (defun same-gate-p (one other)
                  (and ,@(loop for (name) in slots
                               for reader = (intern (format nil "GATE-~A" name))
                               collect `(eql (,reader one) (,reader other)))))
                (defun put-back-gate (gate copy)
                  "Copy all slots of COPY into GATE."
                  (setf ,@(loop for (name) in slots
                                for reader = (intern (format nil "GATE-~A" name))
                                append `((,reader gate) (,reader copy))))))))
  (define-gate (operator) (kind) (look) (path-index)
    (folder nil) (data 0) (filled 0) (opens nil) (own-errors nil) (held nil) (harmless nil) (without nil) (call nil)))

(defun gates ()
  "Return the gates of the operators in the table that exist now."
  (loop for (name . slots) in *table*
        for operator = (operator-named name)
        when operator collect (apply #'make-gate operator slots)))

(defun operator-named (name)
  "Return the function name that the text NAME denotes, or NIL. SB-EXT:(SETF GC-LOGFILE) denotes (SETF SB-EXT:GC-LOGFILE)."
  (let* ((colon (position #\: name))
         (package (find-package (subseq name 0 colon)))
         (setf-function (search "(SETF " name))
         (symbol (and package (find-symbol (if setf-function
                                               (subseq name (+ setf-function 6) (1- (length name)))
                                               (subseq name (1+ colon)))
                                           package)))
         (operator (if setf-function (list 'setf symbol) symbol)))
    (and symbol (fboundp operator) operator)))

(defun operator-label (operator)
  "Return the operator's name without its package, such as DELETE-FILE or (SETF GC-LOGFILE)."
  (if (consp operator)
      (format nil "(SETF ~A)" (symbol-name (second operator)))
      (symbol-name operator)))

(defun gate-posix-p (gate)
  (let ((operator (gate-operator gate)))
    (and (symbolp operator) (equal "SB-POSIX" (package-name (symbol-package operator))))))

(defun look (gate arguments)
  "Return the effect of calling the operator with ARGUMENTS, or NIL. Invalid arguments normally count as an effect: asking for approval does
no harm, because the call fails at once. For an invalid name, however, signal an error before the person is asked, because the name could
denote a file by the time the call is made."
  (let ((effect (handler-case (let ((*name-reader* (if (gate-posix-p gate) 'posix-name 'lisp-name)))
                                (apply (gate-look gate) arguments))
                  (unusable-name (condition) (error condition))
                  (error (condition)
                    (when (or (gate-path-index gate) (gate-own-errors gate)) (error condition))
                    (make-effect (format nil "~{~A~^ ~}" (mapcar (lambda (each) (print-short each 200)) arguments)))))))
    (when effect
      (setf (effect-kind effect) (gate-kind gate)
            (effect-opens effect) (gate-opens gate)
            (effect-operator effect) (operator-label (gate-operator gate)))
      effect)))

(defun held-arguments (gate effect arguments)
  "Return ARGUMENTS with which the call does exactly what EFFECT displays. The real names that were checked and displayed replace the
original arguments, because a logical pathname, a stream or a relative name could denote another file by now."
  (let ((path (effect-path effect)) (other (effect-other-path effect)) (index (gate-path-index gate)))
    (flet ((held (name) (if (gate-posix-p gate) name (pathname-of name))))
      (cond ((effect-held effect) (funcall (effect-held effect) arguments))
            ((not (and path index)) arguments)
            (other (list* (held path) (held other) (cddr arguments)))
            ((gate-folder gate)
             (cons (sb-ext:parse-native-namestring path nil *default-pathname-defaults* :as-directory t) (rest arguments)))
            (t (let ((arguments (copy-list arguments)))
                 (setf (nth index arguments) (held path))
                 arguments))))))

(defun with-other-path (gate arguments path)
  "Return ARGUMENTS with the native PATH in place of the path among them."
  (let ((arguments (copy-list arguments)))
    (setf (nth (gate-path-index gate) arguments)
          (if (gate-posix-p gate) path (sb-ext:parse-native-namestring path)))
    arguments))
