;;;; The operations `load-system` and `compile-system`.

(in-package #:lisp-workbench/systems)

(defvar *installs-missing* t "True if missing libraries are installed before a system is loaded.")

(defvar *begins-with-dists* nil
  "True if the dists of the settings may be fetched although the person's home has none. Only a request for a library does this, so that a
load of a system that is missing uses no network before the person has set up the dists.")

(define-run "load-system" (evaluation request)
  (let* ((name (canonical-name (field request "system")))
         (before (asdf:already-loaded-systems))
         (*fetched* '()))
    (multiple-value-bind (result progress)
        (let ((*left-out* (coerce (field request "without") 'list))
              (*installs-missing* (not (eq t (field request "onlyInstalled")))))
          (call-with-progress evaluation name
                              (lambda () (with-places-of-faults (load-with-libraries name (field request "force"))))))
      (declare (ignore result))
      (object "name" name
              "version" (system-version name)
              "loadedSystems" (array-of (newly-loaded before))
              "installed" (array-of *fetched*)
              "actionsDone" (progress-done progress)))))

(define-run "compile-system" (evaluation request)
  (let* ((name (canonical-name (field request "system")))
         (compilation (make-compilation))
         (progress nil))
    (flet ((result (loaded failed)
             (object "name" name
                     "failed" (json-boolean (or failed (compilation-failed compilation)))
                     "files" (diagnostics-by-file compilation)
                     "sound" (array-of (files-without-fault compilation))
                     "total" (compilation-total compilation)
                     "loadedFiles" (array-of (and progress (files-loaded progress)))
                     "actionsDone" (if progress (progress-done progress) 0)
                     "loaded" (json-boolean loaded))))
      (setf (evaluation-partial-result evaluation)
            (lambda (status condition) (declare (ignore status condition)) (result nil t)))
      (call-with-progress
       evaluation name
       (lambda ()
         (setf progress *progress*)
         (let ((*package* (find-package '#:common-lisp-user))
               (*left-out* (coerce (field request "without") 'list))
               (system (call-noting-fault compilation name (lambda () (found-system name)))))
           (setf (compilation-wanted-p compilation) (file-membership system))
           (call-with-diagnostics compilation
                                  (lambda ()
                                    (load-however compilation name (field request "keepGoing")
                                                  ;; The system is passed by name, because ASDF 3.3.6 would compile the files of a system
                                                  ;; object twice.
                                                  (lambda () (asdf:load-system name :force (forced-part (field request "force"))))))))))
      (result (not (compilation-failed compilation)) nil))))

(defun forced-part (force)
  "Return the value of ASDF's :FORCE argument for FORCE, which is nil, \"system\" or \"all\". ASDF then reloads up-to-date files too: none,
those of the system, or also those of all its dependencies."
  (cond ((null force) nil)
        ((string= force "all") :all)
        (t t)))

(defun files-loaded (progress)
  "Return the native names of the loaded files in load order, at most 1000, without duplicates."
  (let ((files (remove-duplicates (reverse (progress-files progress)) :test #'string= :from-end t)))
    (subseq files 0 (min 1000 (length files)))))

(defvar *left-behind* '() "The actions that failed and were skipped during a load, each as (operation . component).")

(defun load-however (compilation name keep-going function)
  "Call FUNCTION, which makes ASDF load the system NAME. With KEEP-GOING, skip each file that does not compile or load, so that the
compiler's reports for the other files are included too."
  (if keep-going
      (let ((*left-behind* '()) (loaded-before (asdf:already-loaded-systems)))
        (unwind-protect
             (call-noting-fault compilation name
                                (lambda ()
                                  (handler-bind ((error (lambda (condition) (leave-behind compilation condition))))
                                    (funcall function))))
          (mark-as-not-done *left-behind* loaded-before)))
      (funcall function)))

(defun mark-as-not-done (actions loaded-before)
  "Make ASDF perform ACTIONS again at the next load, because ASDF treats skipped actions as done. Treat their systems as not loaded, except
those whose names are in the list LOADED-BEFORE: these keep their earlier code and count as systems with changed files."
  (loop for (operation . component) in actions
        do (forget-operation operation component)
           (unless (member (asdf:component-name (asdf:component-system component)) loaded-before :test #'string=)
             (loop for each = component then (asdf:component-parent each)
                   while each
                   do (forget-operation (asdf:make-operation 'asdf:load-op) each)))))

(defun forget-operation (operation component)
  "Make ASDF forget that OPERATION was ever performed on COMPONENT. ASDF's own function for setting the time cannot clear it."
  (ignore-errors (remhash operation (asdf/component:component-operation-times component))))

(defun leave-behind (compilation condition)
  "Skip the file in which CONDITION was signalled if ASDF offers a restart for this; otherwise the load ends. If the compiler has already
reported a problem in the file, do not record CONDITION: it only says that the file failed, or that its fasl is missing."
  (let ((restart (find-restart 'asdf:accept condition))
        (file (and *component* (ignore-errors (truename (asdf:component-pathname *component*))))))
    (when restart
      (when *component* (push (cons *operation* *component*) *left-behind*))
      (if file
          (note-failure-at-fault compilation (sb-ext:native-namestring file) condition)
          ;; If the file is missing, the error is in the system definition that names it.
          (note-fault-of-definition compilation condition (and *component* (asdf:component-system *component*))
                                    (and *component* (asdf:component-name *component*))))
      (invoke-restart restart))))

(defun note-failure-at-fault (compilation file condition)
  (multiple-value-bind (start end) (fault-place file)
    (note-failure compilation file condition start end)))

(defun call-noting-fault (compilation name function)
  "Call FUNCTION, which makes ASDF find or load the system NAME. An unhandled error ends the evaluation and is recorded for the file that
defines the system."
  (handler-bind ((error (lambda (condition)
                          (note-fault-of-definition compilation condition (asdf:registered-system name) (faulty-word condition) name)
                          (end-with-error condition))))
    (funcall function)))

(defun faulty-word (condition)
  "Return the name in a system definition that CONDITION refers to, or the offset at which reading failed. Return NIL if neither is known."
  (typecase condition
    (asdf:missing-dependency (ignore-errors (princ-to-string (asdf/find-component:missing-requires condition))))
    (asdf:load-system-definition-error
     (let* ((message (princ-to-string condition)) (at (search "position: " message)))
       (and at (parse-integer message :start (+ at (length "position: ")) :junk-allowed t))))))

(defun note-fault-of-definition (compilation condition system word &optional name)
  "Record CONDITION for the file that defines SYSTEM, or that defines the project's system NAME. WORD specifies the position in that file:
an offset, or a string in the file."
  (let* ((pathname (or (and name (find-in-project name)) (and system (ignore-errors (asdf:system-source-file system)))))
         (file (and pathname (existing-file pathname)))
         (text (and file (file-text file)))
         (start (cond ((integerp word) word)
                      ((and word text) (search (format nil "\"~A\"" word) text :test #'char-equal)))))
    (note-failure compilation file condition (or start (and text 0))
                  (cond ((integerp word) (and text (min (1+ word) (length text))))
                        (start (+ start 2 (length word)))
                        (text 0)))))

(defun found-system (name)
  "Return the system NAME. If the image has a Quicklisp client, it first installs the missing systems that NAME needs."
  (install-missing name)
  (asdf:find-system name))

(defun install-missing (name)
  "If the image has a Quicklisp client, or if the core installs libraries without one, install each system that the system NAME needs, directly or
indirectly, and that ASDF does not find. Systems that no dist has remain missing, so that ASDF reports them."
  (when (and *installs-missing* (or (client-home) (and (installs-without-client-p) (or *begins-with-dists* (dists-by-preference)))))
    (forget-moved-systems)
    (let ((seen (make-hash-table :test #'equal)))
      (labels ((visit (name)
                 (unless (or (gethash name seen) (complete-p name))
                   (setf (gethash name seen) t)
                   (let ((system (found name)))
                     (when system
                       (let ((needed (dependency-names (append (asdf:system-depends-on system)
                                                               (asdf:system-weakly-depends-on system)))))
                         (install-from-dist name needed)
                         (mapc #'visit needed))))))
               (found (name)
                 ;; Reading a definition fails if it needs a missing system itself, as :DEFSYSTEM-DEPENDS-ON says.
                 (handler-case (asdf:find-system name nil)
                   (:no-error (system) (or system (progn (install-from-dist name (list name)) (asdf:find-system name nil))))
                   (asdf:missing-dependency (condition)
                     (let ((missing (dependency-name (asdf/find-component:missing-requires condition))))
                       (if (and missing (not (gethash missing seen)) (progn (visit missing) (asdf:find-system missing nil)))
                           (found name)
                           (error condition)))))))
        (visit name)))))

(defun complete-p (name)
  "Return true if the system NAME is loaded and belongs to a library, so that it lacks nothing."
  (let ((system (asdf:registered-system name)))
    (and system (asdf:component-loaded-p system) (not (own-system-p system)))))

(defun install-from-dist (name needed)
  "Install the releases that provide those systems of the list NEEDED that ASDF does not find, and the releases that these need. They are needed
for the system NAME. Systems that no dist has are left out."
  (let* ((missing (remove-if (lambda (each) (ignore-errors (asdf:find-system each nil))) needed))
         (systems (and (client-home) (remove nil (mapcar (lambda (each) (call-client "FIND-SYSTEM" each)) missing)))))
    (cond ((not (client-home)) (when missing (install-systems name missing)))
          ((and (core-installs-p) (client-function "REQUIRED-SYSTEMS"))
           (install-releases (releases-for systems) name (mapcar (lambda (system) (call-client "NAME" system)) systems)))
          (t (dolist (system systems) (call-client "ENSURE-INSTALLED" system))))))

(defun releases-for (systems)
  "Return the releases that SYSTEMS, objects of the client, need, each after those that it needs itself. Leave out those of systems that ASDF
finds."
  (let ((seen '()) (releases '()))
    (labels ((visit (system)
               (let ((name (call-client "NAME" system)))
                 (unless (member name seen :test #'string=)
                   (push name seen)
                   (dolist (needed (call-client "REQUIRED-SYSTEMS" system))
                     (let ((found (and (not (ignore-errors (asdf:find-system needed nil))) (call-client "FIND-SYSTEM" needed))))
                       (when found (visit found))))
                   (pushnew (call-client "RELEASE" system) releases)))))
      (mapc #'visit systems))
    (nreverse releases)))

(defun load-with-libraries (name force)
  "Load the system NAME, with Quicklisp if the image has loaded it. FORCE is nil, \"system\" or \"all\"."
  (let ((*package* (find-package '#:common-lisp-user)))
    (install-missing name)
    (when (and *installs-missing* (client-home))
      (funcall (find-symbol "QUICKLOAD" '#:ql) name))
    (asdf:find-system name)
    (require-files name)
    (when (or force (not *installs-missing*) (not (client-home)))
      (asdf:load-system name :force (forced-part force)))))

(defun newly-loaded (before)
  "Return the names of the systems that are loaded now and were not in BEFORE, at most 500."
  (let ((names (sort (set-difference (asdf:already-loaded-systems) before :test #'string=) #'string<)))
    (subseq names 0 (min 500 (length names)))))

(defun canonical-name (text)
  "Return the name of the system that TEXT refers to: \"Alexandria\", :alexandria and #:alexandria refer to alexandria."
  (let ((name (string-trim '(#\Space #\Tab #\Newline #\" #\' #\# #\:) text)))
    (cond ((zerop (length name)) text)
          ((asdf:registered-system name) name)
          (t (string-downcase name)))))

;;; Installing without loading

(define-run "install-library" (evaluation request)
  (let* ((name (canonical-name (field request "name")))
         (*fetched* '())
         (*planned* (and (eq t (field request "dryRun")) (make-plan)))
         (program (program-of-project)))
    (cond ((not program) (install-library name))
          ((not *planned*) (run-program-of-project program name)))
    (object "name" name
            "program" (and program (format nil "~{~A~^ ~}" (append program (list name))))
            "installed" (array-of (if *planned* (plan-installed *planned*) *fetched*))
            "planned" (array-of (and *planned* (mapcar #'object-of-release (plan-releases *planned*)))))))

(defun install-library (name)
  "Install the releases that the system NAME needs, except those of systems that ASDF finds."
  (unless (or (client-home) (installs-without-client-p))
    (error "This image has no library tool, and the workbench does not install libraries for it."))
  (let ((*begins-with-dists* t))
    (install-missing name))
  (unless (or (ignore-errors (asdf:find-system name nil)) (and *planned* (plan-releases *planned*)))
    (error "No dist provides ~A." name)))

(defun program-of-project ()
  "Return the words of the command that adds a library to the project, if qlot or ocicl manages its libraries; NIL otherwise."
  (cond ((existing (in-project "qlfile")) (list "qlot" "add"))
        ((ocicl-list-of-project) (list "ocicl" "install"))))

(defun on-search-path-p (program)
  (some (lambda (folder) (existing (merge-pathnames program folder)))
        (ignore-errors (uiop:getenv-absolute-directories "PATH"))))

(defun run-program-of-project (command name)
  "Run COMMAND, which adds the library NAME to the project, in the project's directory. Its output is the running code's output."
  (when (prefixed-p "-" name) (error "~A is not the name of a library." name))
  (let ((program (first command)))
    (unless (on-search-path-p program)
      (error "~A manages the libraries of this project, but its program was not found on the search path. ~A describes how to install it."
             program (if (string= program "qlot") "https://qlot.tech" "https://github.com/ocicl/ocicl"))))
  (uiop:run-program (append command (list name)) :directory (project-directory) :output *standard-output* :error-output :output))

;;; Diagnostics of a system

(defun file-membership (system)
  "Return a predicate of native file names that is true for files of SYSTEM and of the project's other systems. Problems in libraries are
not reported here."
  (let ((files (make-hash-table :test #'equal)))
    (labels ((walk (component)
               (if (typep component 'asdf:parent-component)
                   (mapc #'walk (asdf:component-children component))
                   (let ((file (ignore-errors (truename (asdf:component-pathname component)))))
                     (when file (setf (gethash (sb-ext:native-namestring file) files) t))))))
      (walk system))
    (lambda (file) (or (gethash file files) (file-of-project-p file)))))

(defun file-of-project-p (file)
  "Return true if the native name FILE is in the project, but not in a library tool's folder."
  (let ((project (ignore-errors (truename (trusted-project-directory)))))
    (when project
      (let* ((above (length (pathname-directory project)))
             (directory (pathname-directory (sb-ext:parse-native-namestring file))))
        (and (<= above (length directory))
             (equal (pathname-directory project) (subseq directory 0 above))
             (loop for (folder) on (nthcdr above directory)
                   never (skipped-name-p folder)))))))
