;;;; How the files of systems stand in the image: loaded, changed since, failed. Only the dates of files are looked at, and no code runs.
;;;; Dates count nanoseconds, also for ASDF, which would not compile a file again that was edited in the second of its compilation.

(in-package #:lisp-workbench/systems)

(defconstant +most-changed-files+ 200)

(sb-ext:defglobal *failures* (make-hash-table :test #'equal :synchronized t)
  "Native name of a source file → (kind . stamp): what ASDF last failed to do with the file, :compile or :load, and when the file was written.")

(defconstant +unix-epoch+ 2208988800 "The universal time of 1970.")

(sb-ext:defglobal *exact-since* nil
  "The universal time from which on dates of files count nanoseconds; NIL for never. It is that of the core, in which ASDF noted seconds: such a
date is less than any that counts nanoseconds, as it should be.")

(defun install-exact-stamps ()
  "Have ASDF compare the dates of files in nanoseconds. Called once, when the core is built."
  (unless (lacking "loads of files that were edited in the second in which they were compiled")
    (setf *exact-since* (get-universal-time))
    (install-advice 'compute-file-stamp 'lisp-workbench #'compute-exact-stamp)))

(defun compute-exact-stamp (original namestring)
  "Return when the file NAMESTRING was written, or T as ASDF does where there is none. ASDF computes all of its stamps by this function."
  (declare (ignore original))
  (or (written-at (ignore-errors (pathname namestring))) t))

(defun written-at (pathname)
  "Return when the file PATHNAME, which may be NIL, was written: a universal time, of files that are newer than the core in nanoseconds, since
ASDF takes integers alone. NIL when there is no such file."
  (let* ((file (and pathname (file-name pathname))) (stamp (and file (write-stamp file))))
    (and stamp
         (multiple-value-bind (seconds nanoseconds) (floor stamp 1000000000)
           (let ((written (+ seconds +unix-epoch+)))
             (if (and *exact-since* (>= written *exact-since*))
                 (+ (* 1000000000 written) nanoseconds)
                 written))))))

(defun call-noting-text (operation component function)
  "Call FUNCTION, by which ASDF performs OPERATION on COMPONENT. Of a file of the project that it loads the text is kept, by which unchanged
definitions are known."
  (when (and (typep operation '(or asdf:load-op asdf:load-source-op)) (typep component 'asdf:cl-source-file))
    (sound
      (let ((file (file-name (asdf:component-pathname component))))
        (when (and file (file-of-project-p file)) (note-loaded-text file (file-text file))))))
  (call-noting-edit operation component function))

(defun call-noting-edit (operation component function)
  "Call FUNCTION, by which ASDF performs OPERATION on COMPONENT. A source that was written meanwhile is compiled again by the next load, since
what was made of it gets the oldest of dates."
  (let* ((file (and (typep operation 'asdf:compile-op) (typep component 'asdf:cl-source-file) (asdf:component-pathname component)))
         (before (written-at file)))
    (multiple-value-prog1 (funcall function)
      (when (and before (not (eql before (written-at file))))
        (sound
          (without-guard
            (dolist (output (asdf:output-files operation component))
              (make-old (file-name output)))))))))

(defun call-noting-outcome (operation component function)
  "Call FUNCTION, by which ASDF performs OPERATION on COMPONENT, and note where an error ends it. One that is handled within is none."
  (let ((failed nil) (done nil))
    (unwind-protect-without-interrupts
         (multiple-value-prog1 (handler-bind ((error (lambda (condition) (declare (ignore condition)) (setf failed t))))
                                 (funcall function))
           (setf done t))
      (when (or done failed) (sound (note-outcome operation component done))))))

(defun note-outcome (operation component done)
  (let ((kind (typecase operation
                (asdf:compile-op :compile)
                ((or asdf:load-op asdf:load-source-op) :load))))
    (when (and kind (typep component 'asdf:cl-source-file))
      (let ((file (file-name (asdf:component-pathname component))))
        (cond ((not done) (unless (eq :compile (first (gethash file *failures*)))
                            (setf (gethash file *failures*) (cons kind (ignore-errors (written-at (asdf:component-pathname component)))))))
              ((eq kind (first (gethash file *failures*))) (remhash file *failures*)))))))

(defun component-state (component)
  "Return how COMPONENT stands in the image: loaded, changed (since it was loaded), failed or new. NIL where it is no Lisp file, or
none for this Lisp."
  (when (and (typep component 'asdf:cl-source-file) (not (states-unknown-p)) (for-this-lisp-p component))
    (let* ((pathname (ignore-errors (asdf:component-pathname component)))
           (written (written-at pathname))
           (failure (and pathname (gethash (file-name pathname) *failures*)))
           (loaded (load-time-of component)))
      (cond ((and failure (or (null written) (eql written (rest failure)))) "failed")
            ((null loaded) "new")
            ((and written (realp loaded) (> written loaded)) "changed")
            (t "loaded")))))

(defun states-unknown-p ()
  (lacking "finding the changed files of a system"))

(defun load-time-of (component)
  "Return the stamp of what COMPONENT was loaded from, T where ASDF knows none, NIL when COMPONENT is not loaded."
  (or (operation-time 'asdf:load-op component) (operation-time 'asdf:load-source-op component)))

(defun operation-time (operation component)
  (ignore-errors (component-operation-time (asdf:make-operation operation) component)))

(defun source-components (system)
  "Return the components of SYSTEM that are Lisp files and are for this Lisp, in the order of the definition."
  (let ((files '()))
    (labels ((walk (component)
               (when (for-this-lisp-p component)
                 (typecase component
                   (asdf:parent-component (mapc #'walk (asdf:component-children component)))
                   (asdf:cl-source-file (push component files))))))
      (walk system))
    (nreverse files)))

(defun for-this-lisp-p (component)
  "False for a COMPONENT that ASDF leaves out, since a feature is not there."
  (let ((feature (and (not (states-unknown-p)) (component-if-feature component))))
    (or (null feature) (uiop:featurep feature))))

(defun changed-files (system)
  "Return the native names of the files of SYSTEM, a loaded one, that ASDF would load again: those that are new, failed or changed
since, and the file that defines it."
  (unless (states-unknown-p)
    (changed-files-known system)))

(defun changed-files-known (system)
  (let ((definition (ignore-errors (asdf:system-source-file system))))
    (append (and definition (definition-changed-p system definition) (list (file-name definition)))
            (loop for component in (source-components system)
                  unless (equal "loaded" (component-state component))
                    collect (file-name (asdf:component-pathname component))))))

(defun definition-changed-p (system file)
  (let ((read (operation-time 'asdf:define-op (or (asdf:registered-system (asdf:primary-system-name system)) system)))
        (written (written-at file)))
    (and (realp read) written (> written read))))

(defun outdated-systems ()
  "Return (name files causes) for each loaded system with changed files, or that depends on one; a system stands after what it
depends on. CAUSES are the names of the latter."
  (let ((found '()) (seen (make-hash-table :test #'equal)))
    (labels ((visit (name)
               (multiple-value-bind (outdated known) (gethash name seen)
                 (if known
                     outdated
                     (let ((system (asdf:registered-system name)))
                       (setf (gethash name seen) nil) ; a circle ends here
                       (when (and system (asdf:component-loaded-p system) (not (baseline-system-p name)))
                         (let ((causes (remove-if-not #'visit (mapcar #'first (dependencies-of system))))
                               (files (changed-files system)))
                           (when (or causes files)
                             (push (list name files causes) found)
                             (setf (gethash name seen) t)))))))))
      (mapc #'visit (sort (copy-list (asdf:already-loaded-systems)) #'string<)))
    (nreverse found)))

(define-operation "outdated-systems" (:looking-up request)
  (object "systems" (array-of (loop for (name files causes) in (outdated-systems)
                                    collect (object "name" name
                                                    "files" (array-of (subseq files 0 (min +most-changed-files+ (length files))))
                                                    "causes" (array-of causes))))))
