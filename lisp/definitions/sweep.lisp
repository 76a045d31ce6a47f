;;;; The sweep: after an evaluation the user's packages are compared with what they were, symbol by symbol. It finds what no
;;;; hook on DEFUN would: (SETF SYMBOL-FUNCTION), definitions inside functions, variables bound by SET, deleted packages.

(in-package #:lisp-workbench/definitions)

(defconstant +facets+ 7)

(sb-ext:defglobal *sweep-lock* (sb-thread:make-mutex :name "lisp-workbench sweep"))
(sb-ext:defglobal *seen* (make-hash-table :test #'eq)) ; package → (name . hash table: symbol → vector of facets)
(sb-ext:defglobal *originators* (make-hash-table :test #'eq :weakness :key)) ; symbol → actor of its latest change
(sb-ext:defglobal +nothing+ (make-array +facets+ :initial-element nil))
(defvar *told* (make-hash-table :test #'equal) "Keys whose change the tracker recorded since the sweep before this one.")
(sb-ext:defglobal *pending* nil)        ; the evaluation after which nobody has swept yet

(defparameter *defining-operations* '("load-system" "compile-system" "test-system" "activate-libraries" "compile-text" "compile-file")
  "After these there is surely something to tell.")

(defun install-sweep ()
  "Take the state of the pristine core as known."
  (install-tracker)
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
  (when (or (plusp *untold-count*)
            (evaluation-defines-p evaluation)
            (member (field (evaluation-request evaluation) "op") *defining-operations* :test #'equal))
    (sweep-pending))
  (not (null *pending*)))

(defun sweep-pending ()
  "Sweep if that was put off, or wait for the one under way. Any thread."
  (when (or *pending* (sb-thread:mutex-owner *sweep-lock*))
    (sb-thread:with-mutex (*sweep-lock*)
      (let ((evaluation (shiftf *pending* nil)))
        (when evaluation
          (let ((*evaluation* evaluation))
            (announce evaluation (sweep (evaluation-actor evaluation)))
            (tell-events evaluation)))))))

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
  (let ((*told* (take-touched)) (removed (forget-removed-packages)) (changed '()))
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
                   (when actor (record-found symbol before facets))
                   (setf changed t)))
                (t
                 (incf count)
                 (unless (and before (every #'equal facets before)) ; SBCL may list the same methods anew
                   (setf changed t
                         (gethash symbol known) (copy-seq facets))
                   (when actor
                     (record-found symbol (or before +nothing+) facets)
                     (setf (gethash symbol *originators*) actor))))))))
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
          (svref facets 5) (info :type :expander symbol)
          (svref facets 6) (macro-function symbol))))

(defun function-facet (name)
  (let ((function (fdefn-function name)))
    (if (typep function 'generic-function)
        (or (sb-mop:generic-function-methods function) function)
        function)))

(defun class-facet (class)
  (if (typep class 'standard-class)
      (or (sb-mop:specializer-direct-methods class) (sb-mop:class-direct-slots class))
      (sb-mop:specializer-direct-methods class)))

;;; Events for what the tracker did not see: who and when, but neither place nor text

(defun record-found (symbol before facets)
  (flet ((differs (index) (not (equal (svref before index) (svref facets index)))))
    (when (or (differs 0) (differs 6))
      (record-found-function symbol (svref before 0) (svref facets 0) (svref before 6)))
    (when (differs 1) (record-found-function `(setf ,symbol) (svref before 1) (svref facets 1)))
    (when (and (differs 2) (or (null (svref before 2)) (null (svref facets 2))))
      (record-unless-told (cons :variable symbol) nil))
    (when (differs 3)
      (record-unless-told (cons :class symbol) (and (svref before 3) (list :class :class (svref before 3)))))
    (when (differs 5)
      (record-unless-told (cons :type symbol) (and (svref before 5) (list :type :expander (svref before 5)))))))

(defun record-unless-told (key before)
  (unless (gethash key *told*)
    (let ((after (capture key)))
      (when (and (or before after) (recordable-p key))
        (found-event key before after)))))

(defun found-event (key before after)
  (let ((*source-plist* '()) (*load-truename* nil))
    (record-event key before :after after)
    (forget-touched key))) ; the next sweep shall tell the next change

(defun record-found-function (name before after &optional macro)
  "The facet of a generic function is the list of its methods, itself where it has none."
  (flet ((generic-p (facet) (or (consp facet) (typep facet 'generic-function)))
         (methods (facet) (if (consp facet) facet '())))
    (if (and (generic-p before) (generic-p after) (or (consp before) (consp after)))
        (unless (gethash (cons :methods name) *told*)
          (record-found-methods name (methods before) (methods after)))
        (record-unless-told (cons :function name) (found-function-state before macro)))))

(defun found-function-state (facet macro)
  (cond (macro (list :macro :function macro))
        ((null facet) nil)
        ((consp facet)
         (let ((function (sb-mop:method-generic-function (first facet))))
           (and function (list :generic-function :function function))))
        (t (list :function :function facet))))

(defun record-found-methods (name before after)
  (let ((function (fdefinition name)))
    (flet ((state (method) (and method (list :method :method method :function function)))
           (key (method) (method-key method name))
           (plain (methods) (remove-if (lambda (method) (typep method 'sb-mop:standard-accessor-method)) methods)))
      (let ((added (plain (set-difference after before))) (gone (plain (set-difference before after))))
        (dolist (method added)
          (let ((replaced (find (key method) gone :key #'key :test #'equal)))
            (setf gone (remove replaced gone))
            (found-event (key method) (state replaced) (state method))))
        (dolist (method gone)
          (found-event (key method) (state method) nil))))))

(defun originator (symbol)
  "The actor whose evaluation changed SYMBOL last, as far as a sweep saw it."
  (gethash symbol *originators*))
