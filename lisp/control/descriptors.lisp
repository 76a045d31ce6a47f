;;;; The process's descriptors. Inherited descriptors are closed when the process starts. If a frozen checkpoint kept its files open, they
;;;; would stay open for all processes: a pipe would never end, a connection would never close, and a lock would never be released.
;;;; Therefore a checkpoint closes its files and replaces each with /dev/null, so that its descriptor number is not reused. When a
;;;; checkpoint is woken, it reopens the files that have a name, at their former positions.

(in-package #:lisp-workbench/control)

(defconstant +descriptors-searched+ 1024)
(defconstant +poll-input+ 1)
(defconstant +poll-invalid+ #x20 "POLLNVAL of the system's poll.h: the descriptor is not open.")

(sb-ext:defglobal *life-write* nil)     ; the live process's end of the life pipe; when this end is closed, the latest checkpoint knows that
                                        ; the live process has ended
(sb-ext:defglobal *let-go* '())         ; files that this checkpoint had open: (descriptor name flags place)

(defun make-polled (descriptors awaited)
  "Return a vector of struct pollfd: for each of DESCRIPTORS, the descriptor, and then the AWAITED and the returned events, 16 bits each."
  (let ((polled (make-array (* 2 (length descriptors)) :element-type '(unsigned-byte 32))))
    (loop for descriptor in descriptors
          for index from 0 by 2
          do (setf (aref polled index) (ldb (byte 32 0) descriptor)
                   (aref polled (1+ index)) awaited))
    polled))

(defun poll (polled milliseconds)
  "Return the result of poll(2). If MILLISECONDS is -1, there is no timeout."
  (with-pinned-objects (polled)
    (sb-alien:alien-funcall
     (sb-alien:extern-alien "poll" (function sb-alien:int sb-sys:system-area-pointer sb-alien:unsigned-long sb-alien:int))
     (vector-sap polled) (floor (length polled) 2) milliseconds)))

(defun polled-events (polled index)
  "Return the events that occurred on the descriptor at INDEX, as bits."
  (ash (aref polled (1+ (* 2 index))) -16))

(defun close-inherited-descriptors ()
  "Close the descriptors that the program that started the image left open. Called when the image starts, before any user code runs. A
browser engine leaves many descriptors open. Through the browser engine's connections to pages, code could act as a page. While the image
has such a descriptor open, the end of a page is also not noticed."
  (dolist (descriptor (inherited-descriptors))
    (ignore-errors (sb-posix:close descriptor))))

(defun inherited-descriptors ()
  "Return the open descriptors above the wire's. Read them from the system's list, because a descriptor number may be high."
  (let ((directory (ignore-errors (sb-posix:opendir "/dev/fd"))))
    (if (null directory)
        (descriptors-in-use)
        (unwind-protect
             (loop for entry = (sb-posix:readdir directory)
                   until (sb-alien:null-alien entry)
                   for number = (parse-integer (sb-posix:dirent-name entry) :junk-allowed t)
                   ;; The list includes the descriptor of the directory being listed. It is already closed when the caller closes it again,
                   ;; which does no harm.
                   when (and number (> number +output-descriptor+)) collect number)
          (sb-posix:closedir directory)))))

(defun descriptors-in-use ()
  "Return the open descriptors above the wire's. Check all possible numbers with one system call or, if the process may not have that many,
check each number separately."
  (let* ((numbers (loop for descriptor from (1+ +output-descriptor+) below +descriptors-searched+ collect descriptor))
         (polled (make-polled numbers 0)))
    (if (minusp (poll polled 0))
        (remove-if-not #'descriptor-flags numbers)
        (loop for descriptor in numbers
              for index from 0
              unless (logtest +poll-invalid+ (polled-events polled index)) collect descriptor))))

(defconstant +descriptors-looked-at+ 128
  "The number of descriptors to check when the check must be cheap. This number is enough because the system assigns the lowest free
descriptor.")

(defun descriptors-held-p ()
  "Return true if this process has an open descriptor other than the wire's and the life pipe's."
  (let* ((first (1+ +output-descriptor+))
         (polled (make-polled (loop for descriptor from first below +descriptors-looked-at+ collect descriptor) 0)))
    (or (minusp (poll polled 0))
        (loop for index below (- +descriptors-looked-at+ first)
              for descriptor = (+ first index)
              thereis (not (or (logtest +poll-invalid+ (polled-events polled index))
                               (eql descriptor *life-write*)))))))

(defun descriptor-flags (descriptor)
  "Return the flags of DESCRIPTOR; NIL if it is not open."
  (let ((flags (sb-alien:alien-funcall
                (sb-alien:extern-alien "fcntl" (function sb-alien:int sb-alien:int sb-alien:int))
                descriptor sb-posix:f-getfl)))
    (unless (minusp flags) flags)))

(defun open-descriptors (but)
  "Return (descriptor name flags place) for each descriptor that this process has open, except the wire's and those in BUT. Call this before
the fork, because afterwards both processes share the position in each file."
  (loop for descriptor in (descriptors-in-use)
        for flags = (unless (eql descriptor but) (descriptor-flags descriptor))
        when flags
          collect (list descriptor (descriptor-name descriptor) flags
                        (ignore-errors (sb-posix:lseek descriptor 0 sb-posix:seek-cur)))))

(defun let-go-of-descriptors (open)
  "Replace the descriptors in OPEN, entries of OPEN-DESCRIPTORS, with /dev/null."
  (setf *let-go* open)
  (let ((null-device (sb-posix:open "/dev/null" sb-posix:o-rdwr)))
    (loop for (descriptor) in open
          do (sb-posix:dup2 null-device descriptor))
    (sb-posix:close null-device)))

(defun descriptor-name (descriptor)
  "Return the name of the file that DESCRIPTOR has open; NIL for a pipe, a connection or a deleted file."
  (let ((name (ignore-errors (sb-posix:readlink (format nil "/proc/self/fd/~D" descriptor)))))
    (when (and name (char= #\/ (char name 0)) (stat-of name))
      name)))

(defun take-descriptors-back ()
  "Reopen the files that can be reopened. Afterwards, *LET-GO* contains the other files."
  (setf *let-go* (remove-if #'open-again *let-go*)))

(defun open-again (entry)
  (destructuring-bind (descriptor name flags place) entry
    (when name
      (let ((opened (ignore-errors
                     (sb-posix:open name (logand flags (logior sb-posix:o-rdonly sb-posix:o-wronly sb-posix:o-rdwr
                                                               sb-posix:o-append sb-posix:o-nonblock))))))
        (when opened
          (sb-posix:dup2 opened descriptor)
          (sb-posix:close opened)
          (sb-posix:fcntl descriptor sb-posix:f-setfd 1)
          (when place (ignore-errors (sb-posix:lseek descriptor place sb-posix:seek-set)))
          t)))))
