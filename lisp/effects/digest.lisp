;;;; Computes the SHA-256 of a file that is approved to run, because a file's path does not identify its contents.

(in-package #:lisp-workbench/effects)

(defun octets-digest (name)
  "Return the SHA-256 of the file with the native NAME; NIL if it cannot be read."
  (ignore-errors
   (with-regular-file (stream name :element-type '(unsigned-byte 8))
     (digest-of-octets (lambda (octets) (read-sequence octets stream))))))

(defconstant +longest-digested+ 67108864 "The maximum size, in octets, of a file whose digest is computed. A file of this size takes about a
second.")
(defconstant +settled-seconds+ 2
  "The minimum age of a file's change time, in seconds. If the time is older, any later change is certain to produce a different change
time. The value is the resolution of change times plus one second.")

(sb-ext:defglobal *digests* (make-hash-table :test #'equal :synchronized t))

(defun file-digest (name stat)
  "Return the SHA-256 of the file NAME; NIL if it is not a regular file or is too large. Read the file again only if STAT shows that it may
have been written since. The change time in STAT is reliable, because the kernel maintains it and programs cannot set it."
  (when (and (regular-p stat)
             (<= (stat-size stat) +longest-digested+))
    (let* ((key (list (stat-device stat) (stat-inode stat) (stat-size stat) (stat-changed stat)))
           (settled (> (- (sb-posix:time) (stat-changed stat)) +settled-seconds+)))
      (or (and settled (gethash key *digests*))
          (let ((digest (octets-digest name)))
            (when (and digest settled)
              (when (> (hash-table-count *digests*) 1000) (clrhash *digests*))
              (setf (gethash key *digests*) digest))
            digest)))))
