;;;; Checkpoints: copies of the whole image, made by fork(2). The copy freezes, the process that was forked lives on. When the
;;;; live process ends, for whatever reason, its latest copy notices: it holds the read end of a life pipe, whose write end
;;;; only the live one has. It says so on the wire, and the other end wakes one of the copies, which forks a copy of itself,
;;;; so that it can be woken again, and goes on as the live image on the same descriptors. All copies but the latest just
;;;; wait for their signal: twenty of them that noticed would be in each other's way.
;;;;
;;;; Between two lives frames may be torn. Lines that begin with a line feed and an exclamation mark, which no payload
;;;; contains, mark where the wire begins anew: `!ended PID` from a copy, `!wake PID` to it, `!live PID` from it.

(in-package #:lisp-workbench/control)

(sb-ext:defglobal *copies* '())         ; pids of the copies that this process made, to be collected when they have ended

(defvar *after-waking* '() "Functions to call when a copy goes on as the live image.")

(define-operation "checkpoint" (:main request)
  (collect-copies)
  (multiple-value-bind (pid reason)
      (call-if-possible (lambda ()
                          (when (field request "idle") (collect-before-copy))
                          (let ((pid (fork-copy)))
                            ;; The reply leaves before the threads begin again, so that nobody who waits for the copy waits for them.
                            (unless (eq pid :woken) (reply-ok (field request "id") (object "pid" pid "reason" nil)))
                            pid)))
    (cond ((eq pid :woken)              ; the copy woke long after: nobody waits for this reply any more
           (throw 'next-frame nil))
          (pid :replied)
          (t (object "pid" nil "reason" reason)))))

(defun call-if-possible (function)
  "Call FUNCTION as CALL-ALONE does; return NIL and a sentence where a running image cannot be copied at all."
  (let ((lacking (lacking "checkpoints")))
    (cond (lacking
           (values nil (princ-to-string (make-condition 'missing-internal :names lacking :features '("checkpoints")))))
          #+win32 (t (values nil "This system cannot copy a running image."))
          #-win32 (t (call-alone function)))))

(defconstant +garbage-limit+ (* 16 1024 1024) "Octets allocated since the last collection here, above which it is worth collecting again.")
(defconstant +young-limit+ (* 64 1024 1024)
  "The most octets in the generations collected beside the youngest: collecting more takes too long for what it saves.")

(sb-ext:defglobal *consed-before* 0)    ; bytes consed at the last collection here

(defun collect-before-copy ()
  "A fork takes as long as the heap has pages that were written, garbage included, and a copy keeps them all. Where nobody waits for
the copy, collect first when there is much. A collection of generation 2 gives free pages back to the kernel; younger ones do not."
  (when (and (> (- (sb-ext:get-bytes-consed) *consed-before*) +garbage-limit+)
             (< (+ (sb-ext:generation-bytes-allocated 1) (sb-ext:generation-bytes-allocated 2)) +young-limit+)
             ;; The copy has to wait for the thread that calls these functions.
             (every #'own-hook-p sb-ext:*after-gc-hooks*))
    (sb-ext:gc :gen 2)
    (setf *consed-before* (sb-ext:get-bytes-consed))))

(defun own-hook-p (hook)
  (and (symbolp hook)
       (symbol-package hook)
       (eql 0 (search "LISP-WORKBENCH/" (package-name (symbol-package hook))))))

(defun collect-copies ()
  "Collect copies that have ended, so that the kernel forgets them."
  (setf *copies* (remove-if (lambda (pid)
                              (not (eql 0 (or (ignore-errors (sb-posix:waitpid pid sb-posix:wnohang)) pid))))
                            *copies*)))

(defun fork-copy ()
  "Fork. Return, in the live process, the pid of the copy, which freezes; in a copy that is woken, much later, :WOKEN."
  (let ((woken nil))
    (loop
      (multiple-value-bind (open life-read life-write) (multiple-value-call #'values (open-descriptors *life-write*) (private-pipe))
        (multiple-value-bind (alarm-read alarm-write) (private-pipe)
          ;; The handler is set before the fork: the signal that wakes a copy may come before the copy has done anything.
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
  "Both ends of a pipe that processes started from here do not inherit."
  (multiple-value-bind (read write) (sb-posix:pipe)
    (sb-posix:fcntl read sb-posix:f-setfd 1) ; FD_CLOEXEC
    (sb-posix:fcntl write sb-posix:f-setfd 1)
    (values read write)))

(defun relieve-watch ()
  "Tell the copy before the latest that it need not watch any more: an octet, not just the end."
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
  "Let the kernel give the heap memory in pages of 2 MB where it has them. Called when an image starts; copies inherit it. The heap's free
pages go back to the kernel before each copy, so what an evaluation allocates faults page by page: by pages of 4 kB that takes longer than
most programs take themselves. Where huge pages are off, or the system is none that knows them, nothing changes."
  #+linux
  (when (sb-sys:find-foreign-symbol-address "DYNAMIC_SPACE_START")
    (sb-alien:alien-funcall
     (sb-alien:extern-alien "madvise" (function sb-alien:int sb-alien:unsigned-long sb-alien:unsigned-long sb-alien:int))
     (sb-alien:extern-alien "DYNAMIC_SPACE_START" sb-alien:unsigned-long) (sb-ext:dynamic-space-size) +huge-pages+)))

;;; A frozen copy

(defconstant +poll-gone+ #x18 "POLLERR for a pipe, POLLHUP for a socket.")
(defconstant +poll-half-gone+ #+linux #x2000 #-linux 0
  "POLLRDHUP: the other end of a socket writes no more. Other systems do not tell.")

(defun freeze (life alarm)
  "Wait until the ALARM rings. LIFE is the read end of the live process's pipe. The process ends when nobody is there any more
who could wake it."
  (loop
    (destructuring-bind (rung wire watch orders)
        (poll-descriptors (list alarm +output-descriptor+ (or life -1) +input-descriptor+))
      ;; Where somebody between keeps reading from a lost image, as a server of containers may, only the input tells that nobody is there.
      (cond ((or (logtest wire +poll-gone+) (logtest orders (logior +poll-gone+ +poll-half-gone+))) (leave-unheard 0))
            ((plusp rung) (return))
            ((plusp watch)
             ;; An octet says that a later copy watches now; end of file that the live process has ended.
             (unless (logtest watch +poll-input+) (write-mark "ended"))
             (sb-posix:close (shiftf life nil))))))
  (when life (sb-posix:close life)))

(defun write-mark (word &optional (number (sb-posix:getpid)))
  (let ((octets (sb-ext:string-to-octets (format nil "~%!~A ~D~%" word number) :external-format :latin-1)))
    (write-octets octets 0 (length octets))))

(defun poll-descriptors (descriptors)
  "Wait until something happens to one of DESCRIPTORS or a signal comes. Return what happened to each, as bits of poll(2), 0 for nothing. A
negative descriptor is left out; the second is only asked for errors, the fourth only whether the other end is gone."
  (let ((polled (make-polled descriptors +poll-input+)))
    (setf (aref polled 3) 0
          (aref polled 7) +poll-half-gone+)
    (poll polled -1)
    (loop for index below (length descriptors)
          collect (polled-events polled index))))

;;; Going on as the live process

(defun prepare-life ()
  "Make the woken copy the live process."
  (skip-input-to-mark)
  (take-descriptors-back)
  (setf *reader* (make-frame-reader (descriptor-source +input-descriptor+))
        *for-main* '()
        *look-ups* '()
        *random-state* (make-random-state t))
  (set-role :main))

(defun skip-input-to-mark ()
  "Read what was meant for the life before, up to the line that wakes this copy."
  (let* ((mark (sb-ext:string-to-octets (format nil "~%!wake ~D~%" (sb-posix:getpid)) :external-format :latin-1))
         (source (descriptor-source +input-descriptor+))
         (octet (make-array 1 :element-type '(unsigned-byte 8)))
         (matched 0))
    (loop until (= matched (length mark))
          do (when (zerop (funcall source octet 0 1)) (leave-unheard 0))
             (setf matched (cond ((= (aref octet 0) (aref mark matched)) (1+ matched))
                                 ((= (aref octet 0) (aref mark 0)) 1)
                                 (t 0))))))

;;; The end of a later life by a signal. Such a process is nobody's child, so no parent can say which signal it was.

(sb-ext:defglobal *living-pid* nil)     ; the process that tells by which signal it ends

(defun tell-signals ()
  "From now on say by which signal this process ends, of those that end one and that code in it does not handle."
  (setf *living-pid* (sb-posix:getpid))
  (dolist (signal (list sb-posix:sighup sb-posix:sigquit sb-posix:sigusr1 sb-posix:sigvtalrm sb-posix:sigxcpu sb-posix:sigxfsz))
    (let ((before (enable-interrupt signal #'end-by-signal)))
      (when (and (functionp before) (not (eq before #'end-by-signal)))
        (enable-interrupt signal before)))))

(defun end-by-signal (signal info context)
  "End this process by SIGNAL as it would have ended by default."
  (declare (ignore info context))
  (when (eql *living-pid* (sb-posix:getpid)) (write-mark "killed" signal)) ; a copy is not what others wait for
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
  "Return sentences about the threads, files and the like that a copy cannot have."
  (remove nil
          (list (let ((processes (count-if #'sb-ext:process-alive-p *active-processes*)))
                  (when (plusp processes)
                    (format nil "~D process~:*~[~;~:;es~] that it had started ~:*~[~;is~:;are~] no longer connected to it."
                            processes)))
                (let ((lost (length *let-go*)))
                  (when (plusp lost)
                    (format nil "~D pipe~:P, connection~:*~P or file~:*~P that ~:*~[~;was~:;were~] open can no longer be used."
                            lost))))))
