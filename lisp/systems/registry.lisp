;;;; Systems in reach, by name. Their .asd files are looked at as text at most: to load one is to run it, and a folder that
;;;; was only opened must not run anything.

(in-package #:lisp-workbench/systems)

(defconstant +longest-definition+ 200000 "The most characters of a definition that are searched.")

(defun prepare-asdf ()
  "Called when the core is built. The first look-up costs ASDF 60 ms: it is paid here, then everything that belongs to the
environment is forgotten; the started image finds out for itself."
  (asdf:find-system "asdf" nil)
  (asdf:find-system "no-such-system" nil)
  (forget-environment)
  (setf asdf:*central-registry* '((trusted-project-directory))
        asdf:*system-definition-search-functions*
        ;; A folder that is worked on is meant before what is installed; what was made in it just now is found when nothing else is.
        (destructuring-bind (central &rest others)
            (remove 'find-known-in-project (remove 'find-in-trusted-project asdf:*system-definition-search-functions*))
          (append (list central 'find-known-in-project) others '(find-in-trusted-project)))))

(defun forget-environment ()
  "Forget the configuration, the caches and the folders that ASDF and UIOP have worked out."
  (uiop:call-image-dump-hook)
  (asdf:clear-configuration))

(defun take-environment ()
  "Called when an image starts: UIOP works out anew what it takes from the environment, such as the cache of compiled files."
  (ignore-errors (uiop:call-image-restore-hook)))

(sb-ext:defglobal *registry-lock* (sb-thread:make-mutex :name "lisp-workbench source registry"))

(defun call-with-registry (original &rest arguments)
  "Call ORIGINAL, a function of ASDF that fills its source registry or looks a system up there, while no other thread does either: ASDF sets
it to an empty table, which it then fills, and a look-up in the meantime finds nothing."
  (sb-thread:with-recursive-lock (*registry-lock*)
    (apply original arguments)))

(define-operation "systems" (:looking-up request)
  (object "systems" (array-of (call-with-defaults-of (field request "context") (lambda () (system-records (known-systems)))))
          "quicklisp" (json-boolean (find-package '#:ql))
          "libraries" (array-of (loop for (kind path active) in (libraries)
                                      collect (object "kind" kind "path" (file-name path)
                                                      "active" (json-boolean active))))))

(defun registered-files ()
  "Return (name . file) for each system of ASDF's source registry, which is initialized first where it is not."
  (sb-thread:with-recursive-lock (*registry-lock*)
    (asdf:ensure-source-registry)
    (loop for name being the hash-keys of *source-registry* using (hash-value file)
          collect (cons name file))))

(defun known-systems ()
  "Name → (origin file problem). First comes what ASDF finds first: the project's folders, the registry, libraries."
  (let ((systems (make-hash-table :test #'equal))
        (files (definition-files (project-directory))))
    (flet ((note (origin file)
             (multiple-value-bind (names problem) (names-in-file file)
               (dolist (name names)
                 (unless (gethash name systems)
                   (setf (gethash name systems) (list origin file problem)))))))
      (dolist (file files) (note "project" file))
      (loop for (name . file) in (registered-files)
            unless (gethash name systems)
              do (setf (gethash name systems) (list "registry" file nil)))
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
                          "changed" (if loaded (length (ignore-errors (changed-files (asdf:registered-system name)))) 0)
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
   (with-regular-file (stream file :external-format '(:utf-8 :replacement #\ufffd))
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
