;;;; Restores states. Runs in the worker, like an evaluation, because it may call user code, such as metaclasses and print methods of
;;;; errors.

(in-package #:lisp-workbench/definitions)

(defun restore (key state)
  "Restore KEY to STATE. If this is impossible, signal an error that gives the reason."
  (let ((name (cdr key)))
    (when (state-fact state :dropped)
      (error "The former value was discarded when memory ran low."))
    (ecase (car key)
      (:function (restore-function name state))
      (:variable (restore-variable name state))
      (:class (if state (restore-class name state) (remove-class name)))
      (:method (restore-method key state))
      (:type (restore-type name state))
      (:compiler-macro (setf (compiler-macro-function name) (state-fact state :function)))
      (:setf-expander (if state
                          (setf (info :setf :expander name) (state-fact state :expander))
                          (clear-info :setf :expander name)))
      (:package (restore-package name state))
      (:package-name (restore-package-name name state))
      (:proclamation (restore-proclamation name state))
      (:logical-host (restore-logical-host name state))
      (:symbol (restore-symbol name state))
      (:method-combination (error "A method combination cannot be undone, because its former text is unknown.")))))

(defun restore-function (name state)
  (ecase (state-kind state)
    ((nil) (fmakunbound name))
    (:macro
     (unless (macro-function name) (fmakunbound name))
     (setf (macro-function name) (state-fact state :function)))
    ((:function :generic-function)
     (when (and (symbolp name) (macro-function name)) (fmakunbound name))
     (let ((function (state-fact state :function)))
       (unless (and (fboundp name) (eq function (fdefinition name)))
         (setf (fdefinition name) function))
       (if (typep function 'generic-function)
           (restore-generic-function function state)
           (restore-inlining name state))))))

(defun restore-inlining (name state)
  (if (state-fact state :inlining)
      (setf (info :function :inlining-data name) (state-fact state :inlining))
      (clear-info :function :inlining-data name)))

(defun restore-generic-function (function state)
  (destructuring-bind (&key lambda-list method-combination documentation) (state-fact state :initargs)
    (unless (and (equal lambda-list (sb-mop:generic-function-lambda-list function))
                 (eq method-combination (sb-mop:generic-function-method-combination function))
                 (equal documentation (documentation function t)))
      (reinitialize-instance function :lambda-list lambda-list :method-combination method-combination
                                      :documentation documentation)))
  (dolist (method (state-fact state :methods))
    (unless (sb-mop:method-generic-function method)
      (add-method function method))))

(defun restore-variable (symbol state)
  (clear-info :variable :macro-expansion symbol)
  (clear-info :variable :always-bound symbol)
  (setf (info :variable :kind symbol) :unknown)
  (cond ((eq (state-kind state) :symbol-macro)
         (when (boundp symbol) (makunbound symbol))
         (setf (info :variable :macro-expansion symbol) (state-fact state :expansion)
               (info :variable :kind symbol) :macro))
        ((state-fact state :bound)
         (set symbol (state-fact state :value)))
        ((boundp symbol) (makunbound symbol)))
  (when (member (state-kind state) '(:variable :constant))
    (when (state-fact state :always-bound)
      (setf (info :variable :always-bound symbol) (state-fact state :always-bound)))
    (setf (info :variable :kind symbol) (state-fact state :declared)
          (documentation symbol 'variable) (state-fact state :documentation)))
  (if (state-fact state :location)
      (setf (info :source-location :variable symbol) (state-fact state :location))
      (clear-info :source-location :variable symbol)))

(defun restore-class (symbol state)
  "Restore the former class object of SYMBOL, with its former slots."
  (let ((class (state-fact state :class)))
    (unless (eq class (find-class symbol nil))
      (setf (find-class symbol) class))
    (when (and (eq (state-kind state) :class) (state-fact state :metaclass))
      (sb-mop:ensure-class symbol
                           :metaclass (state-fact state :metaclass)
                           :direct-superclasses (state-fact state :supers)
                           :direct-slots (state-fact state :slots)
                           :direct-default-initargs (state-fact state :initargs)
                           :documentation (state-fact state :documentation)))))

(defun remove-class (symbol)
  "Remove the class SYMBOL: its name and its accessors. Its instances remain, but cannot be accessed with these accessors."
  (let ((class (find-class symbol nil)))
    (when class
      (dolist (method (copy-list (sb-mop:specializer-direct-methods class)))
        (when (typep method 'sb-mop:standard-accessor-method)
          (remove-method (sb-mop:method-generic-function method) method)))
      (when (typep class 'structure-class)
        (undeclare-structure (find-classoid symbol) t))
      (setf (find-class symbol) nil))))

(defun restore-method (key state)
  (let ((current (method-state (cdr key))))
    (cond (state
           (let ((name (second key)))
             (unless (and (fboundp name) (typep (fdefinition name) 'generic-function))
               (setf (fdefinition name) (state-fact state :function)))
             (let ((method (state-fact state :method)))
               (unless (eq method (state-fact current :method))
                 (add-method (fdefinition name) method)))))
          (current
           (remove-method (state-fact current :function) (state-fact current :method))))))

(defun restore-type (symbol state)
  (if state
      (%deftype symbol (state-fact state :expander) nil)
      (progn
        (clear-info :type :expander symbol)
        (clear-info :type :kind symbol)
        (drop-all-hash-caches))))

(defun restore-symbol (symbol state)
  (let ((package (if state (state-fact state :package) (symbol-package symbol))))
    (cond ((null state) (unintern symbol package))
          ((null (package-name package)) (error "The symbol's package was deleted."))
          (t (import symbol package)
             (when (eq :external (state-fact state :status)) (export symbol package))))))

(defun restore-package (name state)
  (let ((package (find-package name)))
    (sb-ext:without-package-locks
      (cond (state (restore-package-facts (or package (make-package name :use '())) state))
            (package (remove-package package))))))

(defun restore-package-facts (package state)
  "Restore PACKAGE to STATE. Change only the differences, because one of SBCL's packages may have a thousand exports."
  (let ((now (package-state (package-name package))))
    (flet ((fact (fact) (state-fact state fact))
           (differs (fact) (not (equal (state-fact now fact) (state-fact state fact)))))
      (when (differs :uses)
        (unuse-package (set-difference (package-use-list package) (fact :uses)) package))
      (when (differs :shadowing)
        (restore-shadowing package (remove-if-not #'symbol-package (fact :shadowing))))
      (when (differs :uses)
        (use-package (remove-if-not #'package-name (fact :uses)) package))
      (when (differs :nicknames)
        (rename-package package (package-name package) (fact :nicknames)))
      (when (differs :local-nicknames)
        (restore-local-nicknames package (fact :local-nicknames)))
      (when (differs :implemented-by)
        (restore-implementers package (fact :implemented-by)))
      (when (differs :exports)
        (restore-exports package (fact :exports)))
      (when (differs :locked)
        (if (fact :locked) (sb-ext:lock-package package) (sb-ext:unlock-package package))))))

(defun restore-shadowing (package symbols)
  "Make SYMBOLS the shadowing symbols of PACKAGE. If a symbol of PACKAGE itself stops shadowing, it stays accessible, unless one of the used
packages exports another symbol with the same name."
  (dolist (symbol (set-difference (package-shadowing-symbols package) symbols))
    (let ((own (eq package (symbol-package symbol))) (inherited (inherited-symbol (symbol-name symbol) package)))
      (unintern symbol package)
      (when (and own (null inherited)) (import symbol package))))
  (shadowing-import symbols package))

(defun inherited-symbol (name package)
  "Return the external symbol NAME of a package that PACKAGE uses, or NIL."
  (dolist (used (package-use-list package))
    (multiple-value-bind (symbol status) (find-symbol name used)
      (when (eq :external status) (return symbol)))))

(defun restore-local-nicknames (package nicknames)
  (loop for (name) in (sb-ext:package-local-nicknames package)
        do (sb-ext:remove-package-local-nickname name package))
  (loop for (name . actual) in nicknames
        when (package-name actual) do (sb-ext:add-package-local-nickname name actual package)))

(defun restore-implementers (package implementers)
  "Make IMPLEMENTERS the implementation packages of PACKAGE. Code in these packages may change PACKAGE although it is locked."
  (let ((now (sb-ext:package-implemented-by-list package)))
    (dolist (each (set-difference now implementers)) (sb-ext:remove-implementation-package package each))
    (dolist (each (set-difference implementers now)) (sb-ext:add-implementation-package package each))))

(defun remove-package (package)
  (let ((users (package-used-by-list package)))
    (when users
      (error "~A uses it." (package-name (first users))))
    (delete-package package)))

(defun restore-exports (package symbols)
  (do-external-symbols (symbol package)
    (unless (member symbol symbols) (unexport symbol package)))
  (dolist (symbol symbols)
    (let ((own (if (symbol-package symbol) symbol (intern (symbol-name symbol) package))))
      (import own package)
      (export own package))))
