;;;; The status of files. SB-POSIX's functions for this sometimes fail in SBCL 2.2.9: their compiled code mistakes an alien pointer for a
;;;; machine address if the octet before the pointer in memory happens to look like one. In that case an existing file seems to be missing,
;;;; and memory that was never allocated is freed. SBCL's own functions need no alien pointer.

(cl:defpackage #:lisp-workbench/files
  (:use #:cl #:lisp-workbench/internals)
  (:documentation "The status of files, as the system reports it.")
  (:export #:stat-of #:stat-device #:stat-inode #:stat-mode #:stat-links #:stat-owner #:stat-size #:stat-modified #:stat-changed #:write-stamp #:make-old
           #:folder-p #:link-p #:regular-p #:pipe-p))

(cl:in-package #:lisp-workbench/files)

(defstruct (stat (:constructor make-stat (device inode mode links owner size modified changed)))
  "The status of a file. MODIFIED and CHANGED (the time of the last status change) are seconds since 1970. SIZE is a number of octets, OWNER
a user id."
  device inode mode links owner size modified changed)

(defun stat-of (file &optional (follow t))
  "Return the STAT of FILE, a native name or a descriptor number. Return NIL if there is no such file or its status cannot be read. With
FOLLOW, the status of a link is the status of its target; otherwise it is the status of the link itself."
  (multiple-value-bind (told device inode mode links user group special size accessed modified changed)
      (cond ((integerp file) (unix-fstat file))
            (follow (unix-stat (coerce file 'simple-string)))
            (t (unix-lstat (coerce file 'simple-string))))
    (declare (ignore group special accessed))
    (and told (make-stat device inode mode links user size modified changed))))

;;; Last-write times of files, with a precision finer than a second, because a program may edit and compile a file twice within a second.

(defconstant +current-folder+ -100 "AT_FDCWD of statx.")
(defconstant +modified+ #x40 "STATX_MTIME.")
(defconstant +status-octets+ 256 "The size of the record that statx writes, in octets.")
(defconstant +modified-at+ 112 "The offset of the seconds of the last write; the nanoseconds follow.")

(defun write-stamp (file)
  "Return the time of the last write of FILE, a native name, in nanoseconds since 1970, or NIL if there is no such file. If the system
reports only whole seconds, convert them to nanoseconds."
  (let ((stat (stat-of file)))
    (and stat
         (or (ignore-errors (exactly-modified file)) (* 1000000000 (stat-modified stat))))))

(defun exactly-modified (file)
  "Return the time of the last write of FILE in nanoseconds since 1970, or NIL if the system has no statx."
  (when (sb-sys:find-foreign-symbol-address "statx")
    (let ((status (make-array +status-octets+ :element-type '(unsigned-byte 8) :initial-element 0)))
      (flet ((octets (at count) (loop for index below count sum (ash (aref status (+ at index)) (* 8 index)))))
        (and (zerop (with-pinned-objects (status)
                      (sb-alien:alien-funcall
                       (sb-alien:extern-alien "statx" (function sb-alien:int sb-alien:int sb-alien:c-string sb-alien:int sb-alien:unsigned-int
                                                                sb-alien:system-area-pointer))
                       +current-folder+ file 0 +modified+ (vector-sap status))))
             (+ (* 1000000000 (octets +modified-at+ 8)) (octets (+ +modified-at+ 8) 4)))))))

(defun make-old (file)
  "Set the last-write time of FILE, a native name or a descriptor, to the oldest possible time, so that ASDF compiles the file again."
  (let ((times (make-array 4 :element-type '(unsigned-byte 64) :initial-element 0)))
    (with-pinned-objects (times)
      (ignore-errors
       (if (integerp file)
           (sb-alien:alien-funcall (sb-alien:extern-alien "futimes" (function sb-alien:int sb-alien:int sb-alien:system-area-pointer))
                                   file (vector-sap times))
           (sb-alien:alien-funcall (sb-alien:extern-alien "utimes" (function sb-alien:int sb-alien:c-string sb-alien:system-area-pointer))
                                   file (vector-sap times)))))))

(defun kind-p (stat kind)
  (and stat (= kind (logand #o170000 (stat-mode stat)))))

(defun folder-p (stat)
  "Return true if STAT, which may be NIL, describes a folder."
  (kind-p stat #o040000))

(defun link-p (stat)
  "Return true if STAT, which may be NIL, describes a symbolic link."
  (kind-p stat #o120000))

(defun regular-p (stat)
  "Return true if STAT, which may be NIL, describes a regular file: not a folder, device, pipe or socket."
  (kind-p stat #o100000))

(defun pipe-p (stat)
  "Return true if STAT, which may be NIL, describes a named pipe."
  (kind-p stat #o010000))
