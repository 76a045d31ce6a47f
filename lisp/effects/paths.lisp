;;;; Which file a name means in the end: links followed, also for a file that does not exist yet. And the folders where writing is
;;;; allowed: the cache of compiled files and the image's own temporary folder.

(in-package #:lisp-workbench/effects)

(defconstant +most-links+ 40)

(defun real-name (name &optional (follow t))
  "The absolute native NAME without links, dots and needless slashes. What does not exist stays as it is written. Unless FOLLOW a
link at the very end stays: it is what is deleted or renamed."
  (let ((waiting (split-name name)) (done '()) (links 0)
        (follow (or follow (char= #\/ (char name (1- (length name)))))))
    (loop while waiting
          do (let ((part (pop waiting)))
               (cond ((string= part "."))
                     ((string= part "..") (pop done))
                     (t
                      (let ((link (and (or waiting follow) (link-target (join-name (cons part done))))))
                        (cond ((null link) (push part done))
                              ((> (incf links) +most-links+) (error "Too many links in ~A." name))
                              (t
                               (when (char= #\/ (char link 0)) (setf done '()))
                               (setf waiting (append (split-name link) waiting)))))))))
    (join-name done)))

(defun split-name (name)
  (remove "" (uiop:split-string name :separator "/") :test #'string=))

(defun join-name (reversed-parts)
  (if reversed-parts
      (format nil "~{/~A~}" (reverse reversed-parts))
      "/"))

(defun link-target (name)
  "Where the link NAME leads; NIL when it is none."
  (let ((stat (stat-of name nil)))
    (when (and stat (= (logand #o170000 (sb-posix:stat-mode stat)) #o120000))
      (let ((target (ignore-errors (sb-posix:readlink name))))
        (and target (plusp (length target)) target)))))

(defun stat-of (name &optional (follow t))
  "NIL when there is no such file."
  (handler-case (if follow (sb-posix:stat name) (sb-posix:lstat name))
    (sb-posix:syscall-error () nil)))

(defun folder-p (stat)
  (and stat (= (logand #o170000 (sb-posix:stat-mode stat)) #o040000)))

(defun within-p (name folder)
  "Whether the real NAME is below the real FOLDER."
  (let ((length (length folder)))
    (and (> (length name) (1+ length))
         (string= folder name :end2 length)
         (char= #\/ (char name length)))))

(defun absolute-name (name)
  (if (and (plusp (length name)) (char= #\/ (char name 0)))
      name
      (concatenate 'string (sb-posix:getcwd) "/" name)))

(defun lisp-name (designator)
  "The native name that CL's functions give the kernel for DESIGNATOR."
  (absolute-name (sb-ext:native-namestring (translate-logical-pathname (merge-pathnames (pathname designator)))
                                           :as-file t)))

(defun posix-name (designator)
  "The same for those of SB-POSIX."
  (absolute-name (if (stringp designator)
                     designator
                     (sb-ext:native-namestring (translate-logical-pathname (pathname designator)) :as-file t))))

(defun descriptor-name (descriptor)
  "The file behind a file descriptor or a stream; NIL when it cannot be told."
  (let* ((number (sb-posix:file-descriptor descriptor))
         (name (ignore-errors (sb-posix:readlink (format nil "/proc/self/fd/~D" number)))))
    (and name (plusp (length name)) (char= #\/ (char name 0)) name)))

;;; Where writing is allowed

(sb-ext:defglobal *cache* nil)          ; native name of the folder of compiled files
(sb-ext:defglobal *temporary-base* nil) ; native name of the folder in which the image's own one is made
(sb-ext:defglobal *temporary-folder* nil)
(sb-ext:defglobal *temporary-lock* (sb-thread:make-mutex :name "lisp-workbench temporary directory"))

(defun note-places ()
  "Called when the image starts, before any code could set what UIOP goes by."
  (flet ((name (pathname) (sb-ext:native-namestring pathname :as-file t)))
    (setf *cache* (ignore-errors (name (uiop:xdg-cache-home "common-lisp" :implementation)))
          *temporary-base* (ignore-errors (name (uiop:temporary-directory)))
          *temporary-folder* nil))
  (remember-places))

(defun temporary-directory ()
  "A folder of this image's own, made when it is first asked for, into which code may write without being asked."
  (sb-thread:with-mutex (*temporary-lock*)
    (sb-ext:parse-native-namestring
     (or (and *temporary-folder* (stat-of *temporary-folder*) *temporary-folder*)
         (setf *temporary-folder*
               (concatenate 'string
                            (without-guard
                              (sb-posix:mkdtemp (format nil "~A/lisp-workbench-~D-XXXXXX"
                                                        (real-name *temporary-base*) (unix-getpid))))
                            "/"))))))

(defun allowed-folder (name)
  "Which folder allows writing the file of that real NAME; :SILENTLY for what is the engine's own work; NIL when it must be asked for."
  (cond ((string= name "/dev/null") :silently)
        ((some (lambda (folder) (within-p name (string-right-trim "/" folder))) *own-folders*) :silently)
        (t (find-if (lambda (folder) (within-p name folder))
                    (remove nil (list (and *cache* (real-name *cache*))
                                      (and *temporary-folder* (string-right-trim "/" *temporary-folder*))))))))
