;;;; The status of files. SB-POSIX has functions for it, which are wrong now and then in SBCL 2.2.9: compiled code there takes an alien
;;;; pointer for a machine address when the octet before it in memory happens to be that of an address. A file then seems not to exist,
;;;; and memory that nobody allocated is freed. SBCL's own functions need no alien pointer.

(cl:defpackage #:lisp-workbench/files
  (:use #:cl #:lisp-workbench/internals)
  (:documentation "The status of files, as the system tells it.")
  (:export #:stat-of #:stat-device #:stat-inode #:stat-mode #:stat-links #:stat-owner #:stat-size #:stat-modified #:stat-changed
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
