;;;; Finds .asd files that ASDF's registry does not contain: in folders of the project, in Quicklisp's local projects, and in the folders of
;;;; qlot and ocicl inside a project. This only lists directories and searches texts, and runs no code.

(in-package #:lisp-workbench/systems)

(defconstant +deepest-folder+ 4)
(defconstant +most-definition-files+ 200)
(defconstant +most-folders+ 2000)

(defun project-directory ()
  "Return the project's directory: the one in which the image was started, or the one to which the project has moved since. ASDF searches it
first."
  (sb-ext:symbol-global-value '*default-pathname-defaults*))

(defun definition-files (directory &optional (depth +deepest-folder+) (limit +most-definition-files+))
  "Return the .asd files in DIRECTORY and the folders below it, nearest first. Omit hidden folders and folders of other tools."
  (let ((found '()) (count 0) (folders 0) (level (list directory)))
    (loop repeat (1+ depth)
          while level
          do (let ((next '()))
               (dolist (folder level)
                 (when (or (>= count limit) (> (incf folders) +most-folders+))
                   (return-from definition-files (nreverse found)))
                 (dolist (file (listed folder "*.asd"))
                   (when (< count limit)
                     (incf count)
                     (push file found)))
                 (setf next (append next (remove-if #'skipped-folder-p (listed folder "*/")))))
               (setf level next)))
    (nreverse found)))

(defun listed (folder pattern)
  (sort (ignore-errors (directory (merge-pathnames pattern folder) :resolve-symlinks nil))
        #'string< :key #'namestring))

(defun skipped-folder-p (folder)
  (skipped-name-p (first (last (pathname-directory folder)))))

(defun skipped-name-p (name)
  "Return true if NAME is the name of a hidden folder or of another tool's folder."
  (or (not (stringp name))
      (zerop (length name))
      (char= #\. (char name 0))
      (member name '("node_modules" "ocicl" "systems" "quicklisp") :test #'string=)))

(defun find-in-project (name &optional (files (definition-files (project-directory))))
  "Return the file that defines the system NAME, in any folder of the project."
  (find (asdf:primary-system-name name) files :key #'pathname-name :test #'string=))

(sb-ext:defglobal *recent-files* nil "(directory time . files): a directory, the internal real time of its latest search, and the files that
were found.")

(defun recent-definition-files (directory)
  "Return the value of DEFINITION-FILES, at most one second old."
  (destructuring-bind (&optional known (time 0) &rest files) *recent-files*
    (let ((now (get-internal-real-time)))
      (if (and (equal known directory) (<= 0 (- now time) internal-time-units-per-second))
          files
          (rest (rest (setf *recent-files* (list* directory now (definition-files directory)))))))))

;;; Libraries

(defun libraries ()
  "Return the library tools that could provide systems to this image, as (kind path active). ACTIVE is true if the image already uses the
tool."
  (append (loop for (kind path) in (list (list "qlot" (in-project ".qlot/setup.lisp"))
                                         (list "quicklisp" (in-home "quicklisp/setup.lisp"))
                                         (list "quicklisp" (in-home ".quicklisp/setup.lisp")))
                when (existing path)
                  collect (list kind path (quicklisp-at-p path)))
          (let ((folder (or (existing (in-project "ocicl/")) (existing (in-project "systems/"))))
                (list (existing (in-project "systems.csv"))))
            (when (and folder list)
              (list (list "ocicl" folder
                          (or (find-package '#:ocicl-runtime)
                              (some (lambda (entry) (and (pathnamep entry) (beneath-p entry folder)))
                                    asdf:*central-registry*))))))))

(defun in-project (name)
  (merge-pathnames name (project-directory)))

(defun in-home (name)
  (merge-pathnames name (user-homedir-pathname)))

(defun existing (path)
  (and path (ignore-errors (probe-file path)) path))

(defun beneath-p (path folder)
  (eql 0 (search (namestring folder) (namestring path))))

(defun quicklisp-at-p (setup)
  "Return true if the image's Quicklisp is the one that SETUP sets up."
  (let* ((package (or (find-package '#:ql) (find-package '#:quicklisp-client)))
         (symbol (and package (find-symbol "*QUICKLISP-HOME*" package)))
         (home (and symbol (boundp symbol) (symbol-value symbol))))
    (and home
         (equal (ignore-errors (truename home))
                (ignore-errors (truename (make-pathname :name nil :type nil :version nil :defaults setup)))))))

(defun library-files ()
  "Return (origin . files) for each of the libraries."
  (loop for (kind path) in (libraries)
        for home = (make-pathname :name nil :type nil :version nil :defaults path)
        append (cond ((string= kind "ocicl")
                      (list (cons "ocicl" (definition-files path))))
                     ((string= kind "qlot")
                      (list (cons "qlot" (append (definition-files (merge-pathnames "local-projects/" home))
                                                 (loop for dist in (listed (merge-pathnames "dists/" home) "*/")
                                                       append (definition-files (merge-pathnames "software/" dist)))))))
                     (t (list (cons "quicklisp" (definition-files (merge-pathnames "local-projects/" home))))))))
