;;;; What a call would do outside the image, told from its arguments before it is done. Each function takes the arguments of the
;;;; operators that the table gives it and returns an EFFECT, or NIL when that call does nothing outside.

(in-package #:lisp-workbench/effects)

(defconstant +longest-target+ 20000 "Characters.")
(defconstant +longest-fact+ 2000 "Characters.")

(defstruct (effect (:constructor make-effect (target &key path other-path facts)))
  "PATH and OTHER-PATH are real names. KIND and OPERATOR come from the table. FACTS is a list of (name . value)."
  kind operator target path other-path facts)

(defvar *name-reader* 'lisp-name "Function that gives the native name for an argument: SB-POSIX takes strings as they are.")

(defun file-effect (argument &key (follow t) facts)
  "What is done to the file that ARGUMENT names. FACTS is a function of the file's status, NIL when it does not exist."
  (let* ((path (real-name (funcall *name-reader* argument) follow))
         (stat (stat-of path follow)))
    (make-effect path :path path :facts (append (if facts (funcall facts stat) '()) (file-facts stat path follow)))))

(defun file-facts (stat path follow)
  (when stat
    (let ((link (and (not follow) (link-target path))) (names (sb-posix:stat-nlink stat)))
      (list* (cond (link (cons "link to" link))
                   ((folder-p stat) (cons "directory" "yes"))
                   (t (cons "size" (format nil "~D" (sb-posix:stat-size stat)))))
             (cons "modified" (timestamp (sb-posix:stat-mtime stat)))
             ;; The path does not tell where else its bytes are.
             (if (and (not link) (not (folder-p stat)) (> names 1))
                 (list (cons "hard links" (format nil "~D: the same file has other names elsewhere" names)))
                 '())))))

(defun timestamp (unix-time)
  "As ISO 8601 has it, UTC."
  (multiple-value-bind (second minute hour day month year)
      (decode-universal-time (+ unix-time #.(encode-universal-time 0 0 0 1 1 1970 0)) 0)
    (format nil "~4,'0D-~2,'0D-~2,'0DT~2,'0D:~2,'0D:~2,'0DZ" year month day hour minute second)))

(defun two-files (effect other)
  "EFFECT with a second file."
  (setf (effect-other-path effect) (effect-path other)
        (effect-target effect) (format nil "~A -> ~A" (effect-path effect) (effect-path other))
        (effect-facts effect) (append (effect-facts effect)
                                      (list (cons "change" (if (stat-of (effect-path other) nil) "overwrites" "new file")))))
  effect)

;;; Files, as CL has them

(defun look-at-open (filename &key (direction :input) (if-exists nil if-exists-given) (if-does-not-exist nil)
                     &allow-other-keys)
  (cond ((member direction '(:output :io))
         (file-effect filename
                      :facts (lambda (stat)
                               (list (cons "change" (cond ((null stat) "new file")
                                                          ((eq if-exists :append) "appends")
                                                          ((and (eq if-exists :overwrite) if-exists-given) "changes in place")
                                                          (t "overwrites")))))))
        ((and (eq if-does-not-exist :create) (null (stat-of (funcall *name-reader* filename))))
         (file-effect filename :facts (constantly '(("change" . "new file")))))))

(defun look-at-name (file &rest more)
  "The name itself goes, a link's and not what it leads to."
  (declare (ignore more))
  (file-effect file :follow nil))

(defun look-at-renaming (file new-name)
  (two-files (file-effect file :follow nil)
             (file-effect (merge-pathnames new-name (merge-pathnames file)) :follow nil)))

(defun look-at-new-folder (pathspec &rest more)
  (declare (ignore more))
  (let* ((file (translate-logical-pathname (merge-pathnames (pathname pathspec))))
         (name (absolute-name (sb-ext:native-namestring (make-pathname :name nil :type nil :version nil :defaults file)))))
    (unless (folder-p (stat-of name))
      (let ((path (real-name name)))
        (make-effect path :path path)))))

(defun look-at-folder (pathspec &key recursive)
  (file-effect pathspec :facts (lambda (stat) (declare (ignore stat)) (if recursive '(("contents" . "deleted too")) '()))))

;;; Files, as POSIX has them

(defun look-at-file (file &rest more)
  (declare (ignore more))
  (file-effect file))

(defun look-at-posix-open (file flags &rest more)
  (declare (ignore more))
  (when (logtest flags (logior sb-posix:o-wronly sb-posix:o-rdwr sb-posix:o-creat sb-posix:o-trunc sb-posix:o-append))
    (file-effect file :facts (lambda (stat)
                               (list (cons "change" (cond ((null stat) "new file")
                                                          ((logtest flags sb-posix:o-append) "appends")
                                                          ((logtest flags sb-posix:o-trunc) "overwrites")
                                                          (t "changes in place"))))))))

(defun look-at-two-names (old new)
  (two-files (file-effect old :follow nil) (file-effect new :follow nil)))

(defun look-at-link (to name)
  "A symbolic link: only its own name is written."
  (let ((effect (file-effect name :follow nil)))
    (setf (effect-facts effect) (cons (cons "link to" (princ-to-string to)) (effect-facts effect)))
    effect))

(defun look-at-hard-link (old new)
  (two-files (file-effect old) (file-effect new :follow nil)))

(defun look-at-mode (file mode)
  (let ((effect (file-effect file)))
    (push (cons "new mode" (format nil "~O" mode)) (effect-facts effect))
    effect))

(defun look-at-owner (file owner group)
  (let ((effect (file-effect file)))
    (push (cons "new owner" (format nil "~D:~D" owner group)) (effect-facts effect))
    effect))

(defun look-at-descriptor (descriptor &rest more)
  (declare (ignore more))
  (let ((name (descriptor-name descriptor)))
    (if name
        (let ((*name-reader* 'identity)) (file-effect name))
        (make-effect (format nil "file descriptor ~D" (sb-posix:file-descriptor descriptor))))))

;;; Programs and processes

(defun look-at-program (program arguments &key (environment nil environment-given) (env nil env-given) search directory
                                            input output (error nil) &allow-other-keys)
  (let ((name (if (stringp program) program (sb-ext:native-namestring program))))
    (make-effect (format nil "~{~A~^ ~}" (mapcar #'quoted (cons name (mapcar #'string arguments))))
                 :facts (append
                         (list (cons "program" (or (program-file name search) name))
                               (cons "working directory"
                                     (real-name (if directory (lisp-name directory) (sb-posix:getcwd)))))
                         (and (or environment-given env-given)
                              (list (cons "environment" (format nil "~{~A~^~%~}" (new-environment (or environment env))))))
                         (loop for (label . stream) in (list (cons "input from" input) (cons "output to" output)
                                                             (cons "errors to" error))
                               when (typep stream '(or string pathname))
                                 collect (cons label (real-name (lisp-name stream))))))))

(defun quoted (argument)
  "As a shell would need it."
  (if (and (plusp (length argument))
           (every (lambda (char) (or (alphanumericp char) (find char "-_./:=@%+,"))) argument))
      argument
      (with-output-to-string (stream)
        (write-char #\' stream)
        (loop for char across argument
              do (if (char= char #\') (write-string "'\\''" stream) (write-char char stream)))
        (write-char #\' stream))))

(defun program-file (name search)
  (if (and search (not (find #\/ name)))
      (loop for folder in (uiop:split-string (or (sb-ext:posix-getenv "PATH") "") :separator ":")
            for file = (format nil "~A/~A" folder name)
            when (and (plusp (length folder)) (stat-of file)) return (real-name file))
      (real-name (absolute-name name))))

(defun new-environment (entries)
  "Those of ENTRIES that the image itself has not."
  (remove-if (lambda (entry) (member entry (sb-ext:posix-environ) :test #'equal))
             (mapcar #'princ-to-string entries)))

(defun look-at-fork ()
  (make-effect "a copy of this image"))

(defun look-at-signal (process signal &rest more)
  (declare (ignore more))
  (let ((number (if (integerp process) process (sb-ext:process-pid process))))
    (make-effect (format nil "signal ~D to process ~D" signal number)
                 :facts (and (eql number (unix-getpid)) '(("process" . "this image"))))))

(defun look-at-group-signal (group signal)
  (make-effect (format nil "signal ~D to process group ~D" signal group)))

;;; Network, foreign code

(defun look-at-connection (socket &rest peer)
  (declare (ignore socket))
  (peer-effect peer))

(defun look-at-listening (socket &rest more)
  (declare (ignore more))
  (peer-effect (multiple-value-list (ignore-errors (sb-bsd-sockets:socket-name socket)))))

(defun look-at-datagram (socket buffer length &key address &allow-other-keys)
  (declare (ignore socket))
  (when address
    (let ((effect (peer-effect address)))
      (push (cons "size" (format nil "~D" (or length (length buffer)))) (effect-facts effect))
      effect)))

(defun peer-effect (peer)
  (destructuring-bind (&optional address port) peer
    (if (typep address '(or string pathname))
        (let ((path (real-name (posix-name address))))
          (make-effect path :path path))
        (make-effect (format nil "~A:~A" (address-text address) port)))))

(defun address-text (address)
  (cond ((null address) "?")
        ((= (length address) 4) (format nil "~{~D~^.~}" (coerce address 'list)))
        (t (format nil "[~(~{~X~^:~}~)]" (loop for index from 0 below (length address) by 2
                                              collect (+ (* 256 (elt address index)) (elt address (1+ index))))))))

(defun look-at-library (pathname &rest more)
  (declare (ignore more))
  (let ((name (sb-ext:native-namestring pathname :as-file t)))
    (if (or (find #\/ name) (stat-of (absolute-name name)))
        (file-effect pathname)
        (make-effect name))))

;;; The image's process

(defun look-at-variable (name &optional (value nil value-given) overwrite)
  (make-effect (if value-given (format nil "~A=~A" name value) name)
               :facts (list (cons "before" (or (sb-ext:posix-getenv name) "not set"))
                            (cons "overwrite" (if (or (not value-given) (not (eql overwrite 0))) "yes" "no")))))

(defun look-at-assignment (string)
  (make-effect string))

(defun look-at-core (name &rest more)
  (declare (ignore more))
  (file-effect name))

(defun look-at-exit (&key code abort &allow-other-keys)
  (unless *exit-in-progress*
    (make-effect (format nil "with code ~D" (or code (if abort 1 0)))
                 :facts (and abort '(("unwinding" . "no"))))))

(defun look-at-exit-code (&optional (code 1) &key abort)
  (look-at-exit :code code :abort abort))
