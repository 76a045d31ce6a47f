;;;; Checkpoints: forked processes, created with fork(2), that each store a state of the image. The child, the checkpoint's process,
;;;; freezes; the parent continues as the live process. The latest checkpoint's process notices when the live process ends for any reason:
;;;; it has the read end of a pipe, the life pipe, and only the live process has the write end. It reports the end on the wire, and the core
;;;; then wakes one of the checkpoints through the wire. The woken process first forks a new checkpoint of its state, so that this state can
;;;; be used again. Then it continues as the live image on the same descriptors. All other checkpoints only wait for their signal, so that
;;;; twenty processes do not report the same end.
;;;;
;;;; Between two lives, a frame may be incomplete. Marks show where the wire starts again. A mark begins with a line feed and an exclamation
;;;; mark, which never occur together in a payload: `!ended PID` from a checkpoint, `!wake PID` to it, `!live PID` from it.

(in-package #:lisp-workbench/control)

(sb-ext:defglobal *copies* '())         ; pids of the checkpoints that this process has forked, for calling waitpid when they have ended

(defvar *after-waking* '() "Functions to call when a checkpoint continues as the live image.")

(define-operation "checkpoint" (:main request)
  (collect-copies)
  (multiple-value-bind (pid reason)
      (call-if-possible (lambda ()
                          (when (field request "idle") (collect-before-copy))
                          (let ((pid (fork-copy)))
                            ;; Send the reply before restarting the threads, so that the client does not have to wait for them.
                            (unless (eq pid :woken) (reply-ok (field request "id") (object "pid" pid "reason" nil)))
                            pid)))
    (cond ((eq pid :woken)              ; the checkpoint woke long after the request, so no reply is expected
           (throw 'next-frame nil))
          (pid :replied)
          (t (object "pid" nil "reason" reason)))))

(defun call-if-possible (function)
  "Call FUNCTION as CALL-ALONE does. If a running image cannot be forked on this system, return NIL and a sentence that explains this."
  (let ((lacking (lacking "checkpoints")))
    (cond (lacking
           (values nil (princ-to-string (make-condition 'missing-internal :names lacking :features '("checkpoints")))))
          #+win32 (t (values nil "This operating system does not support checkpoints."))
          #-win32 (t (call-alone function)))))

(defconstant +garbage-limit+ (* 16 1024 1024) "The number of octets that must have been allocated since the last collection to make another
collection worthwhile.")
(defconstant +young-limit+ (* 64 1024 1024)
  "The maximum number of octets in generations 1 and 2 at which garbage is collected. With more, the collection takes longer than the time
that it saves.")

(sb-ext:defglobal *consed-before* 0)    ; bytes consed up to the last collection that COLLECT-BEFORE-COPY made

(defun collect-before-copy ()
  "If there is much garbage, collect it before a fork. Call this only if no client is waiting for the checkpoint. A fork takes longer the
more heap pages were written, including pages of garbage, and the checkpoint's process keeps all of them. A collection of generation 2
returns free pages to the kernel; a collection of younger generations does not."
  (when (and (> (- (sb-ext:get-bytes-consed) *consed-before*) +garbage-limit+)
             (< (+ (sb-ext:generation-bytes-allocated 1) (sb-ext:generation-bytes-allocated 2)) +young-limit+)
             ;; With other hooks, the fork would have to wait for the thread that runs them.
             (every #'own-hook-p sb-ext:*after-gc-hooks*))
    (sb-ext:gc :gen 2)
    (setf *consed-before* (sb-ext:get-bytes-consed))))

(defun own-hook-p (hook)
  (and (symbolp hook)
       (symbol-package hook)
       (eql 0 (search "LISP-WORKBENCH/" (package-name (symbol-package hook))))))

(defun collect-copies ()
  "Call waitpid for checkpoints that have ended, so that they do not remain zombies."
  (setf *copies* (remove-if (lambda (pid)
                              (not (eql 0 (or (ignore-errors (sb-posix:waitpid pid sb-posix:wnohang)) pid))))
                            *copies*)))

(defun fork-copy ()
  "Fork. In the live process, return the pid of the child. The child freezes, and returns :WOKEN when it is woken, possibly much later."
  (let ((woken nil))
    (loop
      (multiple-value-bind (open life-read life-write) (multiple-value-call #'values (open-descriptors *life-write*) (private-pipe))
        (multiple-value-bind (alarm-read alarm-write) (private-pipe)
          ;; The handler is installed before the fork, because the waking signal may arrive before the child has run any code.
          (let* ((before (enable-interrupt sb-posix:sigusr1 (lambda (signal info context)
                                                     (declare (ignore signal info context))
                                                     (write-octet alarm-write))))
                 (pid (progn (flush-process-output) (fork-process))))
            (when (plusp pid)
              (enable-interrupt sb-posix:sigusr1 (or before :default))
              (mapc #'sb-posix:close (list life-read alarm-read alarm-write))
              (relieve-watch)
              (setf *life-write* life-write)
              (push pid *copies*)
              (when woken (announce-life pid))
              (return (if woken :woken pid)))
            (sb-posix:close life-write)
            (when *life-write* (sb-posix:close (shiftf *life-write* nil)))
            (setf *copies* '()
                  woken t)
            (let-go-of-descriptors open)
            (freeze life-read alarm-read)
            (enable-interrupt sb-posix:sigusr1 (or before :default))
            (mapc #'sb-posix:close (list alarm-read alarm-write))
            (prepare-life)))))))

(defun private-pipe ()
  "Return both ends of a pipe that child programs do not inherit."
  (multiple-value-bind (read write) (sb-posix:pipe)
    (sb-posix:fcntl read sb-posix:f-setfd 1) ; FD_CLOEXEC
    (sb-posix:fcntl write sb-posix:f-setfd 1)
    (values read write)))

(defun relieve-watch ()
  "Tell the previous checkpoint's process to stop watching. This sends an octet, because an end of file means that the live process has
ended."
  (when *life-write*
    (write-octet *life-write*)
    (sb-posix:close *life-write*)))

(defun write-octet (descriptor)
  (let ((octets (make-array 1 :element-type '(unsigned-byte 8))))
    (with-pinned-objects (octets)
      (unix-write descriptor octets 0 1))))

;;; Page faults

(defconstant +huge-pages+ 14 "MADV_HUGEPAGE of Linux's madvise(2).")

(defun ask-for-huge-pages ()
  "Allow the kernel to use 2 MB pages for the heap. Called when an image starts; checkpoints inherit the setting. Before each checkpoint,
the heap's free pages return to the kernel, so an evaluation causes page faults when it allocates memory. With 4 kB pages, these faults take
more time than most programs themselves. If huge pages are turned off or unknown to the system, this has no effect."
  #+linux
  (when (sb-sys:find-foreign-symbol-address "DYNAMIC_SPACE_START")
    (sb-alien:alien-funcall
     (sb-alien:extern-alien "madvise" (function sb-alien:int sb-alien:unsigned-long sb-alien:unsigned-long sb-alien:int))
     (sb-alien:extern-alien "DYNAMIC_SPACE_START" sb-alien:unsigned-long) (sb-ext:dynamic-space-size) +huge-pages+)))

;;; A frozen checkpoint

(defconstant +poll-gone+ #x18 "POLLERR for a pipe, POLLHUP for a socket.")
(defconstant +poll-half-gone+ #+linux #x2000 #-linux 0
  "POLLRDHUP: the other end of a socket has closed its writing side. Other systems do not report this.")

(defun freeze (life alarm)
  "Wait until the ALARM pipe becomes readable. LIFE is the read end of the live process's pipe. If the other end of the wire is closed, exit
this process, because it can then no longer be woken."
  (loop
    (destructuring-bind (rung wire watch orders)
        (poll-descriptors (list alarm +output-descriptor+ (or life -1) +input-descriptor+))
      ;; A process between the image and the core, such as a container server, may keep reading the output of a lost image. Then only the
      ;; input shows that the other end is closed.
      (cond ((or (logtest wire +poll-gone+) (logtest orders (logior +poll-gone+ +poll-half-gone+))) (leave-unheard 0))
            ((plusp rung) (return))
            ((plusp watch)
             ;; An octet means that a later checkpoint is watching now; an end of file means that the live process has ended.
             (unless (logtest watch +poll-input+) (write-mark "ended"))
             (sb-posix:close (shiftf life nil))))))
  (when life (sb-posix:close life)))

(defun write-mark (word &optional (number (sb-posix:getpid)))
  (let ((octets (sb-ext:string-to-octets (format nil "~%!~A ~D~%" word number) :external-format :latin-1)))
    (write-octets octets 0 (length octets))))

(defun poll-descriptors (descriptors)
  "Wait until an event occurs on one of DESCRIPTORS or a signal arrives. For each descriptor, return the events as bits of poll(2), 0 if
there are none. Skip negative descriptors. Poll the second descriptor only for errors, and the fourth only for the closing of the other end."
  (let ((polled (make-polled descriptors +poll-input+)))
    (setf (aref polled 3) 0
          (aref polled 7) +poll-half-gone+)
    (poll polled -1)
    (loop for index below (length descriptors)
          collect (polled-events polled index))))

;;; Continuing as the live process

(defun prepare-life ()
  "Turn the woken checkpoint's process into the live process."
  (skip-input-to-mark)
  (take-descriptors-back)
  (setf *reader* (make-frame-reader (descriptor-source +input-descriptor+))
        *for-main* '()
        *look-ups* '()
        *random-state* (make-random-state t))
  (set-role :main))

(defun skip-input-to-mark ()
  "Skip the rest of the previous life's input, up to the line that wakes this process."
  (let* ((mark (sb-ext:string-to-octets (format nil "~%!wake ~D~%" (sb-posix:getpid)) :external-format :latin-1))
         (source (descriptor-source +input-descriptor+))
         (octet (make-array 1 :element-type '(unsigned-byte 8)))
         (matched 0))
    (loop until (= matched (length mark))
          do (when (zerop (funcall source octet 0 1)) (leave-unheard 0))
             (setf matched (cond ((= (aref octet 0) (aref mark matched)) (1+ matched))
                                 ((= (aref octet 0) (aref mark 0)) 1)
                                 (t 0))))))

;;; Reports which signal ended a woken process. Such a process is not a child of the core, so waitpid cannot report the signal.

(sb-ext:defglobal *living-pid* nil)     ; pid of the process that reports its fatal signal

(defun tell-signals ()
  "Install handlers for fatal signals that user code does not handle. Each handler reports that its signal ends this process."
  (setf *living-pid* (sb-posix:getpid))
  (dolist (signal (list sb-posix:sighup sb-posix:sigquit sb-posix:sigusr1 sb-posix:sigvtalrm sb-posix:sigxcpu sb-posix:sigxfsz))
    (let ((before (enable-interrupt signal #'end-by-signal)))
      (when (and (functionp before) (not (eq before #'end-by-signal)))
        (enable-interrupt signal before)))))

(defun end-by-signal (signal info context)
  "Report SIGNAL, then end this process by its default action."
  (declare (ignore info context))
  (when (eql *living-pid* (sb-posix:getpid)) (write-mark "killed" signal)) ; only the live process may report; a process that was forked
                                                                           ; from it must not
  (enable-interrupt signal :default)
  (sb-posix:kill (sb-posix:getpid) signal))

(defun announce-life (copy)
  "Send the new live process's first line."
  (write-mark "live")
  (tell-signals)
  (mapc #'funcall *after-waking*)
  (send-event "woken"
              "pid" (sb-posix:getpid)
              "copy" copy
              "missing" (array-of (what-did-not-come-back))))

(defun what-did-not-come-back ()
  "Return sentences about the processes, files and other resources that a woken checkpoint has lost."
  (remove nil
          (list (let ((processes (count-if #'sb-ext:process-alive-p *active-processes*)))
                  (when (plusp processes)
                    (format nil "~D process~:*~[~;~:;es~] that the image had started ~:*~[~;is~:;are~] no longer connected to it."
                            processes)))
                (let ((lost (length *let-go*)))
                  (when (plusp lost)
                    (format nil "~D pipe~:P, connection~:*~P or file~:*~P that ~:*~[~;was~:;were~] open can no longer be used."
                            lost))))))
