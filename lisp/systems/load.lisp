;;;; The operations `load-system` and `compile-system`.

(in-package #:lisp-workbench/systems)

(define-run "load-system" (evaluation request)
  (let* ((name (canonical-name (field request "system")))
         (before (asdf:already-loaded-systems)))
    (multiple-value-bind (result progress)
        (call-with-progress evaluation name (lambda () (load-with-libraries name (field request "force"))))
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
                     "actionsDone" (if progress (progress-done progress) 0)
                     "loaded" (json-boolean loaded))))
      (setf (evaluation-partial-result evaluation)
            (lambda (status condition) (declare (ignore status condition)) (result nil t)))
      (call-with-progress
       evaluation name
       (lambda ()
         (setf progress *progress*)
         (let ((*package* (find-package '#:common-lisp-user))
               (system (call-telling-faults (lambda () (found-system name)))))
           (setf (compilation-wanted-p compilation) (file-membership system))
           (call-with-diagnostics compilation
                                  (lambda ()
                                    (load-however compilation (field request "keepGoing")
                                                  ;; By its name: ASDF 3.3.6 would compile the files of a system object twice.
                                                  (lambda () (asdf:load-system name :force (and (field request "force") t)))))))))
      (result (not (compilation-failed compilation)) nil))))

(defun load-however (compilation keep-going function)
  "Call FUNCTION, which has ASDF load a system. With KEEP-GOING a file that does not compile, or does not load, is left behind, so that what
the compiler says of the others is told as well."
  (if keep-going
      (handler-bind ((error (lambda (condition) (leave-behind compilation condition))))
        (funcall function))
      (funcall function)))

(defun leave-behind (compilation condition)
  "Go on without the file in which CONDITION was signalled, where ASDF can; else the load ends. CONDITION is noted where the compiler has told
no fault of the file: else it only says that the file failed, or that its fasl is missing."
  (let ((restart (find-restart 'asdf:accept condition))
        (file (and *component* (ignore-errors (truename (asdf:component-pathname *component*))))))
    (cond (restart
           (note-failure compilation (and file (sb-ext:native-namestring file)) condition)
           (invoke-restart restart))
          (t (end-with-error condition)))))

(defun call-telling-faults (function)
  "Call FUNCTION, which has ASDF find or load systems. What is wrong with these themselves ends the evaluation, also where other errors wait in
the debugger: its message says what to do, and frames of ASDF say nothing."
  (handler-bind (((or asdf:system-definition-error asdf:operation-error uiop:compile-file-error) #'end-with-error))
    (funcall function)))

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
    (when (or force (not (find-package '#:ql)))
      (asdf:load-system name :force (cond ((null force) nil)
                                          ((string= force "all") :all)
                                          (t t))))))

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
