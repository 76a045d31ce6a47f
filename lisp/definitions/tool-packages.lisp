;;;; Packages of development tools: SWANK, and the clients of Quicklisp, qlot and ocicl. They do not belong to the user, so they are not
;;;; listed and their definitions are not recorded.

(in-package #:lisp-workbench/definitions)

(sb-ext:defglobal *library-client-packages* (make-hash-table :test #'equal :synchronized t)
  "The names of packages that the files of a library client have created.")

(defun tool-package-p (package)
  (tool-package-name-p (or (package-name package) "")))

(defun tool-package-name-p (name)
  "Return true if NAME is the name of a tool's package. The name alone is not enough for a library client, because an agent could choose such a
name to hide its definitions: the package must also be created by a file of the client."
  (or (swank-name-p name)
      (and (library-client-name-p name)
           (or (gethash name *library-client-packages*)
               (and (not (find-package name))
                    (library-client-file-p (or *compile-file-truename* *load-truename*))
                    (setf (gethash name *library-client-packages*) t))))))

(defun swank-name-p (name)
  "Return true if NAME is the name of a package of SWANK or its contribs: SWANK, SWANK/BACKEND, SWANK-REPL."
  (let ((end (mismatch "SWANK" name)))
    (or (null end)
        (and (= end 5) (find (char name 5) "-/") t))))

(defun tool-system-p (name)
  "Return true if NAME is the system of a library client that is loaded. It is not a library of the user."
  (and (string= name "quicklisp") (find-package '#:quicklisp-client) t))

(defun library-client-name-p (name)
  (or (member name '("QUICKLISP-CLIENT" "QUICKLISP" "QL" "QLOT" "OCICL-RUNTIME") :test #'string=)
      (prefixed-p "QL-" name)
      (prefixed-p "QLOT/" name)))

(defun library-client-file-p (file)
  "Return true if FILE is a file of a library client, or its fasl in a cache, whose folders have the same names."
  (and file
       (let ((folders (remove-if-not #'stringp (pathname-directory file))))
         (or (member (pathname-name file) '("setup" "ocicl-runtime") :test #'equal)
             (member "quicklisp" folders :test #'string=)
             (member ".qlot" folders :test #'string=)
             (some (lambda (folder) (prefixed-p "qlot" folder)) folders)))))
