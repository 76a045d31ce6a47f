;;;; Descriptors of the process. Those that it inherits are closed at its start. A frozen copy that kept the open files would keep them
;;;; open for everybody: a pipe would never end, a connection never close, a lock never fall. So it lets go of all, with /dev/null in their
;;;; places lest a number be used twice; when it is woken it opens again what has a name, at the place where the file stood.

(in-package #:lisp-workbench/control)

(defconstant +descriptors-searched+ 1024)
(defconstant +poll-input+ 1)
(defconstant +poll-invalid+ #x20 "POLLNVAL of the system's poll.h: the descriptor is not open.")

(sb-ext:defglobal *life-write* nil)     ; the live process's end of a pipe, by whose closing the latest copy hears of its end
(sb-ext:defglobal *let-go* '())         ; files that this copy had open: (descriptor name flags place)

(defun make-polled (descriptors awaited)
  "Return a vector of struct pollfd: the descriptor, then the AWAITED and the occurred events, 16 bits each."
  (let ((polled (make-array (* 2 (length descriptors)) :element-type '(unsigned-byte 32))))
    (loop for descriptor in descriptors
          for index from 0 by 2
          do (setf (aref polled index) (ldb (byte 32 0) descriptor)
                   (aref polled (1+ index)) awaited))
    polled))

(defun poll (polled milliseconds)
  "Return the result of poll(2); -1 MILLISECONDS set no limit of time."
  (with-pinned-objects (polled)
    (sb-alien:alien-funcall
     (sb-alien:extern-alien "poll" (function sb-alien:int sb-sys:system-area-pointer sb-alien:unsigned-long sb-alien:int))
     (vector-sap polled) (floor (length polled) 2) milliseconds)))

(defun polled-events (polled index)
  "Return the events that occurred to the descriptor at INDEX, as bits."
  (ash (aref polled (1+ (* 2 index))) -16))

(defun close-inherited-descriptors ()
  "Close what the program that started the image left open in it. Called when the image starts, before any code of a user runs. A browser
engine leaves much: with the connections to its pages code could act as a page, and the end of a page would be heard by nobody while the
image held the other end."
  (dolist (descriptor (inherited-descriptors))
    (ignore-errors (sb-posix:close descriptor))))

(defun inherited-descriptors ()
  "Return the open descriptors above the wire's; the system's list of them counts, since a number may be high."
  (let ((directory (ignore-errors (sb-posix:opendir "/dev/fd"))))
    (if (null directory)
        (descriptors-in-use)
        (unwind-protect
             (loop for entry = (sb-posix:readdir directory)
                   until (sb-alien:null-alien entry)
                   for number = (parse-integer (sb-posix:dirent-name entry) :junk-allowed t)
                   ;; The directory's own descriptor is among them; it is closed by then, and closed again in vain.
                   when (and number (> number +output-descriptor+)) collect number)
          (sb-posix:closedir directory)))))

(defun descriptors-in-use ()
  "Return the open descriptors above the wire's. One system call asks all possible numbers, or one call each where the process may not have
as many."
  (let* ((numbers (loop for descriptor from (1+ +output-descriptor+) below +descriptors-searched+ collect descriptor))
         (polled (make-polled numbers 0)))
    (if (minusp (poll polled 0))
        (remove-if-not #'descriptor-flags numbers)
        (loop for descriptor in numbers
              for index from 0
              unless (logtest +poll-invalid+ (polled-events polled index)) collect descriptor))))

(defconstant +descriptors-looked-at+ 128
  "The number of descriptors that are looked at where this must cost little: the system gives the lowest free number.")

(defun descriptors-held-p ()
  "True when this process has a descriptor open beside the wire's and the pipe that tells copies of its end."
  (let* ((first (1+ +output-descriptor+))
         (polled (make-polled (loop for descriptor from first below +descriptors-looked-at+ collect descriptor) 0)))
    (or (minusp (poll polled 0))
        (loop for index below (- +descriptors-looked-at+ first)
              for descriptor = (+ first index)
              thereis (not (or (logtest +poll-invalid+ (polled-events polled index))
                               (eql descriptor *life-write*)))))))

(defun descriptor-flags (descriptor)
  "Return the flags of DESCRIPTOR; NIL when it is not open."
  (let ((flags (sb-alien:alien-funcall
                (sb-alien:extern-alien "fcntl" (function sb-alien:int sb-alien:int sb-alien:int))
                descriptor sb-posix:f-getfl)))
    (unless (minusp flags) flags)))

(defun open-descriptors (but)
  "Return the descriptors that this process has open, except the wire's and BUT: (descriptor name flags place) each. Called before the copy is
made, which shares the place in a file with the process that lives on."
  (loop for descriptor in (descriptors-in-use)
        for flags = (unless (eql descriptor but) (descriptor-flags descriptor))
        when flags
          collect (list descriptor (descriptor-name descriptor) flags
                        (ignore-errors (sb-posix:lseek descriptor 0 sb-posix:seek-cur)))))

(defun let-go-of-descriptors (open)
  "Let go of OPEN, entries of OPEN-DESCRIPTORS, and put /dev/null in their places."
  (setf *let-go* open)
  (let ((null-device (sb-posix:open "/dev/null" sb-posix:o-rdwr)))
    (loop for (descriptor) in open
          do (sb-posix:dup2 null-device descriptor))
    (sb-posix:close null-device)))

(defun descriptor-name (descriptor)
  "The file that is open there; NIL when that is a pipe, a connection or a deleted file."
  (let ((name (ignore-errors (sb-posix:readlink (format nil "/proc/self/fd/~D" descriptor)))))
    (when (and name (char= #\/ (char name 0)) (stat-of name))
      name)))

(defun take-descriptors-back ()
  "Open again what can be opened; *LET-GO* then holds what could not."
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
