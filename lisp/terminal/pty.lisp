;;;; Runs a program in a pseudo-terminal, for the window's terminal view: `sbcl --script pty.lisp -- COLUMNS ROWS PROGRAM ARGUMENT…`. The
;;;; standard input is the typed text; the standard output is the program's output. The exit code is the program's or, if a signal ended the
;;;; program, 128 plus the signal's number. A zero octet in the input changes the size: columns and rows follow, two octets each, high octet
;;;; first. This process leads a session with the terminal as its controlling terminal, so that Ctrl+C and /dev/tty work. The program
;;;; belongs to this process's group, so that a signal to the group reaches both processes. This is a separate script outside the engine's
;;;; core: it starts in a few hundredths of a second and does not use images.

(sb-alien:define-alien-routine ("setsid" lead-session) sb-alien:int)
(sb-alien:define-alien-routine ("posix_openpt" open-terminal) sb-alien:int (flags sb-alien:int))
(sb-alien:define-alien-routine ("grantpt" grant-terminal) sb-alien:int (descriptor sb-alien:int))
(sb-alien:define-alien-routine ("unlockpt" unlock-terminal) sb-alien:int (descriptor sb-alien:int))
(sb-alien:define-alien-routine ("ptsname" terminal-name) sb-alien:c-string (descriptor sb-alien:int))
(sb-alien:define-alien-routine ("dup" duplicate) sb-alien:int (descriptor sb-alien:int))
(sb-alien:define-alien-routine ("dup2" duplicate-as) sb-alien:int (descriptor sb-alien:int) (other sb-alien:int))
(sb-alien:define-alien-routine ("ioctl" control) sb-alien:int
  (descriptor sb-alien:int) (request sb-alien:unsigned-long) (argument sb-sys:system-area-pointer))

(defconstant +set-size+ #+linux #x5414 #-linux #x80087467 "TIOCSWINSZ")
(defconstant +take-terminal+ #+linux #x540e #-linux #x20007461 "TIOCSCTTY")
(defconstant +hangup+ 1 "SIGHUP")
(defconstant +kill+ 9 "SIGKILL")
(defconstant +grace+ 1 "The number of seconds for which the program may continue after its terminal was closed, and for which processes that
it has left behind may still write.")

(defun octets (size)
  (make-array size :element-type '(unsigned-byte 8)))

(defun read-octets (descriptor buffer)
  "Returns the number of octets read; zero or nil at the end of the input. If no program has the pseudo-terminal open, reading causes an
error, which counts as the end."
  (sb-sys:with-pinned-objects (buffer)
    (sb-unix:unix-read descriptor (sb-sys:vector-sap buffer) (length buffer))))

(defun write-octets (descriptor buffer start end)
  (sb-sys:with-pinned-objects (buffer)
    (loop while (< start end)
          for written = (sb-unix:unix-write descriptor (sb-sys:vector-sap buffer) start (- end start))
          while written
          do (incf start written))))

(defun resize (terminal columns rows)
  "Sets the size of the terminal. The system notifies the program."
  (let ((size (make-array 4 :element-type '(unsigned-byte 16) :initial-contents (list rows columns 0 0))))
    (sb-sys:with-pinned-objects (size)
      (control terminal +set-size+ (sb-sys:vector-sap size)))))

(defun make-terminal ()
  "Creates a pseudo-terminal, which becomes the controlling terminal of this session. Returns the descriptors of its two ends; the second
end is for the program."
  (let ((terminal (open-terminal (logior sb-unix:o_rdwr sb-unix:o_noctty))))
    (grant-terminal terminal)
    (unlock-terminal terminal)
    (let ((end (sb-unix:unix-open (terminal-name terminal) sb-unix:o_rdwr 0)))
      (control end +take-terminal+ (sb-sys:int-sap 0))
      (values terminal end))))

(defun start (program arguments end)
  "Starts the program with END, its end of the terminal, as standard input and output. During the start, this process uses END as its own
standard input and output, and the program inherits them. RUN-PROGRAM's own terminal support would start the program without a controlling
terminal."
  (let ((own (loop for descriptor below 3
                   collect (duplicate descriptor))))
    (dotimes (descriptor 3)
      (duplicate-as end descriptor))
    (unwind-protect (sb-ext:run-program program arguments :input t :output t :error t :wait nil)
      (loop for descriptor in own
            for number from 0
            do (duplicate-as descriptor number)
               (sb-unix:unix-close descriptor))
      (sb-unix:unix-close end))))

(defun ignore-signals ()
  "Makes this process ignore the terminal's signals, which are meant for the program. Called after the program has started, because a
program inherits the set of ignored signals."
  (dolist (signal (list +hangup+ sb-unix:sigint sb-unix:sigquit sb-unix:sigtstp))
    (sb-sys:enable-interrupt signal :ignore)))

(defun signal-group (signal)
  "Sends a signal to this process, the program, and the processes that the program has started."
  (sb-unix:unix-kill 0 signal))

(defun copy-input (terminal)
  "Copies the typed text to the terminal, and changes the terminal's size on request. When the input ends, ends the program and this
process."
  (let ((buffer (octets 4096)) (size '()) (waited 0))
    (loop for count = (read-octets 0 buffer)
          while (and count (plusp count))
          do (let ((start 0))
               (dotimes (index count)
                 (let ((octet (aref buffer index)))
                   (cond ((plusp waited)
                          (push octet size)
                          (setf start (1+ index))
                          (when (zerop (decf waited))
                            (destructuring-bind (columns-high columns rows-high rows) (reverse size)
                              (resize terminal (+ (* 256 columns-high) columns) (+ (* 256 rows-high) rows)))))
                         ((zerop octet)
                          (write-octets terminal buffer start index)
                          (setf size '() waited 4 start (1+ index))))))
               (write-octets terminal buffer start count))))
  (signal-group +hangup+)
  (sleep +grace+)
  (signal-group +kill+))

(defun copy-output (terminal)
  (let ((buffer (octets 65536)))
    (loop for count = (read-octets terminal buffer)
          while (and count (plusp count))
          do (write-octets 1 buffer 0 count))))

(defun run (columns rows program &rest arguments)
  "Runs the program. Returns the exit code for this process."
  (multiple-value-bind (terminal end) (make-terminal)
    (resize terminal (parse-integer columns) (parse-integer rows))
    (let ((process (handler-case (start program arguments end)
                     (error (reason)
                       (format t "~a~c~%" reason #\Return)
                       (finish-output)
                       (return-from run 127))))
          (output (sb-thread:make-thread #'copy-output :arguments (list terminal))))
      (ignore-signals)
      (sb-thread:make-thread #'copy-input :arguments (list terminal))
      (sb-ext:process-wait process)
      ;; A process that the program left behind may keep the terminal open indefinitely.
      (sb-thread:join-thread output :timeout +grace+ :default nil)
      (let ((code (sb-ext:process-exit-code process)))
        (if (eq (sb-ext:process-status process) :signaled) (+ 128 code) code)))))

;; If Node started this as a detached process, it already leads a session; the call then fails, which does no harm.
(lead-session)
(sb-ext:exit :code (apply #'run (rest (member "--" sb-ext:*posix-argv* :test #'string=))) :abort t)
