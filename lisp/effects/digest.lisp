;;;; Computes the SHA-256 of a file that is approved to run, because the path of a file does not identify its contents.

(in-package #:lisp-workbench/effects)

(defun octets-digest (name)
  "Return the SHA-256 of the file with the native NAME; NIL if it cannot be read."
  (ignore-errors
   (with-regular-file (stream name :element-type '(unsigned-byte 8))
     (digest-of-octets (lambda (octets) (read-sequence octets stream))))))

(defconstant +longest-digested+ 67108864 "The maximum size, in octets, of a file for which a digest is computed. A file of this size takes
about a second.")
(defconstant +settled-seconds+ 2
  "The minimum age of a file's change time, in seconds, for which every later change certainly gives a different change time. This is the
resolution of these times plus one second.")

(sb-ext:defglobal *digests* (make-hash-table :test #'equal :synchronized t))

(defun file-digest (name stat)
  "Return the SHA-256 of the file NAME. Read the file again only if STAT shows that it may have been written since. Return NIL if it is not
a regular file or is too large. The change time in STAT is reliable, because the kernel maintains it and programs cannot set it."
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
