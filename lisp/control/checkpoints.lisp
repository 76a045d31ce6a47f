;;;; Checkpoints: copies of the whole image, made by fork(2). The copy freezes, the process that was forked lives on. When the
;;;; live process ends, for whatever reason, its latest copy notices: it holds the read end of a life pipe, whose write end
;;;; only the live one has. It says so on the wire, and the other end wakes one of the copies, which forks a copy of itself,
;;;; so that it can be woken again, and goes on as the live image on the same descriptors. All copies but the latest just
;;;; wait for their signal: twenty of them that noticed would be in each other's way.
;;;;
;;;; Between two lives frames may be torn. Lines that begin with a line feed and an exclamation mark, which no payload
;;;; contains, mark where the wire begins anew: `!ended PID` from a copy, `!wake PID` to it, `!live PID` from it.

(in-package #:lisp-workbench/control)

(sb-ext:defglobal *life-write* nil)     ; what the latest copy hears when it closes
(sb-ext:defglobal *copies* '())         ; pids of the copies that this process made, to be collected when they have ended

(defvar *after-waking* '() "Functions to call when a copy goes on as the live image.")

(define-operation "checkpoint" (:main request)
  (collect-copies)
  (await-given-up (field request "context"))
  (multiple-value-bind (pid reason) (call-if-possible #'fork-copy)
    (cond ((eq pid :woken)              ; a copy of long ago: nobody waits for this reply any more
           (throw 'next-frame nil))
          (t (object "pid" pid "reason" reason)))))

(defun await-given-up (context)
  "What CONTEXT, which is about to evaluate again, left in the debugger would be given up then; it is in the way now."
  (when context
    (await-rest 1)                      ; it may have been answered and just be on its way into the debugger
    (give-up-held context)
    (loop repeat 500
          while (held-evaluations context)
          do (sleep 1/500))))

(defun call-if-possible (function)
  "As CALL-ALONE, where a running image can be copied at all."
  (let ((lacking (lacking "checkpoints")))
    (cond (lacking
           (values nil (princ-to-string (make-condition 'missing-internal :names lacking :features '("checkpoints")))))
          #+win32 (t (values nil "This system cannot copy a running image."))
          #-win32 (t (call-alone function)))))

(defun collect-copies ()
  "Let the kernel forget copies that have ended."
  (setf *copies* (remove-if (lambda (pid)
                              (not (eql 0 (or (ignore-errors (sb-posix:waitpid pid sb-posix:wnohang)) pid))))
                            *copies*)))

(defun fork-copy ()
  "Fork. In the live process the pid of the copy, which freezes; in a copy that is woken, much later, :WOKEN."
  (let ((woken nil))
    (loop
      (multiple-value-bind (open life-read life-write) (multiple-value-call #'values (open-descriptors *life-write*) (private-pipe))
        (multiple-value-bind (alarm-read alarm-write) (private-pipe)
          ;; Before the fork: the signal that wakes a copy may come before the copy has done anything.
          (let* ((before (enable-interrupt sigusr1 (lambda (signal info context)
                                                     (declare (ignore signal info context))
                                                     (write-octet alarm-write))))
                 (pid (fork-process)))
            (when (plusp pid)
              (enable-interrupt sigusr1 (or before :default))
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
            (enable-interrupt sigusr1 (or before :default))
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

;;; Frozen

(defconstant +poll-input+ 1)
(defconstant +poll-gone+ #x18 "POLLERR for a pipe, POLLHUP for a socket.")

(defun freeze (life alarm)
  "Wait until the ALARM rings. LIFE is the read end of the live process's pipe. The process ends when nobody is there any more
who could wake it."
  (loop
    (destructuring-bind (rung wire watch) (poll-descriptors (list alarm +output-descriptor+ (or life -1)))
      (cond ((logtest wire +poll-gone+) (leave 0 nil))
            ((plusp rung) (return))
            ((plusp watch)
             ;; An octet: a later copy watches now. None: it is over.
             (unless (logtest watch +poll-input+) (write-mark "ended"))
             (sb-posix:close (shiftf life nil))))))
  (when life (sb-posix:close life)))

(defun write-mark (word)
  (let ((octets (sb-ext:string-to-octets (format nil "~%!~A ~D~%" word (unix-getpid)) :external-format :latin-1)))
    (write-octets octets 0 (length octets))))

(defun poll-descriptors (descriptors)
  "Wait until something happens to one of DESCRIPTORS or a signal comes. What happened to each, as poll(2) has it: 0 is nothing. A
negative descriptor is left out; the second is only asked for errors."
  (let* ((count (length descriptors))
         (polled (make-array (* 2 count) :element-type '(unsigned-byte 32))))
    ;; struct pollfd: the descriptor, then the awaited and the occurred events, 16 bits each.
    (loop for descriptor in descriptors
          for index from 0 by 2
          do (setf (aref polled index) (ldb (byte 32 0) descriptor)
                   (aref polled (1+ index)) (if (= index 2) 0 +poll-input+)))
    (with-pinned-objects (polled)
      (sb-alien:alien-funcall
       (sb-alien:extern-alien "poll" (function sb-alien:int sb-sys:system-area-pointer sb-alien:unsigned-long sb-alien:int))
       (vector-sap polled) count -1))
    (loop for index from 1 below (* 2 count) by 2
          collect (ash (aref polled index) -16))))

;;; Alive again

(defun prepare-life ()
  "What makes the woken copy the live process."
  (skip-input-to-mark)
  (take-descriptors-back)
  (setf *reader* (make-frame-reader (descriptor-source +input-descriptor+))
        *for-main* '()
        *random-state* (make-random-state t))
  (set-role :main))

(defun skip-input-to-mark ()
  "Read what was meant for the life before, up to the line that wakes this copy."
  (let* ((mark (sb-ext:string-to-octets (format nil "~%!wake ~D~%" (unix-getpid)) :external-format :latin-1))
         (source (descriptor-source +input-descriptor+))
         (octet (make-array 1 :element-type '(unsigned-byte 8)))
         (matched 0))
    (loop until (= matched (length mark))
          do (when (zerop (funcall source octet 0 1)) (leave 0 nil))
             (setf matched (cond ((= (aref octet 0) (aref mark matched)) (1+ matched))
                                 ((= (aref octet 0) (aref mark 0)) 1)
                                 (t 0))))))

(defun announce-life (copy)
  "The first words of the new life."
  (write-mark "live")
  (mapc #'funcall *after-waking*)
  (send-event "woken"
              "pid" (unix-getpid)
              "copy" copy
              "missing" (array-of (what-did-not-come-back))))

(defun what-did-not-come-back ()
  "Sentences about what a copy cannot have."
  (remove nil
          (list (let ((processes (count-if #'sb-ext:process-alive-p *active-processes*)))
                  (when (plusp processes)
                    (format nil "~D process~:*~[~;~:;es~] that it had started ~:*~[~;is~:;are~] not connected to it any more."
                            processes)))
                (let ((lost (length *let-go*)))
                  (when (plusp lost)
                    (format nil "~D pipe~:P, connection~:*~P or file~:*~P that ~:*~[~;was~:;were~] open cannot be used any more."
                            lost))))))
