;;;; Breakpoint conditions: forms that use a function's parameters and are true for the calls at which the code must stop. A condition is
;;;; read when the person sets it, so that errors are reported immediately. It is compiled at the first call, when the function and its
;;;; parameters are known.

(in-package #:lisp-workbench/debugger)

(defstruct (stop-test (:copier nil) (:predicate nil))
  "A condition compiled for a function with the lambda list PARAMETERS. VARIABLES come from TEST-VARIABLES."
  parameters variables function)

(defmacro without-handlers (&body body)
  "Run BODY so that the handlers around it see none of the conditions that BODY signals. If this SBCL does not support that, they see the
conditions that BODY does not handle."
  `(call-without-handlers (lambda () ,@body)))

(defun call-without-handlers (function)
  (if (lacking "separating breakpoint conditions from the code's handlers")
      (funcall function)
      (let ((*handler-clusters* **initial-handler-clusters**)) (funcall function))))

(defun stop-wanted (breakpoint function arguments)
  "Return true if BREAKPOINT stops its FUNCTION, called with ARGUMENTS. If it stops because its condition cannot be read or fails, the
second value is a sentence that explains this."
  (if (and (breakpoint-name breakpoint) (breakpoint-when breakpoint))
      (condition-met breakpoint (function-called (breakpoint-name breakpoint) function) arguments)
      (values t nil)))

(defun condition-met (breakpoint function arguments)
  "Return the values of STOP-WANTED for BREAKPOINT, which has a condition. The condition runs with the calling code's guard. While it runs,
debuggers, breakpoints and steps are off, and the calling code's handlers see no conditions. It never waits for the person: an effect that
needs approval is an error."
  (let* ((failure "could not be read") (why "It entered the debugger.") (tag (list nil))
         (outcome (without-stepping
                    (without-handlers
                      (catch tag
                        (handler-case
                            (let ((*escape-from-debugger* tag) (*break-on-signals* nil))
                              (handler-bind ((warning #'muffle-where-possible))
                                (let ((test (stop-test breakpoint function)))
                                  (setf failure "failed")
                                  (if (call-stop-test test arguments) :met :unmet))))
                          (serious-condition (condition)
                            (setf why (message condition 500))
                            :failed)))))))
    (case outcome
      (:met (values t nil))
      (:unmet (values nil nil))
      (t (values t (format nil "The breakpoint's condition ~A ~A: ~A" (breakpoint-when breakpoint) failure why))))))

(defun muffle-where-possible (warning)
  (let ((restart (find-restart 'muffle-warning warning)))
    (when restart (invoke-restart restart))))

(defun stop-test (breakpoint function)
  "Return the condition of BREAKPOINT, compiled for FUNCTION. For calls from guarded code the condition is compiled separately, because a
function compiled under the guard remains guarded."
  (let* ((tests (breakpoint-tests breakpoint))
         (place (if *guard* 1 0))
         (known (svref tests place))
         (parameters (parameters-of function)))
    (if (and known (equal parameters (stop-test-parameters known)))
        known
        (let* ((variables (test-variables parameters))
               (package (condition-package (breakpoint-name breakpoint)))
               (form (read-condition (breakpoint-when breakpoint) package)))
          (setf (svref tests place)
                (make-stop-test :parameters parameters
                                :variables variables
                                :function (compile-test form (mapcar #'first variables) package)))))))

(defun compile-test (form variables package)
  "Compile FORM, which was read in PACKAGE, as a function of VARIABLES."
  (without-recording
    (let ((*source-plist* '()))
      (with-compilation-unit (:override t)
        (values (compile nil `(lambda ,variables
                                (declare (ignorable ,@variables) (sb-ext:muffle-conditions sb-ext:compiler-note))
                                ,(with-own-names form variables package))))))))

(defun with-own-names (form variables package)
  "Return FORM with the values of VARIABLES also bound to the symbols of the same names in PACKAGE, because the methods of a generic
function may be in other packages."
  (let ((bindings (loop for variable in variables
                        for own = (find-symbol (symbol-name variable) package)
                        when (and (bindable-p own) (not (member own variables))) collect (list own variable))))
    (if bindings
        `(let ,bindings (declare (ignorable ,@(mapcar #'first bindings))) ,form)
        form)))

(defun call-stop-test (test arguments)
  (let ((given (bound-parameters (stop-test-parameters test) arguments)))
    (apply (stop-test-function test)
           (loop for (variable default of) in (stop-test-variables test)
                 collect (cond (of (and (assoc of given) t))
                               ((assoc variable given) (second (assoc variable given)))
                               (t default))))))

(defun test-variables (parameters)
  "Return (variable default of) for each variable that the lambda list PARAMETERS binds from arguments. DEFAULT is the value if the argument
is missing: the value of the default form if that form is constant, otherwise NIL. Only the function itself may evaluate other default
forms, because they may have effects. For a supplied-p variable, OF is the variable that it belongs to."
  (let ((kind '&required) (found '()))
    (flet ((note (variable default of)
             (when (bindable-p variable) (push (list variable default of) found))))
      (dolist (parameter parameters)
        (cond ((member parameter lambda-list-keywords) (setf kind parameter))
              ((eq kind '&aux))
              ((atom parameter) (note parameter nil nil))
              (t (destructuring-bind (name &optional default supplied) parameter
                   (let ((variable (if (consp name) (second name) name)))
                     (note variable (and (constantp default) (ignore-errors (eval default))) nil)
                     (note supplied nil variable)))))))
    (remove-duplicates (nreverse found) :key #'first)))

;;; Reading

(defun condition-package (name)
  "Return the package in which the condition of a breakpoint on the function NAME is read."
  (or (symbol-package (breakpoint-symbol name)) (find-package '#:common-lisp-user)))

(defun read-condition (text package)
  "Return the only form in TEXT, read in PACKAGE. If TEXT is not exactly one form, signal an error with a message for the person. The
standard syntax is used, because breakpoints outlast the evaluations that change the syntax."
  (let ((*package* package) (*readtable* (with-standard-io-syntax *readtable*))
        (*read-base* 10) (*read-eval* nil) (*read-suppress* nil))
    (with-input-from-string (stream text)
      (let ((form (handler-case (read stream)
                    (end-of-file () (error "The condition is incomplete: a parenthesis or a quote is not closed.")))))
        (unless (eq stream (read stream nil stream)) (error "The condition must be a single form."))
        form))))

(defun condition-problem (text target)
  "Return a message for the person that explains why TEXT cannot be the condition of a breakpoint on the function that the text TARGET
names; NIL if it can. If the function does not exist yet, check only the syntax, so that nothing is interned."
  (let ((name (breakpoint-target target)))
    (if (and name (or (method-name-p name) (fboundp name)))
        (handler-case (progn (read-condition text (condition-package name)) nil)
          (error (condition) (message condition 500)))
        (multiple-value-bind (nodes problems) (read-nodes text)
          (cond (problems (third (first problems)))
                ((rest nodes) "The condition must be a single form.")
                ((null nodes) "The condition is empty. Enter a form."))))))
