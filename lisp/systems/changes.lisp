;;;; How the files of systems stand in the image: loaded, changed since, failed. Only the dates of files are looked at, and no code runs.

(in-package #:lisp-workbench/systems)

(defconstant +most-changed-files+ 200)

(sb-ext:defglobal *failures* (make-hash-table :test #'equal :synchronized t)
  "Native name of a source file → (kind . time): what ASDF last failed to do with the file, :compile or :load, and the universal time.")

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
                            (setf (gethash file *failures*) (cons kind (get-universal-time)))))
              ((eq kind (first (gethash file *failures*))) (remhash file *failures*)))))))

(defun component-state (component)
  "Return how COMPONENT stands in the image: loaded, changed (since it was loaded), failed or new. NIL where it is no Lisp file, or
none for this Lisp."
  (when (and (typep component 'asdf:cl-source-file) (not (states-unknown-p)) (for-this-lisp-p component))
    (let* ((pathname (ignore-errors (asdf:component-pathname component)))
           (written (and pathname (ignore-errors (file-write-date pathname))))
           (failure (and pathname (gethash (file-name pathname) *failures*)))
           (loaded (load-time-of component)))
      (cond ((and failure (or (null written) (<= written (rest failure)))) "failed")
            ((null loaded) "new")
            ((and written (integerp loaded) (> written loaded)) "changed")
            (t "loaded")))))

(defun states-unknown-p ()
  (lacking "telling which files of a system were changed"))

(defun load-time-of (component)
  "Return the universal time of what COMPONENT was loaded from, T where ASDF knows none, NIL when COMPONENT is not loaded."
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
        (written (ignore-errors (file-write-date file))))
    (and (integerp read) written (> written read))))

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
