;;;; The states of system files in the image: loaded, changed since, or failed. Only file dates are checked, and no code runs. Dates count
;;;; nanoseconds, for ASDF too; otherwise ASDF would not recompile a file that was edited in the same second in which it was compiled.

(in-package #:lisp-workbench/systems)

(defconstant +most-changed-files+ 200)

(sb-ext:defglobal *failures* (make-hash-table :test #'equal :synchronized t)
  "A table that maps the native names of source files to (kind . stamp). KIND is the ASDF action that last failed for the file, :compile or
:load. STAMP is the file's write time.")

(defconstant +unix-epoch+ 2208988800 "The universal time of the start of 1970.")

(sb-ext:defglobal *exact-since* nil
  "The universal time from which file dates count nanoseconds; NIL for never. It is the time when the core was built. For older files, ASDF
recorded seconds. A date in seconds is smaller than any date in nanoseconds, so the order of dates remains correct.")

(defun install-exact-stamps ()
  "Make ASDF compare the dates of files in nanoseconds. Called once, when the core is built."
  (unless (lacking "reloading files that were edited within a second of their compilation")
    (setf *exact-since* (get-universal-time))
    (install-advice 'compute-file-stamp 'lisp-workbench #'compute-exact-stamp)))

(defun compute-exact-stamp (original namestring)
  "Return the write time of the file NAMESTRING, or T if there is no such file, as ASDF does. ASDF computes all its stamps with this
function."
  (declare (ignore original))
  (or (written-at (ignore-errors (pathname namestring))) t))

(defun written-at (pathname)
  "Return the write time of the file PATHNAME, or NIL if PATHNAME is NIL or there is no such file. The time is an integer, as ASDF requires:
a universal time in seconds, or in nanoseconds for files that are newer than the core."
  (let* ((file (and pathname (file-name pathname))) (stamp (and file (write-stamp file))))
    (and stamp
         (multiple-value-bind (seconds nanoseconds) (floor stamp 1000000000)
           (let ((written (+ seconds +unix-epoch+)))
             (if (and *exact-since* (>= written *exact-since*))
                 (+ (* 1000000000 written) nanoseconds)
                 written))))))

(defun call-noting-text (operation component function)
  "Call FUNCTION, with which ASDF performs OPERATION on COMPONENT. If this loads a file of the project, store the file's text, so that
unchanged definitions can be recognized."
  (when (and (typep operation '(or asdf:load-op asdf:load-source-op)) (typep component 'asdf:cl-source-file))
    (sound
      (let ((file (file-name (asdf:component-pathname component))))
        (when (and file (file-of-project-p file)) (note-loaded-text file (file-text file))))))
  (call-noting-edit operation component function))

(defun call-noting-edit (operation component function)
  "Call FUNCTION, with which ASDF performs OPERATION on COMPONENT. If the source was written during the call, set its output files to the
oldest date, so that the next load recompiles the source."
  (let* ((file (and (typep operation 'asdf:compile-op) (typep component 'asdf:cl-source-file) (asdf:component-pathname component)))
         (before (written-at file)))
    (multiple-value-prog1 (funcall function)
      (when (and before (not (eql before (written-at file))))
        (sound
          (without-guard
            (dolist (output (asdf:output-files operation component))
              (make-old (file-name output)))))))))

(defun call-noting-outcome (operation component function)
  "Call FUNCTION, with which ASDF performs OPERATION on COMPONENT. Record whether an error ends the call. An error that is handled during
the call does not count."
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
  "Return the state of COMPONENT in the image: loaded, changed (since it was loaded), failed or new. Return NIL if COMPONENT is not a Lisp
file, or not intended for this Lisp."
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
  "Return the stamp of the file from which COMPONENT was loaded. Return T if ASDF knows no stamp, and NIL if COMPONENT is not loaded."
  (or (operation-time 'asdf:load-op component) (operation-time 'asdf:load-source-op component)))

(defun operation-time (operation component)
  (ignore-errors (component-operation-time (asdf:make-operation operation) component)))

(defun source-components (system)
  "Return the Lisp files in SYSTEM that are intended for this Lisp, as components in the order of the system's definition."
  (let ((files '()))
    (labels ((walk (component)
               (when (for-this-lisp-p component)
                 (typecase component
                   (asdf:parent-component (mapc #'walk (asdf:component-children component)))
                   (asdf:cl-source-file (push component files))))))
      (walk system))
    (nreverse files)))

(defun for-this-lisp-p (component)
  "Return false if ASDF skips COMPONENT because a required feature is missing."
  (let ((feature (and (not (states-unknown-p)) (component-if-feature component))))
    (or (null feature) (uiop:featurep feature))))

(defun changed-files (system)
  "Return the native names of the files of the loaded SYSTEM that ASDF would load again: new, failed and changed files. Include the file
that defines the system if it has changed."
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
  "Return (name files causes) for each loaded system that has changed files or depends on an outdated system. A system comes after its
dependencies. CAUSES are the names of its outdated dependencies."
  (let ((found '()) (seen (make-hash-table :test #'equal)))
    (labels ((visit (name)
               (multiple-value-bind (outdated known) (gethash name seen)
                 (if known
                     outdated
                     (let ((system (asdf:registered-system name)))
                       (setf (gethash name seen) nil) ; ends cycles
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
