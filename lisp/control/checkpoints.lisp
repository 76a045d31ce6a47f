;;;; Checkpoints: forked processes that each store a state of the image, made by fork(2). The child, the checkpoint's process, freezes; the
;;;; parent continues as the live process. When the live process ends for any reason, the latest checkpoint's process notices it: that
;;;; process has the read end of a pipe, the life pipe, and only the live process has the write end. It reports the end on the wire, and the
;;;; core then wakes one of the checkpoints through the wire. The woken process first forks a new checkpoint of its state, so that this
;;;; state can be used again. Then it continues as the live image on the same descriptors. All other checkpoints only wait for their signal,
;;;; so that twenty processes do not report the same end.
;;;;
;;;; Between two lives, a frame may be incomplete. Marks show where the wire starts again. They are lines that begin with a line feed and an
;;;; exclamation mark, which never occur in a payload: `!ended PID` from a checkpoint, `!wake PID` to it, `!live PID` from it.

(in-package #:lisp-workbench/control)

(sb-ext:defglobal *copies* '())         ; pids of the checkpoints that this process has forked, for calling waitpid when they have ended

(defvar *after-waking* '() "Functions to call when a checkpoint continues as the live image.")

(define-operation "checkpoint" (:main request)
  (collect-copies)
  (multiple-value-bind (pid reason)
      (call-if-possible (lambda ()
                          (when (field request "idle") (collect-before-copy))
                          (let ((pid (fork-copy)))
                            ;; The reply is sent before the threads are started again, so that the client does not have to wait for that.
                            (unless (eq pid :woken) (reply-ok (field request "id") (object "pid" pid "reason" nil)))
                            pid)))
    (cond ((eq pid :woken)              ; the checkpoint woke long after the request, so no reply is expected
           (throw 'next-frame nil))
          (pid :replied)
          (t (object "pid" nil "reason" reason)))))

(defun call-if-possible (function)
  "Call FUNCTION as CALL-ALONE does. If a running image cannot be forked on this system, return NIL and a sentence that says so."
  (let ((lacking (lacking "checkpoints")))
    (cond (lacking
           (values nil (princ-to-string (make-condition 'missing-internal :names lacking :features '("checkpoints")))))
          #+win32 (t (values nil "This operating system does not support checkpoints."))
          #-win32 (t (call-alone function)))))

(defconstant +garbage-limit+ (* 16 1024 1024) "The number of octets that must be allocated since the last collection before another
collection is worthwhile.")
(defconstant +young-limit+ (* 64 1024 1024)
  "The maximum number of octets in generations 1 and 2 for a collection. With more, the collection takes longer than the time that it saves.")

(sb-ext:defglobal *consed-before* 0)    ; bytes consed up to the last collection here

(defun collect-before-copy ()
  "If there is much garbage, collect it before a fork. Call this only if no client waits for the checkpoint. The time for a fork grows with
the number of written heap pages, including pages with garbage, and the checkpoint's process keeps all of them. A collection of generation 2
returns free pages to the kernel; a collection of younger generations does not."
  (when (and (> (- (sb-ext:get-bytes-consed) *consed-before*) +garbage-limit+)
             (< (+ (sb-ext:generation-bytes-allocated 1) (sb-ext:generation-bytes-allocated 2)) +young-limit+)
             ;; If there were other hooks, the fork would have to wait for the thread that runs them.
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
  "Fork. In the live process, return the pid of the child, which freezes. In the child, return :WOKEN when it is woken, which may be much
later."
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
  "Wait until the ALARM pipe becomes readable. LIFE is the read end of the live process's pipe. If the other end of the wire is gone, exit
this process, because it can then no longer be woken."
  (loop
    (destructuring-bind (rung wire watch orders)
        (poll-descriptors (list alarm +output-descriptor+ (or life -1) +input-descriptor+))
      ;; Another process between the image and the core, such as a container server, may keep reading the output of a lost image. Then only
      ;; the input shows that the other end is gone.
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
  "Wait until an event occurs on one of DESCRIPTORS or a signal arrives. For each descriptor, return the events as bits of poll(2), 0 for
none. Negative descriptors are skipped. The second descriptor is polled only for errors, the fourth only for a closed other end."
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
  "Skip input that was meant for the previous life, up to the line that wakes this process."
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
  "Install handlers for fatal signals that the code does not handle. A handler reports that its signal ends this process."
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
  "Send the first line of the new live process."
  (write-mark "live")
  (tell-signals)
  (mapc #'funcall *after-waking*)
  (send-event "woken"
              "pid" (sb-posix:getpid)
              "copy" copy
              "missing" (array-of (what-did-not-come-back))))

(defun what-did-not-come-back ()
  "Return sentences about threads, files and other things that a woken checkpoint has lost."
  (remove nil
          (list (let ((processes (count-if #'sb-ext:process-alive-p *active-processes*)))
                  (when (plusp processes)
                    (format nil "~D process~:*~[~;~:;es~] that the image had started ~:*~[~;is~:;are~] no longer connected to it."
                            processes)))
                (let ((lost (length *let-go*)))
                  (when (plusp lost)
                    (format nil "~D pipe~:P, connection~:*~P or file~:*~P that ~:*~[~;was~:;were~] open can no longer be used."
                            lost))))))
