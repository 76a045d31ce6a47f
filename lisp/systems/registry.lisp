;;;; Available systems, by name. Their .asd files are only read as text: loading one would run it, and merely opening a folder must not run
;;;; anything.

(in-package #:lisp-workbench/systems)

(defun prepare-asdf ()
  "Prepare ASDF when the core is built, because ASDF's first look-up takes 60 ms. Afterwards forget everything that depends on the
environment; the started image determines it again."
  (asdf:find-system "asdf" nil)
  (asdf:find-system "no-such-system" nil)
  (forget-environment)
  (setf asdf:*central-registry* '((trusted-project-directory))
        asdf:*system-definition-search-functions*
        ;; The project's folder takes precedence over installed systems. If no other search finds the system, the folder is searched again,
        ;; which also finds files that were just created.
        (destructuring-bind (central &rest others)
            (remove-if (lambda (function) (member function '(find-known-in-project find-in-trusted-project find-in-ocicl find-in-dists)))
                       asdf:*system-definition-search-functions*)
          (append (list central 'find-known-in-project) others '(find-in-trusted-project find-in-ocicl find-in-dists)))))

(defun forget-environment ()
  "Forget the configuration, caches and folders that ASDF and UIOP have determined from the environment."
  (uiop:call-image-dump-hook)
  (asdf:clear-configuration))

(defun take-environment ()
  "Make UIOP determine all values from the environment again, for example the cache of compiled files. Called when an image starts."
  (ignore-errors (uiop:call-image-restore-hook)))

(sb-ext:defglobal *registry-lock* (sb-thread:make-mutex :name "lisp-workbench source registry"))

(defun call-with-registry (original &rest arguments)
  "Call ORIGINAL, a function of ASDF that fills its source registry or looks up a system there, while no other thread does either. Otherwise
a look-up could find nothing, because ASDF sets the registry to an empty table before it fills it."
  (sb-thread:with-recursive-lock (*registry-lock*)
    (apply original arguments)))

(define-operation "systems" (:looking-up request)
  (object "systems" (array-of (call-with-defaults-of (field request "context") (lambda () (system-records (known-systems)))))
          "quicklisp" (json-boolean (find-package '#:ql))
          "libraries" (array-of (loop for (kind path active) in (library-tools)
                                      collect (object "kind" kind "path" (file-name path)
                                                      "active" (json-boolean active))))))

(defun registered-files ()
  "Return (name . file) for each system of ASDF's source registry. Initialize the registry first if necessary."
  (sb-thread:with-recursive-lock (*registry-lock*)
    (asdf:ensure-source-registry)
    (loop for name being the hash-keys of *source-registry* using (hash-value file)
          collect (cons name file))))

(defun known-systems ()
  "Return a table that maps names to (origin file problem). If several files define the same name, prefer them in ASDF's order: the
project's folders, the registry, libraries."
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
            do (dolist (file files) (note origin file)))
      ;; Also include registered systems: code may have loaded their definitions from other files, or found them with its own search
      ;; functions.
      (dolist (name (asdf:registered-systems))
        (let ((file (ignore-errors (asdf:system-source-file (asdf:registered-system name)))))
          (unless (or (gethash name systems) (null file))
            (setf (gethash name systems) (list "registry" file nil))))))
    systems))

(defun system-records (systems)
  (let ((names (sort (loop for name being the hash-keys of systems
                           unless (or (baseline-system-p name) (tool-system-p name)) collect name)
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
  "Return two values: the names of the systems in FILE, which are the one after which FILE is named and others that its text defines, such
as shop/tests; and the problem, or NIL."
  (let* ((main (pathname-name file))
         (text (text-of file))
         (defined (and text (defined-names text))))
    (values (adjoin main
                    (remove-if-not (lambda (name) (prefixed-p (concatenate 'string main "/") name)) defined)
                    :test #'string=)
            (cond ((null text) "The file cannot be read.")
                  ((and (null defined) (< (length text) +longest-definition+)) "The file defines no system.")))))

(defun defined-names (text)
  (loop for start = (search "defsystem" text :test #'char-equal)
          then (search "defsystem" text :test #'char-equal :start2 end)
        while start
        for from = (position-if-not (lambda (char) (find char " 	\"#:'|")) text :start (+ start 9))
        for end = (and from (position-if (lambda (char) (find char " 	\"()|
")) text :start from))
        while end
        collect (string-downcase (subseq text from end))))
