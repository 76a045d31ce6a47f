;;;; Everything that reaches outside the image, in one table.

(in-package #:lisp-workbench/effects)

(defparameter *table*
  '(;; operator                        kind            what it would do      argument that another path replaces
    ("COMMON-LISP:OPEN"                "write"         look-at-open          0)
    ("COMMON-LISP:DELETE-FILE"         "delete"        look-at-name          0)
    ("COMMON-LISP:RENAME-FILE"         "rename"        look-at-renaming      1)
    ("COMMON-LISP:ENSURE-DIRECTORIES-EXIST" "create-folder" look-at-new-folder 0)
    ("SB-EXT:DELETE-DIRECTORY"         "delete"        look-at-folder        0)
    ("SB-EXT:RUN-PROGRAM"              "run-program"   look-at-program)
    ("SB-EXT:PROCESS-KILL"             "signal"        look-at-signal)
    ("SB-EXT:SAVE-LISP-AND-DIE"        "save-image"    look-at-core          0)
    ("SB-EXT:EXIT"                     "exit"          look-at-exit)
    ("SB-SYS:OS-EXIT"                  "exit"          look-at-exit-code)
    ("SB-ALIEN:LOAD-SHARED-OBJECT"     "foreign"       look-at-library       0)
    ("SB-BSD-SOCKETS:SOCKET-CONNECT"   "connect"       look-at-connection)
    ("SB-BSD-SOCKETS:SOCKET-SEND"      "connect"       look-at-datagram)
    ("SB-BSD-SOCKETS:SOCKET-BIND"      "listen"        look-at-connection)
    ("SB-BSD-SOCKETS:SOCKET-LISTEN"    "listen"        look-at-listening)
    ("SB-POSIX:OPEN"                   "write"         look-at-posix-open    0)
    ("SB-POSIX:CREAT"                  "write"         look-at-file          0)
    ("SB-POSIX:MKFIFO"                 "write"         look-at-file          0)
    ("SB-POSIX:MKNOD"                  "write"         look-at-file          0)
    ("SB-POSIX:MKSTEMP"                "write"         look-at-file          0)
    ("SB-POSIX:TRUNCATE"               "write"         look-at-file          0)
    ("SB-POSIX:FTRUNCATE"              "write"         look-at-descriptor)
    ("SB-POSIX:UNLINK"                 "delete"        look-at-name          0)
    ("SB-POSIX:RMDIR"                  "delete"        look-at-name          0)
    ("SB-POSIX:RENAME"                 "rename"        look-at-two-names     1)
    ("SB-POSIX:LINK"                   "link"          look-at-hard-link     1)
    ("SB-POSIX:SYMLINK"                "link"          look-at-link          1)
    ("SB-POSIX:MKDIR"                  "create-folder" look-at-name          0)
    ("SB-POSIX:MKDTEMP"                "create-folder" look-at-file          0)
    ("SB-POSIX:CHMOD"                  "attributes"    look-at-mode          0)
    ("SB-POSIX:FCHMOD"                 "attributes"    look-at-descriptor)
    ("SB-POSIX:CHOWN"                  "attributes"    look-at-owner         0)
    ("SB-POSIX:LCHOWN"                 "attributes"    look-at-name          0)
    ("SB-POSIX:FCHOWN"                 "attributes"    look-at-descriptor)
    ("SB-POSIX:UTIME"                  "attributes"    look-at-file          0)
    ("SB-POSIX:UTIMES"                 "attributes"    look-at-file          0)
    ("SB-POSIX:CHDIR"                  "folder"        look-at-file          0)
    ("SB-POSIX:FCHDIR"                 "folder"        look-at-descriptor)
    ("SB-POSIX:CHROOT"                 "folder"        look-at-file          0)
    ("SB-POSIX:SETENV"                 "environment"   look-at-variable)
    ("SB-POSIX:UNSETENV"               "environment"   look-at-variable)
    ("SB-POSIX:PUTENV"                 "environment"   look-at-assignment)
    ("SB-POSIX:KILL"                   "signal"        look-at-signal)
    ("SB-POSIX:KILLPG"                 "signal"        look-at-group-signal)
    ("SB-POSIX:FORK"                   "run-program"   look-at-fork)
    ("SB-POSIX:POSIX-FORK"             "run-program"   look-at-fork)
    ("SB-POSIX:EXECV"                  "run-program"   look-at-program)
    ("SB-POSIX:EXIT"                   "exit"          look-at-exit-code)
    ("SB-POSIX:_EXIT"                  "exit"          look-at-exit-code)
    ("SB-POSIX:ABORT"                  "exit"          look-at-exit-code))
  "Operators that this SBCL lacks are left out. SB-EXT:QUIT goes through EXIT.")

(defstruct (gate (:constructor make-gate (operator kind look path-index)))
  "OPERATOR is the symbol; PATH-INDEX that of the argument which another path replaces, NIL when none can."
  operator kind look path-index)

(defun gates ()
  (loop for (name kind look path-index) in *table*
        for operator = (operator-named name)
        when operator collect (make-gate operator kind look path-index)))

(defun operator-named (name)
  "The function name; NIL when there is none."
  (let* ((colon (position #\: name))
         (package (find-package (subseq name 0 colon)))
         (symbol (and package (find-symbol (subseq name (1+ colon)) package))))
    (and symbol (fboundp symbol) symbol)))

(defun gate-posix-p (gate)
  (eq (symbol-package (gate-operator gate)) (find-package '#:sb-posix)))

(defun look (gate arguments)
  "The effect that calling the operator with ARGUMENTS would have; NIL when none. Arguments that cannot be understood count as an
effect: a call that fails at once loses nothing by being asked for."
  (let ((effect (handler-case (let ((*name-reader* (if (gate-posix-p gate) 'posix-name 'lisp-name)))
                                (apply (gate-look gate) arguments))
                  (error () (make-effect (format nil "~{~A~^ ~}" (mapcar (lambda (each) (print-short each 200)) arguments)))))))
    (when effect
      (setf (effect-kind effect) (gate-kind gate)
            (effect-operator effect) (symbol-name (gate-operator gate)))
      effect)))

(defun with-other-path (gate arguments path)
  "ARGUMENTS with the native PATH in place of the one that they have."
  (let ((arguments (copy-list arguments)))
    (setf (nth (gate-path-index gate) arguments)
          (if (gate-posix-p gate) path (sb-ext:parse-native-namestring path)))
    arguments))
