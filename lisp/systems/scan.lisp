;;;; Finds .asd files in folders, such as those of the project, that ASDF's registry does not contain. This only lists directories, and runs
;;;; no code.

(in-package #:lisp-workbench/systems)

(defconstant +deepest-folder+ 4)
(defconstant +most-definition-files+ 200)
(defconstant +most-folders+ 2000)

(defun project-directory ()
  "Return the project's directory: the one in which the image was started, or the one to which the project has since moved. ASDF searches it
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
  "Return the file that defines the system NAME, from any folder of the project."
  (find (asdf:primary-system-name name) files :key #'pathname-name :test #'string=))

(sb-ext:defglobal *recent-files* nil "A list (directory time . files): a directory, the internal real time of its latest search, and the
files found there.")

(defun recent-definition-files (directory)
  "Return the value of DEFINITION-FILES, at most one second old."
  (destructuring-bind (&optional known (time 0) &rest files) *recent-files*
    (let ((now (get-internal-real-time)))
      (if (and (equal known directory) (<= 0 (- now time) internal-time-units-per-second))
          files
          (rest (rest (setf *recent-files* (list* directory now (definition-files directory)))))))))

(defconstant +longest-definition+ 200000 "The maximum number of characters of a system definition that are searched.")

(defun text-of (file &optional (length +longest-definition+))
  "Return at most the first LENGTH characters of FILE; NIL if it cannot be read."
  (ignore-errors
   (with-regular-file (stream file :external-format '(:utf-8 :replacement #\ufffd))
     (let ((buffer (make-string (min length (file-length stream)))))
       (subseq buffer 0 (read-sequence buffer stream))))))
