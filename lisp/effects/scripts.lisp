;;;; Scripts: determines which file an interpreter runs, and whether a copy of that file would behave the same way.

(in-package #:lisp-workbench/effects)

(defparameter *shells* '("sh" "bash" "dash" "ash" "ksh" "mksh" "zsh" "fish"))

(defparameter *interpreters* '("python" "pypy" "perl" "ruby" "node" "nodejs" "deno" "bun" "lua" "tclsh" "expect" "rscript" "php" "guile" "sbcl" "awk" "gawk"
                               "mawk" "sed")
  "Names of programs that run a file given as an argument. Trailing digits and dots are omitted from the names.")

(defparameter *script-options* '("-f" "--file" "--script" "--load" "-l")
  "The options of those programs that come directly before the file to run.")

(defun interpreter-name (program)
  "Return the name of PROGRAM, the native name of a file, without its folder and version."
  (string-downcase (string-right-trim "0123456789.-" (last-part program))))

(defun interpreter-p (name)
  (or (member name *shells* :test #'string=) (member name *interpreters* :test #'string=)))

(defun interpreter-meant (interpreter argument)
  "Return INTERPRETER. If INTERPRETER is env, return the program that ARGUMENT names."
  (if (and argument (string= "env" (last-part interpreter)))
      (subseq argument (1+ (or (position #\Space argument :from-end t) -1)))
      interpreter))

(defun missing-script-p (program index name)
  "Return true if PROGRAM is a shell and its argument NAME, at INDEX, names a script that does not exist. If the script appears later, it
must not run."
  (and (eql index 0)
       (member (interpreter-name program) *shells* :test #'string=)
       (find #\/ name)
       (not (text-p name))))

(defun script-index (names arguments)
  "Return the index in ARGUMENTS of the file that the program runs as a script, or NIL. NAMES are the native names of the program."
  (when (some (lambda (name) (interpreter-p (interpreter-name name))) names)
    (or (loop for (argument) on arguments
              for index from 1
              when (and (member argument *script-options* :test #'string=) (< index (length arguments))) return index)
        (position-if (lambda (argument) (and (plusp (length argument)) (char/= #\- (char argument 0)))) arguments))))

(defun interpreter-line (content)
  "Return two values: the interpreter that the first line of the file CONTENT, a native name, names after #!, and the interpreter's argument
or NIL. Return NIL if the line does not name an interpreter."
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
  "Return the first LIMIT octets of the file CONTENT as text; an empty string if it cannot be read."
  (handler-case (with-regular-file (stream content :external-format :latin-1)
                  (let* ((text (make-string (min limit (file-length stream)))) (end (read-sequence text stream)))
                    (subseq text 0 end)))
    (error () "")))

(defconstant +longest-script+ 1000000 "The number of octets of a script that are searched for words with which it finds files next to
itself.")

(defparameter *own-place-words* '("$0" "${0" "BASH_SOURCE" "%x" "status filename")
  "Words with which a shell script determines its own location.")

(defparameter *own-place-words-elsewhere* '("__file__" "__path__" "__dirname" "__filename" "__dir__" "import.meta" "require_relative" "'./" "\"./" "'../" "\"../"
                                            "FindBin" "$0" "argv[0]" "load-truename" "load-pathname" "sys.path")
  "Words with which scripts of other interpreters determine their own location.")

(defun goes-by-its-place-p (content file interpreter)
  "Return true if the script FILE, whose text is in the file CONTENT, looks for files next to itself. A copy elsewhere would behave
differently. The files that the script finds are not compared either."
  (let ((text (start-of content +longest-script+)))
    (if (member interpreter *shells* :test #'string=)
        (some (lambda (word) (search word text)) *own-place-words*)
        (or (some (lambda (word) (search word text)) *own-place-words-elsewhere*)
            (some (lambda (sibling) (search sibling text)) (names-beside file))))))

(defun names-beside (file)
  "Return the names, without types, of the other files in the folder of FILE, a real name. Omit names of fewer than three characters."
  (ignore-errors
   (loop for pathname in (directory (make-pathname :name :wild :type :wild :defaults (pathname-of file)) :resolve-symlinks nil)
         for name = (last-part (sb-ext:native-namestring pathname :as-file t))
         for stem = (subseq name 0 (position #\. name :start 1))
         when (and (> (length stem) 2) (string/= name (last-part file))) collect stem)))

(defun passing-place-p (file)
  "Return true if FILE is in the temporary folder of an image. Code of that image writes there without approval."
  (let* ((start (concatenate 'string (real-name *temporary-base*) "/lisp-workbench-")) (end (length start)))
    (and (> (length file) end) (string= start file :end2 end) (digit-char-p (char file end)))))
