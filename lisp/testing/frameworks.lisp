;;;; The protocol that the adapter for each test framework implements. A framework's names are looked up at run time, because the framework
;;;; is loaded only if the user's systems load it.

(in-package #:lisp-workbench/testing)

(defclass framework ()
  ((name :initarg :name :reader framework-name :documentation "The framework's name on the wire.")
   (package :initarg :package :reader framework-package-name :documentation "The package from which the framework exports its functions."))
  (:documentation "An adapter to a test framework."))

(defstruct listed
  "A test or suite that a framework has registered. KEY is the framework's name for it. OBJECT is the object that a new definition replaces.
PARENT is the id of the suite or test that contains it."
  framework name package key object (suite nil) (parent nil))

(defgeneric list-tests (framework)
  (:documentation "Return the tests and suites of FRAMEWORK, which is loaded, as LISTED objects. Each comes after its parent. Called once
per request."))

(defgeneric run-listed (framework listed debug)
  (:documentation "Run LISTED, a test of FRAMEWORK, as the user's code. Return (LISTED . RECORD) for each test that ran. With DEBUG, errors
and failed checks are not handled, so that they reach the debugger."))

(defvar *frameworks* '() "The adapters, in the order in which their tests are listed.")

(defun add-framework (framework)
  (setf *frameworks* (append (remove (framework-name framework) *frameworks* :key #'framework-name :test #'string=)
                             (list framework))))

(defun loaded-frameworks ()
  (append (remove-if-not (lambda (framework) (find-package (framework-package-name framework))) *frameworks*)
          (copies-of-rt)))

(defun named (framework name)
  "Return the symbol NAME in the package of FRAMEWORK, or NIL if there is none."
  (let ((package (find-package (framework-package-name framework))))
    (and package (values (find-symbol name package)))))

(defun call (framework name &rest arguments)
  "Call the function NAME of FRAMEWORK."
  (let ((symbol (named framework name)))
    (unless (and symbol (fboundp symbol))
      (error "This version of ~A lacks the function ~A, which runs its tests." (framework-name framework) name))
    (apply symbol arguments)))

(defun slot-of (object framework name)
  "Return the value of the slot NAME of OBJECT; NIL if there is no such slot, or it has no value."
  (let ((slot (named framework name)))
    (and slot (slot-exists-p object slot) (slot-boundp object slot) (slot-value object slot))))

(defun of-class-p (object framework name)
  "Return true if OBJECT is an instance of the class NAME of FRAMEWORK."
  (let ((symbol (named framework name)))
    (and symbol (find-class symbol nil) (typep object symbol))))

(defun call-with-variables (framework bindings function)
  "Call FUNCTION with variables of FRAMEWORK bound. BINDINGS is a list of (name value). Variables that this version of the framework lacks
are skipped."
  (let ((known (loop for (name value) in bindings
                     for symbol = (named framework name)
                     when (and symbol (boundp symbol)) collect (list symbol value))))
    (progv (mapcar #'first known) (mapcar #'second known) (funcall function))))

;;; Names on the wire

(defun listed-id (listed)
  (test-id (listed-framework listed) (listed-package listed) (listed-name listed)))

(defun test-id (framework package name)
  "Return the id of the test NAME in PACKAGE, both strings."
  (format nil "~A ~A::~A" (framework-name framework) package name))

(defun symbol-test-id (framework symbol)
  (test-id framework (symbol-package-name symbol) (symbol-name symbol)))

(defun listed-as (framework symbol &rest more)
  "Return a LISTED for the test of FRAMEWORK whose name is SYMBOL."
  (apply #'make-listed :framework framework :name (symbol-name symbol) :package (symbol-package-name symbol) :key symbol more))

(defun all-listed ()
  "Return all tests and suites in the image. If one framework fails to list its tests, still return the others. Deny effects outside the
image during this, because the framework's functions belong to the user, or to an agent that redefined them."
  (loop for framework in (loaded-frameworks)
        append (read-of-users '() (list-tests framework))))

(defun symbol-package-name (symbol)
  (let ((package (symbol-package symbol))) (if package (package-name package) "")))

;;; Versions

(sb-ext:defglobal *versions* (make-hash-table :test #'eq :weakness :key :synchronized t))
(sb-ext:defglobal *last-version* 0)

(defun version-of (object)
  "Return the version number of OBJECT, which is replaced when its test is redefined. Each new definition has a new number. If a result and
its test have different numbers, the result is out of date."
  (if (null object)
      0
      (sb-ext:with-locked-hash-table (*versions*)
        (or (gethash object *versions*)
            (setf (gethash object *versions*) (incf *last-version*))))))
