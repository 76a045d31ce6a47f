;;;; The sweep: after an evaluation the user's packages are compared with what they were, symbol by symbol. It finds what no
;;;; hook on DEFUN would: (SETF SYMBOL-FUNCTION), definitions inside functions, variables bound by SET, deleted packages.

(in-package #:lisp-workbench/definitions)

(defconstant +facets+ 6)

(sb-ext:defglobal *sweep-lock* (sb-thread:make-mutex :name "lisp-workbench sweep"))
(sb-ext:defglobal *seen* (make-hash-table :test #'eq)) ; package → (name . hash table: symbol → vector of facets)
(sb-ext:defglobal *originators* (make-hash-table :test #'eq :weakness :key)) ; symbol → actor of its latest change
(sb-ext:defglobal *pending* nil)        ; the evaluation after which nobody has swept yet

(defparameter *defining-operations* '("load-system" "compile-system" "test-system" "activate-libraries" "compile-text" "compile-file")
  "After these there is surely something to tell.")

(defun install-sweep ()
  "Take the state of the pristine core as known."
  (sweep nil)
  (setf *before-job* 'before-job
        *after-job* 'after-job
        *idle-work* 'sweep-pending))

(defun before-job (evaluation)
  "What another actor left behind is told under that actor's name."
  (let ((pending *pending*))
    (when (and pending (not (equal (evaluation-actor pending) (evaluation-actor evaluation))))
      (sweep-pending))))

(defun after-job (evaluation)
  "Sweep at once when the evaluation surely defined something, else when the worker has nothing better to do."
  (setf *pending* evaluation)
  (when (or (evaluation-defines-p evaluation)
            (member (field (evaluation-request evaluation) "op") *defining-operations* :test #'equal))
    (sweep-pending))
  (not (null *pending*)))

(defun sweep-pending ()
  "Sweep if that was put off. Any thread."
  (when *pending*
    (sb-thread:with-mutex (*sweep-lock*)
      (let ((evaluation (shiftf *pending* nil)))
        (when evaluation (announce evaluation (sweep (evaluation-actor evaluation))))))))

(defun announce (evaluation changes)
  (destructuring-bind (changed removed) changes
    (when (or changed removed)
      (send-event "definitions-changed"
                  "evaluation" (evaluation-id evaluation)
                  "actor" (evaluation-actor evaluation)
                  "packages" (array-of changed)
                  "removedPackages" (array-of removed)))))

(defun sweep (actor)
  "Names of the packages that changed and of those that are gone since the last sweep."
  (let ((removed (forget-removed-packages)) (changed '()))
    (dolist (package (user-packages))
      (when (package-name package)
        (let ((known (gethash package *seen*)))
          (unless known
            (setf known (cons (package-name package) (make-hash-table :test #'eq))
                  (gethash package *seen*) known)
            (push (package-name package) changed))
          (when (sweep-package package (cdr known) actor)
            (pushnew (package-name package) changed :test #'string=)))))
    (list (sort changed #'string<) removed)))

(defun forget-removed-packages ()
  "Names of packages that were deleted or have another name now."
  (let ((removed '()))
    (loop for package being the hash-keys of *seen* using (hash-value known)
          unless (equal (package-name package) (car known))
            do (push (car known) removed)
               (remhash package *seen*))
    (sort removed #'string<)))

(defun sweep-package (package known actor)
  "Whether anything in PACKAGE changed; KNOWN is brought up to date."
  (let ((changed nil) (count 0) (facets (make-array +facets+)))
    (declare (dynamic-extent facets))
    (map-own-symbols (symbol package)
      (let ((before (gethash symbol known)))
        (when (or before (defined-p symbol))
          (fill-facets facets symbol)
          (cond ((every #'null facets)
                 (when before
                   (remhash symbol known)
                   (setf changed t)))
                (t
                 (incf count)
                 (unless (and before (every #'eq facets before))
                   (setf changed t
                         (gethash symbol known) (copy-seq facets))
                   (when actor (setf (gethash symbol *originators*) actor))))))))
    (when (< count (hash-table-count known)) ; some symbols were uninterned
      (setf changed t)
      (loop for symbol being the hash-keys of known
            unless (eq (symbol-package symbol) package)
              do (remhash symbol known)))
    changed))

(defun defined-p (symbol)
  "A quick look that spares most symbols, which are only names of locals, the long one."
  (or (boundp symbol)
      (fboundp symbol)
      (find-class symbol nil)
      (not (eq :unknown (info :variable :kind symbol)))
      (find-fdefn `(setf ,symbol))
      (info :type :expander symbol)))

(defun fill-facets (facets symbol)
  (let* ((class (find-class symbol nil))
         (kind (info :variable :kind symbol)))
    (setf (svref facets 0) (function-facet symbol)
          (svref facets 1) (function-facet `(setf ,symbol))
          (svref facets 2) (if (or (boundp symbol) (not (eq kind :unknown)))
                               (or (info :source-location :variable symbol) kind)
                               nil)
          (svref facets 3) class
          (svref facets 4) (and class (class-facet class))
          (svref facets 5) (info :type :expander symbol))))

(defun function-facet (name)
  (let* ((fdefn (find-fdefn name))
         (function (and fdefn (fdefn-fun fdefn))))
    (if (typep function 'generic-function)
        (or (sb-mop:generic-function-methods function) function)
        function)))

(defun class-facet (class)
  (if (typep class 'standard-class)
      (or (sb-mop:specializer-direct-methods class) (sb-mop:class-direct-slots class))
      (sb-mop:specializer-direct-methods class)))

(defun originator (symbol)
  "The actor whose evaluation changed SYMBOL last, as far as a sweep saw it."
  (gethash symbol *originators*))
