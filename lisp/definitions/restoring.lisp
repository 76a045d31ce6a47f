;;;; Putting a state back. Runs in a worker's turn: it may call code of the user's (metaclasses, print methods of errors).

(in-package #:lisp-workbench/definitions)

(defun restore (key state)
  "Make KEY mean what STATE says. Signals an error that says why when it cannot."
  (let ((name (cdr key)))
    (when (state-fact state :dropped)
      (error "Its former value was dropped when memory ran short."))
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
      (:symbol (restore-symbol name state))
      (:method-combination (error "A method combination cannot be taken back; its former text is not known.")))))

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
  "The class object of then, with its slots of then."
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
  "Its name and its accessors. Instances live on without them."
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
          ((null (package-name package)) (error "Its package was deleted."))
          (t (import symbol package)
             (when (eq :external (state-fact state :status)) (export symbol package))))))

(defun restore-package (name state)
  (let ((package (find-package name)))
    (cond ((null state) (when package (remove-package package)))
          (t (unless package
               (setf package (make-package name :use '())))
             (unuse-package (set-difference (package-use-list package) (state-fact state :uses)) package)
             (shadowing-import (remove-if-not #'symbol-package (state-fact state :shadowing)) package)
             (use-package (remove-if-not #'package-name (state-fact state :uses)) package)
             (rename-package package name (state-fact state :nicknames))
             (restore-exports package (state-fact state :exports))))))

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
