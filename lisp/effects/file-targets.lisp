;;;; Effects on files and folders, for the operators of Common Lisp, POSIX and SB-SIMPLE-STREAMS.

(in-package #:lisp-workbench/effects)

;;; Files, in Common Lisp

(defun look-at-open (filename &key (direction :input) (if-exists nil if-exists-given)
                                (if-does-not-exist nil if-does-not-exist-given)
                     &allow-other-keys)
  (cond ((and (member direction '(:output :io))
              (or (and if-exists-given (null if-exists) (stat-of (funcall *name-reader* filename)))
                  (and if-does-not-exist-given (null if-does-not-exist) (null (stat-of (funcall *name-reader* filename))))))
         nil)                           ; the call returns NIL, see CALL-WITHOUT-EFFECT
        ((member direction '(:output :io))
         (file-effect filename
                      :change (lambda (stat)
                                (cond ((null stat) "new file")
                                      ((eq if-exists :append) "appends")
                                      ((and (eq if-exists :overwrite) if-exists-given) "changes in place")
                                      (t "overwrites")))
                      :facts (lambda (stat)
                               (and stat (member if-exists '(:rename :rename-and-delete))
                                    '(("backup" . "a copy next to the file; replaces an earlier one"))))))
        ((and (eq if-does-not-exist :create) (null (stat-of (funcall *name-reader* filename))))
         (file-effect filename :change "new file"))))

(defun look-at-name (file &rest more)
  "Return the effect of removing a name. If the name is a link, the effect concerns the link and not its target."
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
      (multiple-value-bind (path links) (real-name name)
        (make-effect path :path path :links links)))))

(defun look-at-folder (pathspec &key recursive)
  (file-effect pathspec :change (if recursive "deletes a folder with its contents" "deletes a folder")
                        :facts (and recursive '(("contents" . "deleted too")))))

;;; Files, in POSIX

(defun look-at-file (file &rest more)
  (declare (ignore more))
  (file-effect file))

(defun look-at-making (file &optional mode)
  "Return the effect of a call that creates FILE or truncates it."
  (file-effect file :change (lambda (stat) (if stat "overwrites" "new file")) :facts (new-file-facts mode)))

(defun new-file-facts (mode)
  "Return a function that takes a file's status. The function returns facts about MODE if the file is new and MODE contains set-user-ID or
set-group-ID bits."
  (lambda (stat)
    (and (null stat) mode (logtest #o6000 mode) (mode-facts mode))))

(defun look-at-posix-open (file flags &optional mode)
  (when (logtest flags (logior sb-posix:o-wronly sb-posix:o-rdwr sb-posix:o-creat sb-posix:o-trunc sb-posix:o-append))
    (file-effect file :change (lambda (stat)
                                (cond ((null stat) "new file")
                                      ((logtest flags sb-posix:o-trunc) "overwrites")
                                      ((logtest flags sb-posix:o-append) "appends")
                                      (t "changes in place")))
                      :facts (new-file-facts mode))))

(defun look-at-pipe (file mode)
  (file-effect file :change "new pipe" :facts (mode-facts mode)))

(defun look-at-node (file mode &optional device)
  (file-effect file :change "new node" :facts (append (mode-facts mode) (list (cons "device" (format nil "~A" device))))))

(defun look-at-cutting (file &optional length)
  (file-effect file :change "cuts off" :facts (list (cons "new size" (format nil "~A" length)))))

(defun look-at-two-names (old new)
  (two-files (file-effect old :follow nil) (file-effect new :follow nil)))

(defun look-at-link (to name)
  "Return the effect of creating a symbolic link, which writes only the link's own name."
  (file-effect name :follow nil :change "symbolic link" :facts (list (cons "link to" (princ-to-string to)))))

(defun look-at-hard-link (old new)
  (two-files (file-effect old) (file-effect new :follow nil)))

(defun mode-facts (mode)
  (list (cons "new mode" (format nil "~O" mode))))

(defun owner-facts (owner group)
  (list (cons "new owner" (format nil "~D:~D" owner group))))

(defun look-at-mode (file mode)
  (file-effect file :change "mode" :facts (mode-facts mode)))

(defun look-at-owner (file owner group)
  (file-effect file :change "owner" :facts (owner-facts owner group)))

(defun look-at-links-owner (file owner group)
  (file-effect file :follow nil :change "owner" :facts (owner-facts owner group)))

(defun look-at-times (file &rest more)
  (file-effect file :change "times" :facts (and more (list (cons "new times" (format nil "~{~A~^, ~}" more))))))

(defun look-at-log-file (file)
  "Return the effect of (SETF SB-EXT:GC-LOGFILE), because SBCL appends to that file at each collection."
  (when file
    (let ((effect (file-effect file :change (lambda (stat) (if stat "appends" "new file"))
                                    :facts '(("when" . "at each garbage collection from now on")))))
      (setf (effect-held effect) (lambda (arguments)
                                   (declare (ignore arguments))
                                   (list (pathname-of (effect-path effect)))))
      effect)))

(defun look-at-simple-stream (stream options)
  "Return the effect of opening the file named in OPTIONS as a stream of SB-SIMPLE-STREAMS."
  (declare (ignore stream))
  (let ((file (getf options :filename)))
    (when (loop for (nil value) on options by #'cddr thereis (and (typep value '(or integer stream)) (own-descriptor-p value)))
      (return-from look-at-simple-stream (own-connection)))
    (when file
      (let ((effect (apply #'look-at-open file (loop for (key value) on options by #'cddr
                                                     when (member key '(:direction :if-exists :if-does-not-exist))
                                                       append (list key value)))))
        (when effect
          (setf (effect-held effect) (lambda (arguments)
                                       (list (first arguments)
                                             (list* :filename (pathname-of (effect-path effect)) (second arguments))))))
        effect))))

(defun simple-stream-slot (stream name)
  "Return the value of the slot NAME, a string, of STREAM, a stream of SB-SIMPLE-STREAMS; NIL if there is none."
  (let ((slot (find-symbol name "SB-SIMPLE-STREAMS")))
    (and slot (slot-exists-p stream slot) (slot-boundp stream slot) (slot-value stream slot))))

(defun look-at-own-simple-stream (stream &rest more)
  (declare (ignore more))
  (when (some (lambda (slot) (let ((handle (simple-stream-slot stream slot)))
                               (and (typep handle '(or integer stream)) (own-descriptor-p handle))))
              '("INPUT-HANDLE" "OUTPUT-HANDLE"))
    (own-connection)))

(defun look-at-closing-simple-stream (stream abort)
  "Return the effect of closing STREAM, of SB-SIMPLE-STREAMS. Closing removes the original file, which was set aside when the stream was
opened; aborting deletes the new file or restores the original. The names of these files are in the stream's slots, which code can set."
  (or (look-at-own-simple-stream stream)
      (let ((file (simple-stream-slot stream "FILENAME")) (original (simple-stream-slot stream "ORIGINAL")))
        (when (and file (or (and abort (output-stream-p stream)) (simple-stream-slot stream "DELETE-ORIGINAL")))
          (let ((effect (file-effect file :follow nil)))
            (if original (two-files effect (file-effect original :follow nil)) effect))))))
