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
               (system (asdf:find-system name)))
           (setf (compilation-wanted-p compilation) (file-membership system))
           (call-with-diagnostics compilation
                                  (lambda () (asdf:load-system system :force (and (field request "force") t)))))))
      (result t nil))))

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
  "A predicate of native file names: whether the file is one of SYSTEM's own."
  (let ((files (make-hash-table :test #'equal)))
    (labels ((walk (component)
               (if (typep component 'asdf:parent-component)
                   (mapc #'walk (asdf:component-children component))
                   (let ((file (ignore-errors (truename (asdf:component-pathname component)))))
                     (when file (setf (gethash (sb-ext:native-namestring file) files) t))))))
      (walk system))
    (lambda (file) (gethash file files))))

(defun diagnostics-by-file (compilation)
  "Groups in the order of their first diagnostic."
  (let ((groups '()))
    (dolist (diagnostic (reverse (compilation-diagnostics compilation)))
      (let* ((file (field diagnostic "file"))
             (group (assoc file groups :test #'equal)))
        (if group
            (push diagnostic (rest group))
            (push (list file diagnostic) groups))))
    (array-of (loop for (file . diagnostics) in (reverse groups)
                    collect (object "file" file "diagnostics" (array-of (reverse diagnostics)))))))
