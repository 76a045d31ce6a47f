;;;; The SHA-256 of a file, for what is approved to run: the path alone does not tell what is in it.

(in-package #:lisp-workbench/effects)

(defun octets-digest (name)
  "The SHA-256 of the file with the native NAME; NIL where it cannot be read."
  (ignore-errors
   (with-regular-file (stream name :element-type '(unsigned-byte 8))
     (digest-of-octets (lambda (octets) (read-sequence octets stream))))))

(defconstant +longest-digested+ 67108864 "The largest file, in octets, of which a digest is made; this takes about a second.")
(defconstant +settled-seconds+ 2
  "The age, in seconds, from which a file's time of change tells every later change: the grain of these times, and a second to spare.")

(sb-ext:defglobal *digests* (make-hash-table :test #'equal :synchronized t))

(defun file-digest (name stat)
  "Return the SHA-256 of the file NAME, which is read again only when by STAT it may have been written since. NIL when it is no file or too
large. The time of the last change is the kernel's own and cannot be set by a program."
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
