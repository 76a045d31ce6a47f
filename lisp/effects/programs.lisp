;;;; What a call would start: the program as it is resolved, and all that decides what it does.

(in-package #:lisp-workbench/effects)

(defconstant +most-digested-arguments+ 20)
(defconstant +longest-input+ 1900 "Characters of the standard input that are shown; the rest is in the digest.")

(defun look-at-program (program arguments &rest options
                        &key (environment nil environment-given) (env nil env-given) search directory
                          input output (error nil) &allow-other-keys)
  (let* ((name (if (stringp program) program (sb-ext:native-namestring program)))
         (arguments (mapcar #'string arguments))
         (file (or (program-file name search) name))
         (folder (real-name (if directory (lisp-name directory) (sb-posix:getcwd)))))
    (make-effect (format nil "~{~A~^ ~}" (mapcar #'quoted (cons name arguments)))
                 :facts (append
                         (list (cons "program" file))
                         (content-facts "program" file)
                         (list (cons "working directory" folder))
                         (argument-facts arguments folder)
                         (and (or environment-given env-given)
                              (environment-facts (or environment env)))
                         (and (not (eq input :absent)) (input-facts input (getf options :if-input-does-not-exist)))
                         (loop for (label . stream) in (list (cons "output to" output) (cons "errors to" error))
                               when (typep stream '(or string pathname))
                                 collect (cons label (real-name (lisp-name stream))))))))

(defun content-facts (label file)
  "What is in FILE now: the path does not tell."
  (let ((stat (stat-of file)))
    (when stat
      (flet ((fact (name control value) (cons (format nil "~A ~A" label name) (format nil control value))))
        (let ((digest (file-digest file stat)))
          (append (list (fact "size" "~D" (sb-posix:stat-size stat))
                        (fact "modified" "~A" (timestamp (sb-posix:stat-mtime stat))))
                  (if digest
                      (list (fact "SHA-256" "~A" digest))
                      (list (cons (format nil "~A inode" label)
                                  (format nil "~D:~D, changed ~A" (sb-posix:stat-dev stat) (sb-posix:stat-ino stat)
                                          (timestamp (sb-posix:stat-ctime stat))))))))))))

(defun argument-facts (arguments folder)
  "Digests of the files that ARGUMENTS name, also within the text that a shell is given: scripts are programs too."
  (loop for name in (remove-duplicates (loop for argument in arguments append (words-of argument)) :test #'string= :from-end t)
        for file = (argument-file name folder)
        when file
          append (list* (cons (format nil "file ~A" name) file) (content-facts (format nil "file ~A" name) file)) into facts
          and count file into found
        until (eql found +most-digested-arguments+)
        finally (return facts)))

(defun words-of (argument)
  "ARGUMENT itself, and what stands in it between blanks, quotes and what shells treat specially."
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
  "The real name of the regular file that NAME means in FOLDER; NIL when it means none."
  (and (plusp (length name))
       (not (find #\Nul name))
       (let* ((full (if (char= #\/ (char name 0)) name (concatenate 'string folder "/" name))) (stat (stat-of full)))
         (and stat (= (logand #o170000 (sb-posix:stat-mode stat)) #o100000)
              (real-name full)))))

(defun input-facts (input ignored)
  "Where the program's standard input comes from. A string stream was copied by STEADY: its text is what will be read."
  (declare (ignore ignored))
  (cond ((typep input '(or string pathname))
         (let ((file (real-name (lisp-name input))))
           (list* (cons "input from" file) (content-facts "input" file))))
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
         (let ((file (or (descriptor-name input) "?")))
           (list* (cons "input from" (format nil "~A, from position ~A" file (ignore-errors (file-position input))))
                  (content-facts "input" file))))
        (t (list (cons "input from" (format nil "a stream of the code itself, ~A"
                                            (string-downcase (type-label input))))))))

(defun text-stream-p (stream)
  "Whether STREAM reads from a string, so that what comes of it can be told without taking it away."
  (and (typep stream 'string-stream) (not (typep stream 'sb-gray:fundamental-stream)) (input-stream-p stream)))

(defun rest-of-text (stream)
  "What the string stream STREAM has not been asked for yet; it is left as it was."
  (let ((position (file-position stream)))
    (unwind-protect (with-output-to-string (text)
                      (loop for char = (read-char stream nil) while char do (write-char char text)))
      (file-position stream position))))

(defun environment-facts (entries)
  "Those of ENTRIES that the image itself has not, and the names that it has and the program will not."
  (let* ((entries (mapcar #'princ-to-string entries)) (own (sb-ext:posix-environ))
         (fresh (remove-if (lambda (entry) (member entry own :test #'equal)) entries))
         (missing (loop for entry in own
                        for name = (variable-name entry)
                        unless (find name entries :key #'variable-name :test #'equal) collect name)))
    (append (and fresh (list (cons "environment" (format nil "~{~A~^~%~}" fresh))))
            (and missing (list (cons "not in its environment" (format nil "~{~A~^ ~}" missing)))))))

(defun variable-name (entry)
  (subseq entry 0 (position #\= entry)))

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
      (loop for folder in (colon-separated (or (sb-ext:posix-getenv "PATH") ""))
            for file = (format nil "~A/~A" folder name)
            when (and (plusp (length folder)) (stat-of file)) return (real-name file))
      (real-name (absolute-name name))))

(defun colon-separated (text)
  (loop for start = 0 then (1+ end)
        for end = (position #\: text :start start)
        collect (subseq text start end)
        while end))

(defun look-at-fork ()
  (make-effect "a copy of this image"))

(defun look-at-signal (process signal &rest more)
  (declare (ignore more))
  (let ((number (if (integerp process) process (sb-ext:process-pid process))))
    (make-effect (format nil "signal ~D to process ~D" signal number)
                 :facts (and (eql number (unix-getpid)) '(("process" . "this image"))))))

(defun look-at-group-signal (group signal)
  (make-effect (format nil "signal ~D to process group ~D" signal group)))
