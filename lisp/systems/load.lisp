;;;; The operations `load-system` and `compile-system`.

(in-package #:lisp-workbench/systems)

(define-run "load-system" (evaluation request)
  (let* ((name (canonical-name (field request "system")))
         (before (asdf:already-loaded-systems)))
    (multiple-value-bind (result progress)
        (let ((*left-out* (coerce (field request "without") 'list)))
          (call-with-progress evaluation name
                              (lambda () (with-places-of-faults (load-with-libraries name (field request "force"))))))
      (declare (ignore result))
      (object "name" name
              "version" (system-version name)
              "loadedSystems" (array-of (newly-loaded before))
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
                                                  ;; By its name: ASDF 3.3.6 would compile the files of a system object twice.
                                                  (lambda () (asdf:load-system name :force (forced-part (field request "force"))))))))))
      (result (not (compilation-failed compilation)) nil))))

(defun forced-part (force)
  "Return what ASDF is to load though it is up to date: nothing, the system, or all that it needs, for FORCE nil, \"system\" and \"all\"."
  (cond ((null force) nil)
        ((string= force "all") :all)
        (t t)))

(defun files-loaded (progress)
  "Return the native names of the files that were loaded, in their order, each once, at most 1000."
  (let ((files (remove-duplicates (reverse (progress-files progress)) :test #'string= :from-end t)))
    (subseq files 0 (min 1000 (length files)))))

(defvar *left-behind* '() "The actions, (operation . component), that a load goes on without.")

(defun load-however (compilation name keep-going function)
  "Call FUNCTION, which has ASDF load the system NAME. With KEEP-GOING a file that does not compile, or does not load, is left behind, so that
what the compiler says of the others is told as well."
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
  "Have ASDF do ACTIONS at the next load: it takes for done what it was told to go on without. A system of theirs that is not among
LOADED-BEFORE, names, is not loaded then; one that is keeps what was loaded earlier, and is a system with changed files."
  (loop for (operation . component) in actions
        do (forget-operation operation component)
           (unless (member (asdf:component-name (asdf:component-system component)) loaded-before :test #'string=)
             (loop for each = component then (asdf:component-parent each)
                   while each
                   do (forget-operation (asdf:make-operation 'asdf:load-op) each)))))

(defun forget-operation (operation component)
  "Have ASDF not know that OPERATION was ever done on COMPONENT. Its writer of a time refuses to take none."
  (ignore-errors (remhash operation (asdf/component:component-operation-times component))))

(defun leave-behind (compilation condition)
  "Go on without the file in which CONDITION was signalled, where ASDF can; else the load ends. CONDITION is noted where the compiler has told
no fault of the file: else it only says that the file failed, or that its fasl is missing."
  (let ((restart (find-restart 'asdf:accept condition))
        (file (and *component* (ignore-errors (truename (asdf:component-pathname *component*))))))
    (when restart
      (when *component* (push (cons *operation* *component*) *left-behind*))
      (if file
          (note-failure-at-fault compilation (sb-ext:native-namestring file) condition)
          ;; A file that is missing: what names it is at fault.
          (note-fault-of-definition compilation condition (and *component* (asdf:component-system *component*))
                                    (and *component* (asdf:component-name *component*))))
      (invoke-restart restart))))

(defun note-failure-at-fault (compilation file condition)
  (multiple-value-bind (start end) (fault-place file)
    (note-failure compilation file condition start end)))

(defun call-noting-fault (compilation name function)
  "Call FUNCTION, which has ASDF find or load the system NAME. An error that nobody handles ends the evaluation, and is noted in the file that
defines the system."
  (handler-bind ((error (lambda (condition)
                          (note-fault-of-definition compilation condition (asdf:registered-system name) (faulty-word condition) name)
                          (end-with-error condition))))
    (funcall function)))

(defun faulty-word (condition)
  "Return the name in a definition that CONDITION is about, or the offset at which its reading began to fail; NIL when neither is known."
  (typecase condition
    (asdf:missing-dependency (ignore-errors (princ-to-string (asdf/find-component:missing-requires condition))))
    (asdf:load-system-definition-error
     (let* ((message (princ-to-string condition)) (at (search "position: " message)))
       (and at (parse-integer message :start (+ at (length "position: ")) :junk-allowed t))))))

(defun note-fault-of-definition (compilation condition system word &optional name)
  "Note CONDITION in the file that defines SYSTEM, or the system NAME of the project, at WORD: an offset, or a string in that file."
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
  "The system NAME; where Quicklisp is in the image it fetches first what is missing."
  (when (and (find-package '#:ql) (not (asdf:find-system name nil)))
    (funcall (find-symbol "QUICKLOAD" '#:ql) name))
  (asdf:find-system name))

(defun load-with-libraries (name force)
  "Load the system NAME, by Quicklisp where the image has it. FORCE is nil, \"system\" or \"all\"."
  (let ((*package* (find-package '#:common-lisp-user)))
    (when (find-package '#:ql)
      (funcall (find-symbol "QUICKLOAD" '#:ql) name))
    (asdf:find-system name)
    (require-files name)
    (when (or force (not (find-package '#:ql)))
      (asdf:load-system name :force (forced-part force)))))

(defun newly-loaded (before)
  "Names of the systems that are loaded now and were not BEFORE, at most 500."
  (let ((names (sort (set-difference (asdf:already-loaded-systems) before :test #'string=) #'string<)))
    (subseq names 0 (min 500 (length names)))))

(defun canonical-name (text)
  "The name of the system that TEXT means: \"Alexandria\", :alexandria and #:alexandria are alexandria."
  (let ((name (string-trim '(#\Space #\Tab #\Newline #\" #\' #\# #\:) text)))
    (cond ((zerop (length name)) text)
          ((asdf:registered-system name) name)
          (t (string-downcase name)))))

;;; Diagnostics of a system

(defun file-membership (system)
  "A predicate of native file names: whether the file is one of SYSTEM's own, or of another system of the project, which SYSTEM needs;
the faults of libraries are nobody's here."
  (let ((files (make-hash-table :test #'equal)))
    (labels ((walk (component)
               (if (typep component 'asdf:parent-component)
                   (mapc #'walk (asdf:component-children component))
                   (let ((file (ignore-errors (truename (asdf:component-pathname component)))))
                     (when file (setf (gethash (sb-ext:native-namestring file) files) t))))))
      (walk system))
    (lambda (file) (or (gethash file files) (file-of-project-p file)))))

(defun file-of-project-p (file)
  "True of the native name FILE when it lies in the project, but not in a folder of a library tool."
  (let ((project (ignore-errors (truename (trusted-project-directory)))))
    (when project
      (let* ((above (length (pathname-directory project)))
             (directory (pathname-directory (sb-ext:parse-native-namestring file))))
        (and (<= above (length directory))
             (equal (pathname-directory project) (subseq directory 0 above))
             (loop for (folder) on (nthcdr above directory)
                   never (skipped-name-p folder)))))))
