;;;; The sweep: after an evaluation the user's packages are compared with what they were, symbol by symbol. It finds what no
;;;; hook on DEFUN would: (SETF SYMBOL-FUNCTION), definitions inside functions, variables bound by SET, deleted packages.

(in-package #:lisp-workbench/definitions)

(defconstant +facets+ 7)

(sb-ext:defglobal *sweep-lock* (sb-thread:make-mutex :name "lisp-workbench sweep"))
(sb-ext:defglobal *seen* (make-hash-table :test #'eq)) ; package → (name . hash table: symbol → vector of facets)
(sb-ext:defglobal *originators* (make-weak-map)) ; symbol → actor of its latest change
(sb-ext:defglobal +nothing+ (make-array +facets+ :initial-element nil))
(defvar *told* (make-hash-table :test #'equal) "Keys whose change the tracker recorded since the sweep before this one.")
(defconstant +rest+ 9 "The pause before a sweep in idle time, as a multiple of the time that the last sweep took.")
(sb-ext:defglobal *swept-at* 0)         ; when the last sweep ended, in internal real time
(sb-ext:defglobal *sweep-took* 0)       ; how long the last sweep took, in internal time units
(sb-ext:defglobal *pending* nil)        ; the evaluation after which nobody has swept yet

(defparameter *defining-operations* '("load-system" "compile-system" "test-system" "activate-libraries" "compile-text" "compile-file")
  "Operations after which a sweep surely finds something.")

(defun install-sweep ()
  "Take the state of the pristine core as known."
  (install-tracker)
  (sweep nil)
  (setf *before-job* 'before-job
        *after-job* 'after-job
        *idle-work* 'sweep-when-rested)
  (pushnew 'tell-definitions-so-far *before-debugger*))

(defun tell-definitions-so-far ()
  "Tell the definitions that the tracker saw until the code of this thread came to wait in the debugger, which may be for long. What only a
sweep finds is told when the evaluation has ended."
  (when *evaluation*
    (let ((packages (untold-packages)))
      (tell-events *evaluation*)
      (announce *evaluation* (list packages '())))))

(defun before-job (evaluation)
  "Sweep before the evaluation of another actor, so that pending definitions are told under the name of the actor who made them."
  (let ((pending *pending*))
    (when (and pending (not (equal (evaluation-actor pending) (evaluation-actor evaluation))))
      (sweep-pending))))

(defparameter *plain-operators* '("DEFUN" "DEFMACRO" "DEFMETHOD")
  "Operators whose definitions the tracker sees by itself, without a sweep.")

(defun after-job (evaluation)
  "Sweep at once when the evaluation surely defined something that only a sweep may find, else when the worker has nothing better to
do: a sweep looks at all definitions, and one evaluation may follow the other."
  (setf *pending* (pending-after evaluation))
  (cond ((plainly-defines-p evaluation)
         (tell-events evaluation))
        ((or (plusp *untold-count*)
             (evaluation-defines-p evaluation)
             (member (field (evaluation-request evaluation) "op") *defining-operations* :test #'equal))
         (sweep-pending)))
  (not (null *pending*)))

(defun pending-after (evaluation)
  "Return the evaluation in whose name the next sweep looks, after EVALUATION: the agent's that ran beside one of the person, since nobody knows
which of the two made what only a sweep finds."
  (or (and (evaluation-beside evaluation)
           (find-if #'of-agent-p (append (running-evaluations) (and *pending* (list *pending*)))))
      evaluation))

(defun of-agent-p (evaluation)
  (field (evaluation-request evaluation) "guard"))

(defun note-beside (evaluation)
  "Have the next sweep look in the name of EVALUATION, an agent's that is about to end, where the person's has run beside it."
  (when (and (evaluation-beside evaluation) (of-agent-p evaluation)) (setf *pending* evaluation)))

(defun sweep-when-rested ()
  "Sweep as idle work, or return true while the sweep is put off. With very many definitions a sweep takes long, and an evaluation that
comes meanwhile waits for it; so at most a tenth of the time goes into sweeps that nobody asked for."
  (when *pending*
    (if (< (- (get-internal-real-time) *swept-at*) (* +rest+ *sweep-took*))
        t
        (progn (sweep-pending) nil))))

(defun plainly-defines-p (evaluation)
  (let ((forms (evaluation-forms evaluation)))
    (and forms
         (every (lambda (form) (member (field form "defines") *plain-operators* :test #'equal)) forms))))

(defun sweep-pending ()
  "Sweep when that was put off, or wait for the sweep under way. Any thread may call this."
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
  "Tell what EVALUATION has defined, which ended in another thread than a worker's. Where the tracker saw nothing the sweep waits until somebody
looks."
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
  "Compare all packages with the last sweep; return the names of those that changed and of those that are gone."
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
  "Forget packages that were deleted or renamed; return their names."
  (let ((removed '()))
    (loop for package being the hash-keys of *seen* using (hash-value known)
          unless (equal (package-name package) (car known))
            do (push (car known) removed)
               (remhash package *seen*))
    (sort removed #'string<)))

(defun sweep-package (package known actor)
  "Return true when anything in PACKAGE changed; KNOWN is brought up to date."
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
  "True when both vectors hold the same facets. Lists of methods are compared by their elements, since SBCL may list the same methods anew."
  (declare (simple-vector facets others))
  (loop for index below +facets+
        always (let ((facet (svref facets index)) (other (svref others index)))
                 (or (eq facet other)
                     (and (consp facet) (consp other) (equal facet other))))))

(defun defined-p (symbol)
  "True when SYMBOL may be defined. This quick test spares most symbols, which only name locals, the long one."
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
  "Return what stands for the function NAME: its methods, or the function itself without what is put around it. A breakpoint or a trace is no
definition, and what is defined beneath one is."
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

;;; Events of changes that the tracker did not see, with actor and time, but neither place nor text

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
    (forget-touched key))) ; the next sweep shall tell the next change

(defun record-found-function (name before after &optional macro)
  "Record a changed function. The facet of a generic function is the list of its methods, or the function itself when it has none."
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
  "The actor whose evaluation changed SYMBOL last, as far as a sweep saw it."
  (associated symbol *originators*))
