;;;; The library tools that could provide systems to this image: Quicklisp and qlot, which are set up by loading their file, and ocicl, whose
;;;; list of systems is read here. Finding a tool and listing its systems only reads files, and runs no code.

(in-package #:lisp-workbench/systems)

(sb-ext:defglobal *ocicl-lists* '() "The lists of ocicl that the image uses, the one with precedence first.")

(defun library-tools ()
  "Return the library tools that exist for this image, as (kind file active). The first one has precedence. FILE is the setup file of qlot
or Quicklisp, or the list of ocicl. ACTIVE is true if the image uses the tool."
  (let ((qlot (existing (in-project ".qlot/setup.lisp")))
        (list (ocicl-list-of-project)))
    (append (and qlot (list (list "qlot" qlot (client-at-p qlot))))
            (and list (list (list "ocicl" list (and (member list *ocicl-lists* :test #'equal) t))))
            (loop for file in (quicklisp-setups)
                  collect (list "quicklisp" file (client-at-p file))))))

(defun in-project (name)
  (merge-pathnames name (project-directory)))

(defun in-home (name)
  (merge-pathnames name (user-homedir-pathname)))

(defun existing (path)
  (and path (ignore-errors (probe-file path)) path))

(defun trimmed-text-of (file)
  "Return the text of FILE without whitespace at its ends; an empty string if it cannot be read."
  (string-trim '(#\Space #\Tab #\Newline #\Return) (or (text-of file) "")))

;;; Quicklisp and qlot

(defun quicklisp-setups ()
  "Return the existing setup files of Quicklisp: in the usual folders, and those that the text of ~/.sbclrc names."
  (remove-duplicates (remove-if-not #'existing
                                    (append (list (in-home "quicklisp/setup.lisp") (in-home ".quicklisp/setup.lisp"))
                                            (setups-in-text (or (text-of (in-home ".sbclrc")) ""))))
                     :key (lambda (file) (ignore-errors (truename file)))
                     :test #'equal :from-end t))

(defun setups-in-text (text)
  "Return the files named setup.lisp, except those of qlot, that string literals in TEXT refer to. A relative name, or one that begins with
~/, is resolved against the home directory, as in the lines that Quicklisp adds to an init file."
  (loop for start = (position #\" text) then (position #\" text :start (1+ end))
        for end = (and start (position #\" text :start (1+ start)))
        while end
        for literal = (subseq text (1+ start) end)
        when (and (suffixed-p "/setup.lisp" literal) (not (search ".qlot/" literal)))
          collect (in-home (sb-ext:parse-native-namestring
                            (if (prefixed-p "~/" literal) (subseq literal 2) literal)))))

(defun suffixed-p (suffix string)
  (let ((start (- (length string) (length suffix))))
    (and (plusp start) (string= suffix string :start2 start))))

(defun client-home ()
  "Return the directory of the Quicklisp client that the image has loaded; NIL if there is none."
  (let* ((package (find-package '#:quicklisp-client))
         (symbol (and package (find-symbol "*QUICKLISP-HOME*" package)))
         (home (and symbol (boundp symbol) (symbol-value symbol))))
    (ignore-errors (truename home))))

(defun client-at-p (setup)
  "Return true if the image has loaded the client that the file SETUP sets up."
  (let ((home (client-home)))
    (and home (equal home (ignore-errors (truename (directory-of setup)))))))

(defun directory-of (file)
  (make-pathname :name nil :type nil :version nil :defaults file))

(defun installed-files (home)
  "Return the .asd files of the systems that the Quicklisp client with the directory HOME has installed from its dists, and of its local
projects."
  (append (definition-files (merge-pathnames "local-projects/" home))
          (loop for dist in (listed (merge-pathnames "dists/" home) "*/")
                append (loop for record in (listed (merge-pathnames "installed/systems/" dist) "*.txt")
                             for name = (trimmed-text-of record)
                             for file = (and (plusp (length name))
                                             (existing (merge-pathnames (sb-ext:parse-native-namestring name) home)))
                             when file collect file))))

(defun load-client-into-core ()
  "Load the Quicklisp client whose setup file the environment variable LISP_WORKBENCH_CLIENT names, so that images that start from the core
have it. Called while the core is built. Its compiled files are not kept."
  (let ((file (sb-ext:posix-getenv "LISP_WORKBENCH_CLIENT")))
    (when (and file (plusp (length file)))
      (let ((folder (make-temporary-directory)))
        (unwind-protect
             (let ((*package* (find-package '#:common-lisp-user)))
               (asdf:initialize-output-translations `(:output-translations (t ,folder) :ignore-inherited-configuration))
               (load (sb-ext:parse-native-namestring file))
               (attach-to-client))
          (forget-environment)
          (delete-directory-quietly folder))))))

;;; The client's bookkeeping

(sb-ext:defglobal *client-homes* '() "The native names of the directories of the Quicklisp clients that the core or the person has set up.")

(defun note-client-home (home)
  (pushnew (sb-ext:native-namestring (truename home)) *client-homes* :test #'string=))

(defun bookkeeping-home (name)
  "Return the directory of the Quicklisp client for which the file with the real NAME is an index that the client rewrites whenever it looks up a
system; NIL if the file is not such an index."
  (loop for home in *client-homes*
        when (and (prefixed-p home name) (index-name-p (uiop:split-string (subseq name (length home)) :separator "/")))
          return home))

(defun index-name-p (parts)
  (or (equal parts '("local-projects" "system-index.txt"))
      (and (= 3 (length parts))
           (string= "dists" (first parts))
           (member (third parts) '("systems.cdb" "systems.cdb-tmp" "releases.cdb" "releases.cdb-tmp") :test #'string=)
           t)))

;;; ocicl

(defun ocicl-list-of-project ()
  "Return ocicl's list in the project's directory, or in the nearest directory above it that has one; NIL if there is none."
  (loop for directory = (ignore-errors (truename (project-directory))) then (uiop:pathname-parent-directory-pathname directory)
        while directory
        do (let ((list (ocicl-list-in directory)))
             (when list (return list)))
        until (equal directory (uiop:pathname-parent-directory-pathname directory))))

(defun ocicl-list-in (directory)
  "Return ocicl's list in DIRECTORY if the folder with the systems is beside it; NIL otherwise. Older releases call the list systems.csv."
  (loop for name in '("ocicl.csv" "systems.csv")
        for list = (existing (merge-pathnames name directory))
        when (and list (ocicl-folder list))
          return list))

(defun ocicl-folder (list)
  "Return the folder with the systems that ocicl's file LIST contains; NIL if it does not exist."
  (loop for name in (list (pathname-name list) "ocicl")
        for folder = (merge-pathnames (make-pathname :directory (list :relative name)) (directory-of list))
        when (ignore-errors (probe-file folder))
          return folder))

(defun global-ocicl-list ()
  "Return the user's own list of ocicl, which is used after the project's; NIL if there is none."
  (let* ((data (merge-pathnames "ocicl/" (ignore-errors (uiop:xdg-data-home))))
         (named (trimmed-text-of (merge-pathnames "ocicl-globaldir.cfg" data))))
    (or (and (plusp (length named)) (ocicl-list-in (uiop:ensure-directory-pathname (sb-ext:parse-native-namestring named))))
        (ocicl-list-in data))))

(defun ocicl-files (list)
  "Return (name . file) for each line of ocicl's file LIST whose .asd file exists."
  (let ((folder (ocicl-folder list)))
    (when folder
      (loop for line in (lines-of-text (or (text-of list 2000000) ""))
            for (name nil file) = (mapcar (lambda (part) (string-trim '(#\Space #\Tab #\Return) part))
                                          (uiop:split-string line :separator ","))
            for path = (and name file (existing (merge-pathnames (sb-ext:parse-native-namestring file) folder)))
            when path collect (cons name path)))))

(defun lines-of-text (text)
  (uiop:split-string text :separator '(#\Newline)))

(defun find-in-ocicl (name)
  "Return the file that defines the system NAME according to ocicl's lists; NIL if it is in none. A search function of ASDF."
  (let ((wanted (mangled-name (asdf:primary-system-name name))))
    (loop for list in *ocicl-lists*
          for file = (cdr (assoc wanted (ocicl-files list) :test #'string=))
          when (and file (string= (pathname-name file) (asdf:primary-system-name name)))
            return file)))

(defun mangled-name (name)
  "Return NAME as ocicl writes it in its lists."
  (let ((mangled (with-output-to-string (out)
                   (loop for char across name
                         do (if (char= char #\+) (write-string "_plus_" out) (write-char char out))))))
    (if (suffixed-p "_" mangled) (subseq mangled 0 (1- (length mangled))) mangled)))

;;; Systems

(defun library-files ()
  "Return (origin . files) for each of the library tools."
  (loop for (kind file) in (library-tools)
        collect (cons kind (if (string= kind "ocicl")
                               (mapcar #'cdr (append (ocicl-files file) (ocicl-files-of-user)))
                               (installed-files (directory-of file))))))

(defun ocicl-files-of-user ()
  (let ((list (global-ocicl-list)))
    (and list (ocicl-files list))))
