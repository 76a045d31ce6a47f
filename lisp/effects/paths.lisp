;;;; The real name of a file: resolves links, even for a file that does not exist yet. This code calls only functions that user code cannot
;;;; redefine without unlocking a package.

(in-package #:lisp-workbench/effects)

(defconstant +most-links+ 40)

(define-condition unusable-name (file-error)
  ((reason :initarg :reason :reader unusable-reason))
  (:report (lambda (condition stream)
             (format stream "The name ~S cannot be used: ~A." (file-error-pathname condition) (unusable-reason condition))))
  (:documentation "Signaled for a name that does not identify a file. A call with such a name is refused without a request for approval."))

(defun nul-in-p (name)
  "Return true if the string NAME contains a NUL character, which would end the name for the kernel."
  (macrolet ((found (type)
               `(let ((name name))
                  (declare (type ,type name) (optimize speed (safety 0)))
                  (dotimes (index (length name) nil)
                    (when (char= #\Nul (schar name index)) (return t))))))
    (typecase name
      ((simple-array character (*)) (found (simple-array character (*))))
      (simple-base-string (found simple-base-string))
      (t (find #\Nul name)))))

(defun refuse-nul (thing)
  "Signal UNUSABLE-NAME if THING, a string, pathname or nested list of them, contains a NUL character."
  (typecase thing
    (string (when (nul-in-p thing)
              (error 'unusable-name :pathname (substitute #\? #\Nul thing)
                                    :reason "it contains a NUL character, where the system would cut it off")))
    (pathname (refuse-nul (pathname-name thing))
              (refuse-nul (pathname-type thing))
              (refuse-nul (pathname-directory thing)))
    (cons (when (ignore-errors (list-length thing))
            (mapc #'refuse-nul thing)))))

(defun real-name (name &optional (follow t))
  "Return three values. The first is the absolute native NAME without links, dots and redundant slashes. Components that do not exist stay
as written. Without FOLLOW, a link at the very end is not resolved, because a deletion or rename affects the link itself. The second value
is the list of the links on the path, including a link at the end, because a link may lead elsewhere a moment later. The third value is true
if one of them was a kernel link, which depends on an open descriptor or the working directory."
  (refuse-nul name)
  (let ((waiting (split-name name)) (done '()) (links 0) (passed '()) (kernels nil)
        (follow (or follow (char= #\/ (char name (1- (length name)))))))
    (loop while waiting
          do (let ((part (pop waiting)))
               (cond ((string= part "."))
                     ((string= part "..") (pop done))
                     (t
                      (let* ((here (join-name (cons part done))) (link (link-target here)))
                        (when link
                          (push here passed)
                          (when (and (or waiting follow) (kernels-link-p here link)) (setf kernels t)))
                        (cond ((or (null link) (not (or waiting follow))) (push part done))
                              ((> (incf links) +most-links+) (error "Too many links in ~A." name))
                              (t
                               (when (char= #\/ (char link 0)) (setf done '()))
                               (setf waiting (append (split-name link) waiting)))))))))
    (values (join-name done) passed kernels)))

(defun kernels-link-p (link target)
  "Return true if LINK is a link in /proc that leads directly to an open file or folder, regardless of TARGET, the text of the link. If
TARGET is not the name of that file or folder, signal an error, because the file then has no usable name."
  (let ((folder (folder-of link)))
    (and (eql 0 (search "/proc/" link))
         (or (find (last-part link) '("cwd" "root" "exe") :test #'string=)
             (find (last-part folder) '("fd" "map_files") :test #'string=))
         (let ((named (and (char= #\/ (char target 0)) (stat-of target))) (meant (stat-of link)))
           (unless (and named meant
                        (= (stat-device named) (stat-device meant))
                        (= (stat-inode named) (stat-inode meant)))
             (error 'unusable-name :pathname link
                                   :reason "it leads through an open descriptor to a file without a name"))
           t))))

(defun split-name (name)
  "Return the components of NAME between slashes, without empty ones."
  (loop with end = (length name)
        for start = 0 then (1+ slash)
        for slash = (or (position #\/ name :start start) end)
        unless (= start slash) collect (subseq name start slash)
        until (= slash end)))

(defun join-name (reversed-parts)
  "Return the name composed of REVERSED-PARTS. Do not use the printer, because code may define a print method on strings."
  (if reversed-parts
      (apply #'concatenate 'string (loop for part in (reverse reversed-parts) collect "/" collect part))
      "/"))

(defun link-target (name)
  "Return the target of the link NAME; NIL if NAME is not a link."
  (let ((stat (stat-of name nil)))
    (when (link-p stat)
      (let ((target (ignore-errors (sb-posix:readlink name))))
        (and target (plusp (length target)) target)))))

(defun within-p (name folder)
  "Return true if NAME is below FOLDER; both are real names."
  (let ((length (length folder)))
    (and (> (length name) (1+ length))
         (string= folder name :end2 length)
         (char= #\/ (char name length)))))

(defun absolute-name (name)
  (if (and (plusp (length name)) (char= #\/ (char name 0)))
      name
      (concatenate 'string (sb-posix:getcwd) "/" name)))

(defun lisp-name (designator)
  "Return the native name that CL's functions pass to the kernel for DESIGNATOR."
  (absolute-name (sb-ext:native-namestring (translate-logical-pathname (merge-pathnames (pathname designator)))
                                           :as-file t)))

(defun posix-name (designator)
  "Return the native name that the functions of SB-POSIX pass to the kernel for DESIGNATOR."
  (absolute-name (if (stringp designator)
                     designator
                     (sb-ext:native-namestring (translate-logical-pathname (pathname designator)) :as-file t))))

(defun pathname-of (name)
  "Return a pathname for the absolute native NAME that does not change when merged with another pathname."
  (let ((pathname (sb-ext:parse-native-namestring name)))
    (if (pathname-type pathname)
        pathname
        (make-pathname :type :unspecific :defaults pathname))))

(defun descriptor-name (descriptor)
  "Return the name of the file behind a file descriptor or a stream; NIL if unknown."
  (let* ((number (sb-posix:file-descriptor descriptor))
         (name (ignore-errors (sb-posix:readlink (format nil "/proc/self/fd/~D" number)))))
    (and name (plusp (length name)) (char= #\/ (char name 0)) name)))

(defun folder-of (name)
  "Return the folder that contains the file with the absolute native NAME."
  (let ((slash (position #\/ name :from-end t)))
    (if (eql slash 0) "/" (subseq name 0 slash))))

(defun last-part (name)
  (subseq name (1+ (or (position #\/ name :from-end t) -1))))
