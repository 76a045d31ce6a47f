;;;; Files that guarded code wrote without approval: all files in the temporary folder of any image, even an image that no longer exists,
;;;; and files in folders where the person lets agents write. The latter get a mark, an extended attribute, similar to the one that browsers
;;;; put on downloaded files. The mark moves with the file, disappears if another file replaces the file, and is visible to every other
;;;; image.

(in-package #:lisp-workbench/effects)

(defun written-unasked-file-p (name)
  "Return true if guarded code may have written the file NAME without approval. If NAME is a compiled file in the cache, also return true if
guarded code may have written its source."
  (handler-case (let ((name (real-name name))) (unseen-file-p name name (stat-of name)))
    (unusable-name () t)))

(defun unseen-file-p (name file stat)
  "Return true if the file with the real NAME may have been written without approval. FILE is its descriptor, or NAME if the file is not
open. Named pipes count too, because any process that knows the name can write to them."
  (and (or (in-temporary-folder-p name)
           (pipe-p stat)
           (marked-p file stat))
       t))

(defun in-temporary-folder-p (name)
  "Return true if a folder on the path of NAME has the form of an image's temporary folder: lisp-workbench-PROCESS-XXXXXX. The cache also
contains folders with such names, for the compiled files of sources in a temporary folder."
  (loop with beginning = "/lisp-workbench-"
        for at = (search beginning name) then (search beginning name :start2 (1+ at))
        while at
        thereis (let* ((start (+ at (length beginning)))
                       (dash (position-if-not #'digit-char-p name :start start))
                       (end (and dash (or (position #\/ name :start dash) (length name)))))
                  (and dash (< start dash) (char= #\- (char name dash)) (= 7 (- end dash))))))

;;; The mark

(defparameter *mark* "user.lisp-workbench.unasked" "The name of the attribute. Linux requires this prefix for attributes set by users.")

(sb-ext:defglobal *unasked-files* (make-hash-table :test #'equal :synchronized t)
  "(device . inode) of a file that was written without approval on a file system that does not support the mark → true")

(defmacro attribute-call (name type file &rest arguments)
  "Call the C library function NAME with FILE, the mark's name and ARGUMENTS. On macOS the function takes one more argument than on Linux."
  `(sb-alien:alien-funcall
    (sb-alien:extern-alien ,name (function sb-alien:long ,type sb-alien:c-string sb-alien:system-area-pointer sb-alien:unsigned-long
                                           sb-alien:unsigned-int sb-alien:int))
    ,file *mark* ,@arguments 0 0))

(defun mark-unasked (file stat)
  "Mark FILE, a descriptor or a native name, as a file that guarded code has written without approval."
  (when (regular-p stat)
    (let ((value (make-array 1 :element-type '(unsigned-byte 8) :initial-element 49)))
      (unless (with-pinned-objects (value)
                (eql 0 (ignore-errors
                        (if (integerp file)
                            (attribute-call "fsetxattr" sb-alien:int file (vector-sap value) 1)
                            (attribute-call "setxattr" sb-alien:c-string file (vector-sap value) 1)))))
        (setf (gethash (cons (stat-device stat) (stat-inode stat)) *unasked-files*) t)))))

(defun marked-p (file stat)
  "Return true if FILE, a descriptor or a native name, has the mark."
  (and (regular-p stat)
       (or (gethash (cons (stat-device stat) (stat-inode stat)) *unasked-files*)
           (let ((length (ignore-errors
                          (if (integerp file)
                              (attribute-call "fgetxattr" sb-alien:int file (sb-sys:int-sap 0) 0)
                              (attribute-call "getxattr" sb-alien:c-string file (sb-sys:int-sap 0) 0)))))
             (and length (not (minusp length)))))))
