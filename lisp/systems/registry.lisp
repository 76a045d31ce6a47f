;;;; Systems in reach, by name. Their .asd files are looked at as text at most: to load one is to run it, and a folder that
;;;; was only opened must not run anything.

(in-package #:lisp-workbench/systems)

(defun project-directory ()
  "Where ASDF looks first: the directory in which the image was started."
  *default-pathname-defaults*)

(defun prepare-asdf ()
  "Called when the core is built. The first look-up costs ASDF 60 ms: it is paid here, then everything that belongs to the
environment is forgotten; the started image finds out for itself."
  (asdf:find-system "asdf" nil)
  (asdf:find-system "no-such-system" nil)
  (asdf:clear-configuration)
  (setf asdf:*central-registry* '((project-directory))))

(defun forget-build-environment ()
  "Called when an image starts: UIOP works out anew what it took from the environment, such as the cache of compiled files."
  (ignore-errors (uiop:call-image-restore-hook)))

(define-operation "systems" (:looking-up request)
  (asdf:ensure-source-registry)
  (let ((files (make-hash-table :test #'equal)))
    (maphash (lambda (name file) (setf (gethash name files) file)) *source-registry*)
    (dolist (file (directory (merge-pathnames "*.asd" (project-directory)) :resolve-symlinks nil))
      (dolist (name (names-in-file file))
        (setf (gethash name files) file)))
    (object "systems" (array-of (system-records files))
            "quicklisp" (json-boolean (find-package '#:ql)))))

(defun system-records (files)
  (let ((names (sort (loop for name being the hash-keys of files
                           unless (baseline-system-p name) collect name)
                     #'string<)))
    (loop for name in names
          for loaded = (asdf:component-loaded-p name)
          collect (object "name" name
                          "loaded" (json-boolean loaded)
                          "version" (and loaded (system-version name))
                          "file" (file-name (gethash name files))))))

(defun file-name (pathname)
  (ignore-errors (sb-ext:native-namestring pathname)))

(defun system-version (name)
  (let ((version (ignore-errors (asdf:component-version (asdf:registered-system name)))))
    (and (stringp version) version)))

(defun names-in-file (file)
  "The system that FILE is named for, and what its text defines beside it, such as shop/tests."
  (let ((main (pathname-name file)))
    (adjoin main
            (remove-if-not (lambda (name) (prefixed-p (concatenate 'string main "/") name))
                           (defined-names (text-of file)))
            :test #'string=)))

(defun text-of (file)
  (or (ignore-errors
       (with-open-file (stream file :external-format '(:utf-8 :replacement #\ufffd))
         (let* ((buffer (make-string (min 200000 (file-length stream)))))
           (subseq buffer 0 (read-sequence buffer stream)))))
      ""))

(defun defined-names (text)
  (loop for start = (search "defsystem" text :test #'char-equal)
          then (search "defsystem" text :test #'char-equal :start2 end)
        while start
        for from = (position-if-not (lambda (char) (find char " 	\"#:'|")) text :start (+ start 9))
        for end = (and from (position-if (lambda (char) (find char " 	\"()|
")) text :start from))
        while end
        collect (string-downcase (subseq text from end))))
