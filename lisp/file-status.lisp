;;;; The status of files. SB-POSIX has functions for it, which are wrong now and then in SBCL 2.2.9: compiled code there takes an alien
;;;; pointer for a machine address when the octet before it in memory happens to be that of an address. A file then seems not to exist,
;;;; and memory that nobody allocated is freed. SBCL's own functions need no alien pointer.

(cl:defpackage #:lisp-workbench/files
  (:use #:cl #:lisp-workbench/internals)
  (:documentation "The status of files, as the system tells it.")
  (:export #:stat-of #:stat-device #:stat-inode #:stat-mode #:stat-links #:stat-owner #:stat-size #:stat-modified #:stat-changed #:write-stamp #:make-old
           #:folder-p #:link-p #:regular-p #:pipe-p))

(cl:in-package #:lisp-workbench/files)

(defstruct (stat (:constructor make-stat (device inode mode links owner size modified changed)))
  "Status of a file. MODIFIED and CHANGED, which says when its status did, are seconds since 1970; SIZE counts octets, OWNER is a user's number."
  device inode mode links owner size modified changed)

(defun stat-of (file &optional (follow t))
  "Return the STAT of FILE, a native name or the number of a descriptor; NIL when there is none or it cannot be told. Of a link, the status of
the file it leads to, or of the link itself unless FOLLOW."
  (multiple-value-bind (told device inode mode links user group special size accessed modified changed)
      (cond ((integerp file) (unix-fstat file))
            (follow (unix-stat (coerce file 'simple-string)))
            (t (unix-lstat (coerce file 'simple-string))))
    (declare (ignore group special accessed))
    (and told (make-stat device inode mode links user size modified changed))))

;;; When a file was written, more exactly than in seconds: what edits a file and compiles it again does so within one.

(defconstant +current-folder+ -100 "AT_FDCWD of statx.")
(defconstant +modified+ #x40 "STATX_MTIME.")
(defconstant +status-octets+ 256 "The size of what statx writes, in octets.")
(defconstant +modified-at+ 112 "Where it has the seconds of the last write, with the nanoseconds behind them.")

(defun write-stamp (file)
  "Return when FILE, a native name, was written last, in nanoseconds since 1970, or in whole seconds of them where the system tells no more; NIL
when there is no such file."
  (let ((stat (stat-of file)))
    (and stat
         (or (ignore-errors (exactly-modified file)) (* 1000000000 (stat-modified stat))))))

(defun exactly-modified (file)
  "Return the time of the last write of FILE in nanoseconds since 1970; NIL where the system has no statx."
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
  "Let FILE, a native name or a descriptor, be as old as can be, so that ASDF makes it again."
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
  "True when STAT, which may be NIL, is that of a folder."
  (kind-p stat #o040000))

(defun link-p (stat)
  "True when STAT, which may be NIL, is that of a symbolic link."
  (kind-p stat #o120000))

(defun regular-p (stat)
  "True when STAT, which may be NIL, is that of a regular file: no folder, device, pipe or socket."
  (kind-p stat #o100000))

(defun pipe-p (stat)
  "True when STAT, which may be NIL, is that of a pipe that has a name."
  (kind-p stat #o010000))
