;;;; Scripts: which file an interpreter is told to run, and whether a copy of it would do the same.

(in-package #:lisp-workbench/effects)

(defparameter *shells* '("sh" "bash" "dash" "ash" "ksh" "mksh" "zsh" "fish"))

(defparameter *interpreters* '("python" "pypy" "perl" "ruby" "node" "nodejs" "deno" "bun" "lua" "tclsh" "expect" "rscript" "php" "guile" "sbcl" "awk" "gawk"
                               "mawk" "sed")
  "Names of programs, without digits and dots at their ends, that run the file that they are given, or one of it.")

(defparameter *script-options* '("-f" "--file" "--script" "--load" "-l")
  "Options of those programs before the file that they run.")

(defun interpreter-name (program)
  "Return the name of PROGRAM, the native name of a file, without folder and version."
  (string-downcase (string-right-trim "0123456789.-" (last-part program))))

(defun interpreter-p (name)
  (or (member name *shells* :test #'string=) (member name *interpreters* :test #'string=)))

(defun interpreter-meant (interpreter argument)
  "Return INTERPRETER, or the program that env is told to find by ARGUMENT."
  (if (and argument (string= "env" (last-part interpreter)))
      (subseq argument (1+ (or (position #\Space argument :from-end t) -1)))
      interpreter))

(defun missing-script-p (program index name)
  "True when PROGRAM is a shell whose argument NAME, the one at INDEX, means a script that is not there: it must not run when it comes to be."
  (and (eql index 0)
       (member (interpreter-name program) *shells* :test #'string=)
       (find #\/ name)
       (not (text-p name))))

(defun script-index (names arguments)
  "Return the index of the one of ARGUMENTS that the program, of which NAMES are the native names, runs as a script; NIL when there is none."
  (when (some (lambda (name) (interpreter-p (interpreter-name name))) names)
    (or (loop for (argument) on arguments
              for index from 1
              when (and (member argument *script-options* :test #'string=) (< index (length arguments))) return index)
        (position-if (lambda (argument) (and (plusp (length argument)) (char/= #\- (char argument 0)))) arguments))))

(defun interpreter-line (content)
  "Return the interpreter that the first line of the file CONTENT, a native name, names after #!, and its argument or NIL; NIL when it names none."
  (let* ((line (first-line content)) (end (length line)))
    (when (and (> end 2) (string= "#!" line :end2 2))
      (let* ((words (string-trim '(#\Space #\Tab) (subseq line 2)))
             (blank (position-if (lambda (char) (find char '(#\Space #\Tab))) words)))
        (when (and (plusp (length words)) (char= #\/ (char words 0)))
          (values (subseq words 0 blank)
                  (and blank (string-trim '(#\Space #\Tab) (subseq words blank)))))))))

(defun first-line (content)
  (let ((text (start-of content 256)))
    (subseq text 0 (position #\Newline text))))

(defun start-of (content limit)
  "Return the first LIMIT octets of the file CONTENT as text; an empty one where it cannot be read."
  (handler-case (with-regular-file (stream content :external-format :latin-1)
                  (let* ((text (make-string (min limit (file-length stream)))) (end (read-sequence text stream)))
                    (subseq text 0 end)))
    (error () "")))

(defconstant +longest-script+ 1000000 "How much of a script, in octets, is searched for words by which it finds files beside itself.")

(defparameter *own-place-words* '("$0" "${0" "BASH_SOURCE" "%x" "status filename")
  "Words by which a shell's script finds out where it is.")

(defparameter *own-place-words-elsewhere* '("__file__" "__path__" "__dirname" "__filename" "__dir__" "import.meta" "require_relative" "'./" "\"./" "'../" "\"../"
                                            "FindBin" "$0" "argv[0]" "load-truename" "load-pathname" "sys.path")
  "Words by which scripts of other interpreters find out where they are.")

(defun goes-by-its-place-p (content file interpreter)
  "True when the script FILE, whose text is in the file CONTENT, looks for files beside itself, so that a copy elsewhere would do something else.
What it would find is not compared either."
  (let ((text (start-of content +longest-script+)))
    (if (member interpreter *shells* :test #'string=)
        (some (lambda (word) (search word text)) *own-place-words*)
        (or (some (lambda (word) (search word text)) *own-place-words-elsewhere*)
            (some (lambda (sibling) (search sibling text)) (names-beside file))))))

(defun names-beside (file)
  "Return the names, without types, of what is in the folder of FILE, a real name; those of three characters and more."
  (ignore-errors
   (loop for pathname in (directory (make-pathname :name :wild :type :wild :defaults (pathname-of file)) :resolve-symlinks nil)
         for name = (last-part (sb-ext:native-namestring pathname :as-file t))
         for stem = (subseq name 0 (position #\. name :start 1))
         when (and (> (length stem) 2) (string/= name (last-part file))) collect stem)))

(defun passing-place-p (file)
  "True when FILE is in the temporary folder of an image, where its code writes without being asked."
  (let* ((start (concatenate 'string (real-name *temporary-base*) "/lisp-workbench-")) (end (length start)))
    (and (> (length file) end) (string= start file :end2 end) (digit-char-p (char file end)))))
