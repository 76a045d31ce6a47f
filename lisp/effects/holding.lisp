;;;; Holds the files that determine the effect of an allowed call: programs, scripts, standard input, libraries. After the comparison with
;;;; the displayed effect, no other process can replace these files before the call uses them. A program is held by its open descriptor,
;;;; which means that it still finds the files next to it; a lease prevents other processes from writing to it. Other files are held as
;;;; copies in a folder of the engine. Files that only the system's administrator can replace are not held.

(in-package #:lisp-workbench/effects)

(defstruct holding
  "The resources held for one call: open descriptors, the folder with the copies, and the names created in it, latest first."
  (descriptors '()) (folder nil) (names '()))

(defstruct (held (:predicate nil) (:copier nil) (:constructor make-held (file content stat digest &optional left)))
  "A file whose real name is FILE. CONTENT is the name under which the compared content can be opened; it is equal to FILE if the file is
not held. LEFT is true if the file is never held because it depends on its location, even though other processes could replace it."
  file content stat digest left)

(sb-ext:defglobal *left-behind* '())      ; (process . holding) for programs that are still running and may read their copies

(defun hold-file (file &key by-descriptor)
  "Hold FILE, a real name, and return a HELD structure. If BY-DESCRIPTOR is true, as for programs, hold the file itself instead of a copy if
the system allows that."
  (let ((stat (stat-of file)))
    (cond ((or (null *holding*) (and stat (not (regular-p stat))) (fixed-place-p file))
           (make-held file file stat (and stat (file-digest file stat))))
          ((null stat) (make-held file (fresh-name file) nil nil)) ; the file does not exist now; if it appears later, it must not be used
          (t (hold-opened file (without-guard (unix-open file (logior sb-posix:o-rdonly sb-posix:o-nonblock sb-posix:o-noctty) 0))
                          stat by-descriptor)))))

(defun hold-opened (file descriptor stat by-descriptor)
  (unless descriptor (return-from hold-opened (make-held file file stat nil)))
  (own-descriptor descriptor)
  (let* ((stat (stat-of descriptor)) (itself (format nil "/proc/~D/fd/~D" (sb-posix:getpid) descriptor))
         (large (> (stat-size stat) +longest-digested+)))
    (cond ((not (regular-p stat)) (make-held file file stat nil))
          ((and by-descriptor (stat-of itself) (or (eq t (leased-p descriptor)) large))
           (let ((name (fresh-name file))) ; the name has the same suffix as the program's name, because the system uses it as the process
                                           ; name
             (without-guard (sb-posix:symlink itself name))
             (make-held file name stat (file-digest itself stat))))
          (large (make-held file file stat nil))
          (t (multiple-value-bind (name digest) (copied descriptor file stat)
               (make-held file name stat digest))))))

(defun own-descriptor (descriptor)
  (push descriptor (holding-descriptors *holding*))
  (sb-ext:atomic-push descriptor (symbol-value '*held-descriptors*))
  (without-guard (sb-posix:fcntl descriptor sb-posix:f-setfd 1))) ; FD_CLOEXEC

(defun forget-held ()
  "Clear the records of held files. They belong to another process, whose saved state this image started from."
  (setf *held-descriptors* '()
        *held-folders* '()
        *left-behind* '()))

(defun stood-in-for-p (held)
  "Return true if the content of HELD is in another file, such as a copy."
  (string/= (held-file held) (held-content held)))

;;; Copies

(defun copied (descriptor file stat)
  "Copy the file of DESCRIPTOR. Return the name of the copy, which has the same suffix as FILE, and the copy's digest. After this, no other
thread of this image can write to the copy, because the lease is refused while a thread has the copy open for writing."
  (let ((name (fresh-name file)))
    (without-guard
      (with-open-file (from (format nil "/proc/self/fd/~D" descriptor) :element-type '(unsigned-byte 8))
        (with-open-file (to name :element-type '(unsigned-byte 8) :direction :output :if-exists :error)
          (let ((octets (make-array 65536 :element-type '(unsigned-byte 8))))
            (loop for end = (read-sequence octets from)
                  do (write-sequence octets to :end end)
                  until (< end (length octets))))))
      (sb-posix:chmod name (if (logtest #o111 (stat-mode stat)) #o500 #o400))
      (let ((copy (unix-open name sb-posix:o-rdonly 0)))
        (own-descriptor copy)
        (unless (and (= (stat-inode (stat-of copy)) (stat-inode (stat-of name))) (not (eq :busy (leased-p copy))))
          (error "Another thread is writing to the copy of ~A." file))
        (values name (octets-digest name))))))

(defun fresh-name (file)
  "Return an unused name, in a separate folder, for a link or copy that is used in place of FILE."
  (without-guard
    (let* ((holding *holding*)
           (folder (or (holding-folder holding)
                       (setf (holding-folder holding)
                             (let ((made (sb-posix:mkdtemp (format nil "~A/lisp-workbench-~D-held-XXXXXX"
                                                                   (real-name *temporary-base*) (sb-posix:getpid)))))
                               (sb-ext:atomic-push made (symbol-value '*held-folders*))
                               made))))
           (place (format nil "~A/~D" folder (length (holding-names holding))))
           (name (format nil "~A/~A" place (last-part file))))
      (sb-posix:mkdir place #o700)
      (push name (holding-names holding))
      name)))

(defun let-go (holding &optional process)
  "Release the resources of HOLDING. Copies remain while PROCESS, which may read them, is running."
  (without-guard
    (dolist (descriptor (holding-descriptors holding))
      (sb-ext:atomic-update (symbol-value '*held-descriptors*) (lambda (all) (remove descriptor all :count 1)))
      (sb-posix:close descriptor))
    (setf (holding-descriptors holding) '())
    (cond ((null (holding-folder holding)))
          ((and process (sb-ext:process-alive-p process)) (sb-ext:atomic-push (cons process holding) (symbol-value '*left-behind*)))
          (t (dolist (name (holding-names holding))
               (ignore-errors (sb-posix:unlink name))
               (ignore-errors (sb-posix:rmdir (folder-of name))))
             (let ((folder (shiftf (holding-folder holding) nil)))
               (ignore-errors (sb-posix:rmdir folder))
               (sb-ext:atomic-update (symbol-value '*held-folders*) (lambda (all) (remove folder all))))
             (setf (holding-names holding) '())))))

(defun let-go-of-ended ()
  "Remove the copies of programs that have ended."
  (loop for each in *left-behind*
        for (process . holding) = each
        unless (sb-ext:process-alive-p process)
          do (let ((gone each))
               (sb-ext:atomic-update (symbol-value '*left-behind*) (lambda (all) (remove gone all))))
             (let-go holding)))

;;; Files that need not be held

(defparameter *system-folders* '("/usr" "/bin" "/sbin" "/lib" "/lib64" "/opt" "/nix" "/gnu" "/snap")
  "Folders of installed software. In a process of root, which may write everywhere, only files in these folders count as the system's.")

(defun fixed-place-p (file)
  "Return true if no process of this user can replace FILE, a real name, or write to it. Processes of root do not count."
  (let ((user (sb-posix:getuid)))
    (flet ((fixed-p (name)
             (let ((stat (stat-of name)))
               (and stat
                    (if (zerop user)
                        (and (zerop (stat-owner stat)) (not (logtest #o002 (stat-mode stat))))
                        (and (/= user (stat-owner stat)) (not (may-write-p name))))))))
      (and (or (plusp user) (some (lambda (folder) (within-p file folder)) *system-folders*))
           (loop for name = file then (folder-of name)
                 always (fixed-p name)
                 until (string= name "/"))))))

(defun may-write-p (name)
  (handler-case (progn (sb-posix:access name sb-posix:w-ok) t)
    (sb-posix:syscall-error () nil)))

(defconstant +set-lease+ 1024 "F_SETLEASE of Linux.")
(defconstant +set-signal+ 10 "F_SETSIG of Linux.")
(defconstant +sigwinch+ 28 "A signal that is ignored by default.")

(defun leased-p (descriptor)
  "Take a read lease on the file of DESCRIPTOR. Until DESCRIPTOR is closed, Linux then delays programs that open the file for writing.
Return :BUSY if the file is already open for writing, and NIL if leases are not supported for it."
  #-linux (progn descriptor nil)
  #+linux
  (without-guard
    (handler-case (progn
                    (sb-posix:fcntl descriptor +set-signal+ +sigwinch+) ; this signal replaces SIGIO, whose default action would end the
                                                                        ; process
                    (sb-posix:fcntl descriptor +set-lease+ sb-posix:f-rdlck)
                    t)
      (sb-posix:syscall-error (condition) (and (= sb-posix:eagain (sb-posix:syscall-errno condition)) :busy)))))

;;; Calls that read another file in place of the file that they name

(defun stand-in (called held)
  "Return the value for *INSTEAD* that makes the program or library CALLED (a native name) start from the held content HELD; NIL if it
starts from its own file."
  (and (stood-in-for-p held)
       (list (sb-ext:native-namestring (pathname-of (held-name called))) (held-content held))))

(defun content-of (name)
  "Return the native name of the file that must be read when the program or library NAME is started now."
  (if (and *instead* (equal name (first *instead*))) (second *instead*) name))

(defun install-holding ()
  "Make SBCL start programs and libraries from their held content, under their own names."
  (unless (lacking "starting exactly the approved program")
    (put-around 'spawn (lambda (original program &rest more) (apply original (content-of program) more)))
    (put-around 'dlopen-or-lose
                (lambda (original &optional (object nil given))
                  (cond ((and given *instead*)
                         (let ((name (shared-object-namestring object)))
                           (setf (shared-object-namestring object) (content-of name))
                           (unwind-protect (funcall original object)
                             (setf (shared-object-namestring object) name))))
                        (given (funcall original object))
                        (t (funcall original)))))))
