;;;; The program that a call would start, found once its name is resolved, and everything that affects what the program does.

(in-package #:lisp-workbench/effects)

(defconstant +most-digested-arguments+ 20)
(defconstant +longest-input+ 1900 "The maximum number of characters of standard input that are displayed. All other characters are only
included in the digest.")

(defun look-at-program (program arguments &key (environment nil environment-given) (env nil env-given) search directory
                          input output (error nil) preserve-fds &allow-other-keys)
  (let* ((name (native-as-given program))
         (arguments (mapcar #'string arguments))
         (entries (cond (environment-given environment)
                        (env-given (mapcar #'environment-entry env))
                        (t :own)))
         (folder (real-name (if directory (absolute-name (native-as-given directory)) (sb-posix:getcwd))))
         (start (started (program-called name search entries folder) arguments folder))
         (descriptors (coerce preserve-fds 'list))
         (streams (loop for (key stream) on (list :input input :output output :error error) by #'cddr
                        when (typep stream '(or string pathname))
                          append (list key (real-name (lisp-name stream)))))
         (input-held (and (getf streams :input) (hold-file (getf streams :input)))))
    (when (some #'own-descriptor-p descriptors) (return-from look-at-program (own-connection)))
    (let ((effect (make-effect (format nil "~{~A~^ ~}" (mapcar #'quoted (cons name arguments))))))
      (setf (effect-facts effect)
            (append (start-facts start)
                    (list (cons "working directory" folder))
                    (argument-facts arguments folder start)
                    (and (or environment-given env-given) (environment-facts entries))
                    (and descriptors (list (cons "keeps open" (format nil "~{~A~^, ~}" (mapcar #'descriptor-label descriptors)))))
                    (input-facts input input-held)
                    (loop for (label key) in '(("output to" :output) ("errors to" :error))
                          when (getf streams key)
                            collect (cons label (getf streams key)))))
      (when input-held (setf (getf streams :input) (held-content input-held)))
      (setf (effect-instead effect) (start-instead start)
            (effect-held effect)
            (lambda (given)
              (destructuring-bind (given-program given-arguments &rest given-options) given
                (declare (ignore given-program given-arguments))
                (held-program (start-called start) (start-arguments start) given-options
                              (append (and directory (list :directory (pathname-of folder)))
                                      (and descriptors (list :preserve-fds descriptors))
                                      (loop for (key file) on streams by #'cddr
                                            append (list key (pathname-of file))))))))
      effect)))

(defun held-program (called arguments options fixed)
  "Return arguments of RUN-PROGRAM that run exactly the file CALLED, regardless of the child's PATH and folder. FIXED comes before OPTIONS,
because the first occurrence of an option counts."
  (list* (pathname-of (held-name called))
         arguments
         (append fixed options)))

(defun look-at-becoming (program arguments &rest more)
  "Return the effect of EXECV. Its ARGUMENTS begin with the name under which the program runs."
  (declare (ignore more))
  (let* ((effect (look-at-program program (rest arguments))) (instead (effect-instead effect)))
    (setf (effect-held effect)
          (lambda (given)
            (declare (ignore given))
            (list (or (second instead) (held-name (program-called (native-as-given program) nil :own (sb-posix:getcwd))))
                  arguments)))
    effect))

;;; Starting programs

(defstruct (start (:copier nil) (:predicate nil))
  "A program to be started: the native name by which it is CALLED, its ARGUMENTS, INSTEAD as in EFFECT, and the FACTS about it. If the
program is an interpreter, SCRIPT is the HELD structure of the script that it runs, and SCRIPT-ARGUMENT is the argument that names the
script; otherwise they are NIL."
  called arguments instead facts (script nil) (script-argument nil))

(defun started (called arguments folder)
  "Return the START of the program with the absolute native name CALLED, with ARGUMENTS, in FOLDER. If CALLED is a script that names its
interpreter, pass the script to the interpreter as an argument, as the kernel does."
  (let ((file (real-name called)))
    (multiple-value-bind (interpreter argument)
        (and (not (fixed-place-p file)) (executable-p file) (interpreter-line file))
      (cond ((null interpreter) (started-itself called file arguments folder))
            ((and (stat-of interpreter) (not (interpreter-line interpreter)))
             (let* ((script (hold-script file (interpreter-meant interpreter argument)))
                    (program (hold-file (real-name interpreter) :by-descriptor t)))
               (make-start :called interpreter
                           :arguments (append (and argument (list argument))
                                              (list (if (stood-in-for-p script) (held-content script) called))
                                              arguments)
                           :instead (stand-in interpreter program)
                           :facts (append (program-facts script)
                                          (list (cons "interpreter" (held-file program)))
                                          (content-facts "interpreter" program))
                           :script script)))
            (t (error "The interpreter of ~A, ~A, cannot run it." called interpreter))))))

(defun started-itself (called file arguments folder)
  (let* ((program (hold-file file :by-descriptor t))
         (index (script-index (list called file) arguments))
         (name (and index (nth index arguments)))
         (script-file (and name (argument-file name folder)))
         (script (and script-file (hold-script script-file file)))
         (instead (cond ((and script (stood-in-for-p script)) (held-content script))
                        ((and *holding* name (null script-file) (missing-script-p file index name)) (fresh-name name)))))
    (make-start :called called
                :arguments (if instead
                               (append (subseq arguments 0 index) (list instead) (nthcdr (1+ index) arguments))
                               arguments)
                :instead (stand-in called program)
                :facts (program-facts program)
                :script script
                :script-argument name)))

(defun program-facts (program)
  (list* (cons "program" (held-file program)) (content-facts "program" program)))

(defun hold-script (file interpreter)
  "Hold FILE, which INTERPRETER runs, and return its HELD structure. A script that looks for files next to itself is not copied, because a
copy elsewhere would not find them. These other files are not compared either."
  (let ((held (hold-file file)))
    (if (and (held-stat held)
             (not (fixed-place-p file))
             (not (passing-place-p file))
             (goes-by-its-place-p (held-content held) file (interpreter-name interpreter)))
        (make-held file file (held-stat held) (held-digest held) t)
        held)))

(defun native-as-given (designator)
  "Return the native name into which RUN-PROGRAM converts DESIGNATOR, without merging."
  (sb-ext:native-namestring (translate-logical-pathname (pathname designator))))

(defun environment-entry (pair)
  "Return NAME=value for (:name . value), in the format of RUN-PROGRAM."
  (if (consp pair) (format nil "~A=~A" (symbol-name (car pair)) (cdr pair)) pair))

(defun descriptor-label (descriptor)
  (format nil "~A~@[ (~A)~]" descriptor (ignore-errors (descriptor-name descriptor))))

(defun content-facts (label held)
  "Return facts about the content of HELD, because its path does not show the content."
  (let ((stat (held-stat held)))
    (when stat
      (flet ((fact (name control value) (cons (format nil "~A ~A" label name) (format nil control value))))
        (append (list (fact "size" "~D" (stat-size stat))
                      (fact "modified" "~A" (timestamp (stat-modified stat))))
                (if (held-digest held)
                    (list (fact "SHA-256" "~A" (held-digest held)))
                    (list (cons (format nil "~A inode" label)
                                (format nil "~D:~D, changed ~A" (stat-device stat) (stat-inode stat)
                                        (timestamp (stat-changed stat)))))))))))

(defun argument-facts (arguments folder start)
  "Return digests of the files that ARGUMENTS name, including names within text passed to a shell, because scripts are programs too. Also
return facts about arguments that may lead to unlisted files, and about files that the program of START looks up by name."
  (let* ((names (remove-duplicates (loop for argument in arguments append (words-of argument)) :test #'string= :from-end t))
         (script (start-script start))
         (files (loop for name in names
                      for file = (argument-file name folder)
                      when file collect (cons name (if (and script (equal name (start-script-argument start)))
                                                       script
                                                       (let ((*holding* nil)) (hold-file file))))))
         (told (subseq files 0 (min (length files) +most-digested-arguments+)))
         (by-name (append (and script (held-left script) (list (last-part (held-file script))))
                          (loop for (name . held) in told
                                unless (or (eq held script) (fixed-place-p (held-file held))) collect name)))
         (untold (append (and (some #'text-p arguments) '("paths inside its arguments"))
                         (and (> (length files) (length told))
                              (list (format nil "~D more files among its arguments" (- (length files) (length told))))))))
    (append (loop for (name . held) in told
                  append (list* (cons (format nil "file ~A" name) (held-file held)) (content-facts (format nil "file ~A" name) held)))
            (and by-name (list (cons "looked up by name" (format nil "~{~A~^, ~}: the file could be replaced before the program reads it" by-name))))
            (and untold (list (cons "not compared" (format nil "~{~A~^, ~}" untold)))))))

(defun text-p (argument)
  "Return true if ARGUMENT may be more than a name or an option. Through such an argument, a shell or another interpreter could reach
unlisted files."
  (find-if (lambda (char) (find char " 	
'\"`;|&<>()$*?[{~#!\\")) argument))

(defun words-of (argument)
  "Return ARGUMENT itself, and its parts between blanks, quotes and other special characters of shells."
  (cons argument
        (loop with start = nil
              for index from 0 to (length argument)
              for char = (and (< index (length argument)) (char argument index))
              if (and char (not (find char " 	
'\"`;|&<>()=,$")))
                do (unless start (setf start index))
              else when start
                     collect (subseq argument start index)
                     and do (setf start nil))))

(defun argument-file (name folder)
  "Return the real name of the regular file that NAME denotes in FOLDER, or NIL."
  (and (plusp (length name))
       (not (find #\Nul name))
       (let* ((full (if (char= #\/ (char name 0)) name (concatenate 'string folder "/" name))) (stat (stat-of full)))
         (and (regular-p stat)
              (handler-case (real-name full)
                (unusable-name () full))))))

(defun input-facts (input held)
  "Return facts about the program's standard input. If INPUT names a file, HELD is its HELD structure. If INPUT is a string stream, STEADY
has copied it, so its current text is the text that will be read."
  (cond (held (list* (cons "input from" (held-file held)) (content-facts "input" held)))
        ((null input) '())
        ((eq input t) '(("input from" . "the image's own standard input")))
        ((eq input :stream) '(("input from" . "a stream that the code itself writes to while the program runs")))
        ((text-stream-p input)
         (let ((text (rest-of-text input)))
           (append (list (cons "input from" "the code itself")
                         (cons "input" (bounded text +longest-input+)))
                   (and (> (length text) +longest-input+)
                        (list (cons "input SHA-256" (text-digest text)))))))
        ((typep input 'file-stream)
         (let* ((file (or (descriptor-name input) "?")) (stat (stat-of (sb-posix:file-descriptor input)))
                (itself (format nil "/proc/self/fd/~D" (sb-posix:file-descriptor input))))
           ;; The file that the stream has open may no longer be the file with this name.
           (list* (cons "input from" (format nil "~A, from position ~A" file (ignore-errors (file-position input))))
                  (content-facts "input" (make-held file itself stat (and stat (file-digest itself stat)))))))
        (t (list (cons "input from" (format nil "a stream of the code itself, ~A"
                                            (string-downcase (type-label input))))))))

(defun text-stream-p (stream)
  "Return true if STREAM reads from a string. Such a stream's text can be displayed without consuming it."
  (and (typep stream 'string-stream) (not (typep stream 'sb-gray:fundamental-stream)) (input-stream-p stream)))

(defun rest-of-text (stream)
  "Return the unread text of the string stream STREAM, without changing the stream's position."
  (let ((position (file-position stream)))
    (unwind-protect (with-output-to-string (text)
                      (loop for char = (read-char stream nil) while char do (write-char char text)))
      (file-position stream position))))

(defun environment-facts (entries)
  "Return facts about the environment ENTRIES that are not in the image's environment, and about the names that are only in the image's
environment."
  (let* ((entries (mapcar #'princ-to-string entries)) (own (sb-ext:posix-environ))
         (fresh (remove-if (lambda (entry) (member entry own :test #'equal)) entries))
         (missing (loop for entry in own
                        for name = (variable-name entry)
                        unless (find name entries :key #'variable-name :test #'equal) collect name)))
    (append (and fresh (list (cons "environment" (format nil "~{~A~^~%~}" (mapcar #'on-one-line fresh)))))
            (and missing (list (cons "not in its environment" (format nil "~{~A~^ ~}" missing)))))))

(defun on-one-line (entry)
  "Return ENTRY with line feeds and other control characters escaped, so that no part of it looks like another entry."
  (with-output-to-string (stream)
    (loop for char across entry
          do (cond ((char= char #\\) (write-string "\\\\" stream))
                   ((char= char #\Newline) (write-string "\\n" stream))
                   ((or (< (char-code char) 32) (<= 127 (char-code char) 159) (<= #x2028 (char-code char) #x202e))
                    (format stream "\\u~4,'0X" (char-code char)))
                   (t (write-char char stream))))))

(defun variable-name (entry)
  (subseq entry 0 (position #\= entry)))

(defun quoted (argument)
  "Return ARGUMENT, quoted for a shell if necessary."
  (if (and (plusp (length argument))
           (every (lambda (char) (or (alphanumericp char) (find char "-_./:=@%+,"))) argument))
      argument
      (with-output-to-string (stream)
        (write-char #\' stream)
        (loop for char across argument
              do (if (char= char #\') (write-string "'\\''" stream) (write-char char stream)))
        (write-char #\' stream))))

(defun program-called (name search entries folder)
  "Return the absolute native name of the file that the child runs for the program NAME. If SEARCH is true and NAME contains no slash,
search the child's PATH, relative to FOLDER, and skip files that may not be executed. ENTRIES are the child's environment entries, or :OWN
for the image's environment."
  (flet ((in-folder (name) (if (char= #\/ (char name 0)) name (concatenate 'string (string-right-trim "/" folder) "/" name))))
    (cond ((string= name "") (error "No program is named."))
          ((or (not search) (find #\/ name)) (in-folder name))
          (t (loop for place in (colon-separated (child-path entries))
                   for file = (in-folder (if (string= place "") name (format nil "~A/~A" place name)))
                   when (executable-p file) return file
                   finally (error "Couldn't execute ~S: No such file or directory" name))))))

(defun child-path (entries)
  (or (if (eq entries :own)
          (sb-ext:posix-getenv "PATH")
          (let ((entry (find "PATH" entries :key #'variable-name :test #'string=)))
            (and entry (find #\= entry) (subseq entry 5))))
      "/bin:/usr/bin"))

(defun executable-p (file)
  (let ((stat (stat-of file)))
    (and stat
         (not (folder-p stat))
         (handler-case (progn (sb-posix:access file sb-posix:x-ok) t)
           (sb-posix:syscall-error () nil)))))

(defun colon-separated (text)
  (loop for start = 0 then (1+ end)
        for end = (position #\: text :start start)
        collect (subseq text start end)
        while end))

(defun look-at-fork ()
  (make-effect "a copy of this image"))

(defun look-at-signal (process signal &optional (whom :pid))
  (let* ((pid (if (integerp process) process (sb-ext:process-pid process)))
         (group (case whom
                  (:process-group pid)
                  (:pty-process-group :terminal))))
    (make-effect (cond ((eq group :terminal) (format nil "signal ~D to the foreground process group of the terminal of process ~D" signal pid))
                       ((not (eq whom :pid)) (format nil "signal ~D to process group ~D" signal pid))
                       (t (format nil "signal ~D to process ~D" signal pid)))
                 :facts (append (and (eql pid (sb-posix:getpid)) '(("process" . "this image")))
                                (and (not (eq whom :pid))
                                     '(("reaches" . "every process in the group, including those that the program started")))))))

(defun look-at-group-signal (group signal)
  (make-effect (format nil "signal ~D to process group ~D" signal group)))
