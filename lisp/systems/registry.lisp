;;;; Systems in reach, by name. Their .asd files are looked at as text at most: to load one is to run it, and a folder that
;;;; was only opened must not run anything.

(in-package #:lisp-workbench/systems)

(defconstant +longest-definition+ 200000 "Characters; the rest is not looked at.")

(defun prepare-asdf ()
  "Called when the core is built. The first look-up costs ASDF 60 ms: it is paid here, then everything that belongs to the
environment is forgotten; the started image finds out for itself."
  (asdf:find-system "asdf" nil)
  (asdf:find-system "no-such-system" nil)
  (forget-environment)
  (setf asdf:*central-registry* '((trusted-project-directory))
        asdf:*system-definition-search-functions*
        (append (remove 'find-in-trusted-project asdf:*system-definition-search-functions*)
                '(find-in-trusted-project))))

(defun forget-environment ()
  "Configuration, caches and folders that ASDF and UIOP have worked out."
  (uiop:call-image-dump-hook)
  (asdf:clear-configuration))

(defun take-environment ()
  "Called when an image starts: UIOP works out anew what it takes from the environment, such as the cache of compiled files."
  (ignore-errors (uiop:call-image-restore-hook)))

(define-operation "systems" (:looking-up request)
  (asdf:ensure-source-registry)
  (object "systems" (array-of (system-records (known-systems)))
          "quicklisp" (json-boolean (find-package '#:ql))
          "libraries" (array-of (loop for (kind path active) in (libraries)
                                      collect (object "kind" kind "path" (file-name path)
                                                      "active" (json-boolean active))))))

(defun known-systems ()
  "Name → (origin file problem). First comes what ASDF finds first: the project's directory, the registry, other folders."
  (let ((systems (make-hash-table :test #'equal))
        (files (definition-files (project-directory))))
    (flet ((note (origin file)
             (multiple-value-bind (names problem) (names-in-file file)
               (dolist (name names)
                 (unless (gethash name systems)
                   (setf (gethash name systems) (list origin file problem)))))))
      (dolist (file files)
        (when (equal (pathname-directory file) (pathname-directory (project-directory))) (note "project" file)))
      (maphash (lambda (name file)
                 (unless (gethash name systems)
                   (setf (gethash name systems) (list "registry" file nil))))
               *source-registry*)
      (dolist (file files) (note "project" file))
      (loop for (origin . files) in (library-files)
            do (dolist (file files) (note origin file))))
    systems))

(defun system-records (systems)
  (let ((names (sort (loop for name being the hash-keys of systems
                           unless (baseline-system-p name) collect name)
                     #'string<)))
    (loop for name in names
          for (origin file problem) = (gethash name systems)
          for loaded = (asdf:component-loaded-p name)
          collect (object "name" name
                          "loaded" (json-boolean loaded)
                          "version" (and loaded (system-version name))
                          "file" (file-name file)
                          "origin" origin
                          "broken" problem))))

(defun file-name (pathname)
  (ignore-errors (sb-ext:native-namestring pathname)))

(defun system-version (name)
  (let ((version (ignore-errors (asdf:component-version (asdf:registered-system name)))))
    (and (stringp version) version)))

(defun names-in-file (file)
  "The system that FILE is named for, and what its text defines beside it, such as shop/tests. Second value: what is wrong."
  (let* ((main (pathname-name file))
         (text (text-of file))
         (defined (and text (defined-names text))))
    (values (adjoin main
                    (remove-if-not (lambda (name) (prefixed-p (concatenate 'string main "/") name)) defined)
                    :test #'string=)
            (cond ((null text) "The file cannot be read.")
                  ((and (null defined) (< (length text) +longest-definition+)) "The file defines no system.")))))

(defun text-of (file)
  (ignore-errors
   (with-open-file (stream file :external-format '(:utf-8 :replacement #\ufffd))
     (let* ((buffer (make-string (min +longest-definition+ (file-length stream)))))
       (subseq buffer 0 (read-sequence buffer stream))))))

(defun defined-names (text)
  (loop for start = (search "defsystem" text :test #'char-equal)
          then (search "defsystem" text :test #'char-equal :start2 end)
        while start
        for from = (position-if-not (lambda (char) (find char " 	\"#:'|")) text :start (+ start 9))
        for end = (and from (position-if (lambda (char) (find char " 	\"()|
")) text :start from))
        while end
        collect (string-downcase (subseq text from end))))
