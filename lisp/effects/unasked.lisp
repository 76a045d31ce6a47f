;;;; The files that guarded code wrote without anybody being asked: what lies in the temporary folder of any image, whether that is still there or
;;;; not, and what was written where the person lets agents write. Files of the second kind get a mark, an extended attribute, as files from the
;;;; network get one from a browser: it stays with the file when that is moved, goes with it when another takes its place, and every other
;;;; image finds it.

(in-package #:lisp-workbench/effects)

(defun written-unasked-file-p (name)
  "True when guarded code may have written the file NAME, or the source of which NAME is the compiled file in the cache, without being asked."
  (handler-case (let ((name (real-name name))) (unseen-file-p name name (stat-of name)))
    (unusable-name () t)))

(defun unseen-file-p (name file stat)
  "True when nobody was asked about the file of that real NAME. FILE is its descriptor, or NAME where it is not open. What a pipe with a name
gives may be of anybody who knows that name."
  (and (or (in-temporary-folder-p name)
           (pipe-p stat)
           (marked-p file stat))
       t))

(defun in-temporary-folder-p (name)
  "True when a folder on the way to NAME is called as the temporary folders of images are: lisp-workbench-PROCESS-XXXXXX. The cache has such
a folder for the compiled files of sources in one."
  (loop with beginning = "/lisp-workbench-"
        for at = (search beginning name) then (search beginning name :start2 (1+ at))
        while at
        thereis (let* ((start (+ at (length beginning)))
                       (dash (position-if-not #'digit-char-p name :start start))
                       (end (and dash (or (position #\/ name :start dash) (length name)))))
                  (and dash (< start dash) (char= #\- (char name dash)) (= 7 (- end dash))))))

;;; The mark

(defparameter *mark* "user.lisp-workbench.unasked" "Name of the attribute. Linux takes names of users' attributes that begin so.")

(sb-ext:defglobal *unasked-files* (make-hash-table :test #'equal :synchronized t)
  "(device . inode) of a file that was written unasked where the file system takes no mark → true.")

(defmacro attribute-call (name type file &rest arguments)
  "Call the function NAME of the C library with FILE, the mark's name and ARGUMENTS. On macOS it takes one argument more than on Linux."
  `(sb-alien:alien-funcall
    (sb-alien:extern-alien ,name (function sb-alien:long ,type sb-alien:c-string sb-alien:system-area-pointer sb-alien:unsigned-long
                                           sb-alien:unsigned-int sb-alien:int))
    ,file *mark* ,@arguments 0 0))

(defun mark-unasked (file stat)
  "Mark FILE, a descriptor or a native name, as written by guarded code without anybody being asked."
  (when (regular-p stat)
    (let ((value (make-array 1 :element-type '(unsigned-byte 8) :initial-element 49)))
      (unless (with-pinned-objects (value)
                (eql 0 (ignore-errors
                        (if (integerp file)
                            (attribute-call "fsetxattr" sb-alien:int file (vector-sap value) 1)
                            (attribute-call "setxattr" sb-alien:c-string file (vector-sap value) 1)))))
        (setf (gethash (cons (stat-device stat) (stat-inode stat)) *unasked-files*) t)))))

(defun marked-p (file stat)
  "True when FILE, a descriptor or a native name, has the mark."
  (and (regular-p stat)
       (or (gethash (cons (stat-device stat) (stat-inode stat)) *unasked-files*)
           (let ((length (ignore-errors
                          (if (integerp file)
                              (attribute-call "fgetxattr" sb-alien:int file (sb-sys:int-sap 0) 0)
                              (attribute-call "getxattr" sb-alien:c-string file (sb-sys:int-sap 0) 0)))))
             (and length (not (minusp length)))))))
