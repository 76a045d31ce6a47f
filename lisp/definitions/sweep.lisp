;;;; The sweep: after an evaluation, compares the user's packages symbol by symbol with their previous state. The sweep finds changes that
;;;; hooks on DEFUN and similar macros miss: (SETF SYMBOL-FUNCTION), definitions inside functions, variables bound by SET, deleted packages.

(in-package #:lisp-workbench/definitions)

(defconstant +facets+ 7)

(sb-ext:defglobal *sweep-lock* (sb-thread:make-mutex :name "lisp-workbench sweep"))
(sb-ext:defglobal *seen* (make-hash-table :test #'eq)) ; package → (name . hash table: symbol → vector of facets)
(sb-ext:defglobal *originators* (make-weak-map)) ; symbol → actor of its latest change
(sb-ext:defglobal +nothing+ (make-array +facets+ :initial-element nil))
(defvar *told* (make-hash-table :test #'equal) "The keys whose change the tracker has recorded since the previous sweep.")
(defconstant +rest+ 9 "The minimum pause before a sweep during idle time, as a multiple of the last sweep's duration.")
(sb-ext:defglobal *swept-at* 0)         ; end of the last sweep, in internal real time
(sb-ext:defglobal *sweep-took* 0)       ; duration of the last sweep, in internal time units
(sb-ext:defglobal *pending* nil)        ; the latest evaluation that no sweep has followed yet

(defparameter *defining-operations* '("load-system" "compile-system" "test-system" "activate-libraries" "compile-text" "compile-file")
  "Operations after which a sweep always finds changes.")

(defun install-sweep ()
  "Install the tracker, store the state of the pristine core as the known state, and install the sweep's hooks."
  (install-tracker)
  (sweep nil)
  (setf *before-job* 'before-job
        *after-job* 'after-job
        *idle-work* 'sweep-when-rested)
  (pushnew 'tell-definitions-so-far *before-debugger*))

(defun tell-definitions-so-far ()
  "Report the definitions that the tracker has seen so far, because this thread is about to wait in the debugger, perhaps for a long time.
Changes that only a sweep finds are reported after the evaluation has ended."
  (when *evaluation*
    (let ((packages (untold-packages)))
      (tell-events *evaluation*)
      (announce *evaluation* (list packages '())))))

(defun before-job (evaluation)
  "Sweep before another actor's evaluation, so that pending definitions are attributed to the actor who made them."
  (let ((pending *pending*))
    (when (and pending (not (equal (evaluation-actor pending) (evaluation-actor evaluation))))
      (sweep-pending))))

(defparameter *plain-operators* '("DEFUN" "DEFMACRO" "DEFMETHOD")
  "Operators whose definitions the tracker sees without a sweep.")

(defun after-job (evaluation)
  "If EVALUATION made definitions that only a sweep may find, sweep immediately. Otherwise sweep when the worker is idle, because a sweep
examines all definitions and evaluations may follow each other quickly."
  (setf *pending* (pending-after evaluation))
  (cond ((plainly-defines-p evaluation)
         (tell-events evaluation))
        ((or (plusp *untold-count*)
             (evaluation-defines-p evaluation)
             (member (field (evaluation-request evaluation) "op") *defining-operations* :test #'equal))
         (sweep-pending)))
  (not (null *pending*)))

(defun pending-after (evaluation)
  "Return the evaluation to which the next sweep attributes its findings after the end of EVALUATION. If an agent's evaluation ran at the
same time as the person's, return the agent's, because the sweep cannot determine which of them made a change."
  (or (and (evaluation-beside evaluation)
           (find-if #'of-agent-p (append (running-evaluations) (and *pending* (list *pending*)))))
      evaluation))

(defun of-agent-p (evaluation)
  (field (evaluation-request evaluation) "guard"))

(defun note-beside (evaluation)
  "If EVALUATION, which is about to end, is an agent's and ran at the same time as an evaluation of the person, make the next sweep
attribute its findings to EVALUATION."
  (when (and (evaluation-beside evaluation) (of-agent-p evaluation)) (setf *pending* evaluation)))

(defun sweep-when-rested ()
  "Sweep while the worker is idle, or return true if the sweep is postponed. With very many definitions a sweep takes a long time, and a new
evaluation must wait for it. Therefore idle sweeps use at most a tenth of the time."
  (when *pending*
    (if (< (- (get-internal-real-time) *swept-at*) (* +rest+ *sweep-took*))
        t
        (progn (sweep-pending) nil))))

(defun plainly-defines-p (evaluation)
  (let ((forms (evaluation-forms evaluation)))
    (and forms
         (every (lambda (form) (member (field form "defines") *plain-operators* :test #'equal)) forms))))

(defun sweep-pending ()
  "Run the postponed sweep, or wait for the running one. Any thread may call this."
  (when (or *pending* (sb-thread:mutex-owner *sweep-lock*))
    (sb-thread:with-mutex (*sweep-lock*)
      (let ((evaluation (shiftf *pending* nil)))
        (when evaluation
          (let ((*evaluation* evaluation))
            (let ((began (get-internal-real-time)))
              (announce evaluation (sweep (evaluation-actor evaluation)))
              (setf *swept-at* (get-internal-real-time)
                    *sweep-took* (- *swept-at* began)))
            (tell-events evaluation)))))))

(defun tell-defined (evaluation)
  "Report the definitions of EVALUATION, which ended in a thread other than a worker. If the tracker saw no definitions, postpone the sweep
until its result is needed."
  (cond ((plusp *untold-count*)
         (sweep-pending)
         (setf *pending* evaluation)
         (sweep-pending))
        ((null *pending*) (setf *pending* evaluation))))

(defun announce (evaluation changes)
  (destructuring-bind (changed removed) changes
    (when (or changed removed)
      (send-event "definitions-changed"
                  "evaluation" (evaluation-id evaluation)
                  "actor" (evaluation-actor evaluation)
                  "packages" (array-of changed)
                  "removedPackages" (array-of removed)))))

(defun sweep (actor)
  "Compare all packages with the last sweep. Return a list of two lists: the names of changed packages and the names of removed packages."
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
  "Forget packages that were deleted or renamed, and return their names."
  (let ((removed '()))
    (loop for package being the hash-keys of *seen* using (hash-value known)
          unless (equal (package-name package) (car known))
            do (push (car known) removed)
               (remhash package *seen*))
    (sort removed #'string<)))

(defun sweep-package (package known actor)
  "Update KNOWN from PACKAGE, and return true if anything in PACKAGE changed."
  (let ((changed nil) (count 0) (facets (make-array +facets+)))
    (declare (dynamic-extent facets))
    (map-own-symbols (symbol package)
      (let ((before (gethash symbol known)))
        (when (or before (defined-p symbol))
          (fill-facets facets symbol)
          (cond ((same-facets-p facets +nothing+)
                 (when before
                   (remhash symbol known)
                   (when actor (record-found symbol before facets))
                   (setf changed t)))
                (t
                 (incf count)
                 (unless (and before (same-facets-p facets before))
                   (setf changed t
                         (gethash symbol known) (copy-seq facets))
                   (when actor
                     (record-found symbol (or before +nothing+) facets)
                     (setf (associated symbol *originators*) actor))))))))
    (when (< count (hash-table-count known)) ; some symbols were uninterned
      (setf changed t)
      (loop for symbol being the hash-keys of known
            unless (eq (symbol-package symbol) package)
              do (remhash symbol known)))
    changed))

(defun same-facets-p (facets others)
  "Return true if both vectors contain the same facets. Lists of methods are compared by element, because SBCL may rebuild the list."
  (declare (simple-vector facets others))
  (loop for index below +facets+
        always (let ((facet (svref facets index)) (other (svref others index)))
                 (or (eq facet other)
                     (and (consp facet) (consp other) (equal facet other))))))

(defun defined-p (symbol)
  "Return true if SYMBOL may have a definition. This quick test avoids the slow one for most symbols, which only name local variables and
functions."
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
          (svref facets 6) (stored-macro-function symbol))))

(defun function-facet (name)
  "Return the facet of the function NAME: its methods, or the function itself without encapsulations. A breakpoint or a trace does not count
as a definition, but a new function inside it does."
  (let ((function (fdefn-function name)))
    (when (and (closurep function) (not (and (symbolp name) (stored-macro-function name))))
      (setf function (fdefinition name)))
    (if (typep function 'generic-function)
        (or (read-of-users nil (sb-mop:generic-function-methods function)) function)
        function)))

(defun class-facet (class)
  (read-of-users class
    (or (sb-mop:specializer-direct-methods class)
        (and (typep class 'standard-class) (sb-mop:class-direct-slots class)))))

;;; Events of changes that the tracker did not see. They have an actor and a time, but no place or text.

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
    (record-event key before :after after :unseen t)
    (forget-touched key))) ; otherwise the next sweep would ignore the next change

(defun record-found-function (name before after &optional macro)
  "Record a changed function. The facet of a generic function is the list of its methods; if it has no methods, the facet is the function
itself."
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
         (let ((function (read-of-users nil (sb-mop:method-generic-function (first facet)))))
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
  "Return the actor whose evaluation last changed SYMBOL, according to the sweeps."
  (associated symbol *originators*))
