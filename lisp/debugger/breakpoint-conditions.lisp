;;;; Conditions of breakpoints: forms in the parameters of a function, true at those calls that are to stop. A condition is read when the
;;;; person sets it, so that faults are told at once, and compiled at the first call, when the function with its parameters is there.

(in-package #:lisp-workbench/debugger)

(defstruct (stop-test (:copier nil) (:predicate nil))
  "A condition as it is compiled for a function with the lambda list PARAMETERS. VARIABLES are those of TEST-VARIABLES."
  parameters variables function)

(defmacro without-handlers (&body body)
  "Run BODY out of sight of the handlers around it. In an SBCL that lacks the means they see what BODY does not handle."
  `(call-without-handlers (lambda () ,@body)))

(defun call-without-handlers (function)
  (if (lacking "keeping the handlers of code from conditions of its breakpoints")
      (funcall function)
      (let ((*handler-clusters* **initial-handler-clusters**)) (funcall function))))

(defun stop-wanted (breakpoint function arguments)
  "Return whether BREAKPOINT stops its FUNCTION, which is called with ARGUMENTS, and words about its condition where that stops since it cannot
be read or fails."
  (if (and (breakpoint-name breakpoint) (breakpoint-when breakpoint))
      (condition-met breakpoint (function-called (breakpoint-name breakpoint) function) arguments)
      (values t nil)))

(defun condition-met (breakpoint function arguments)
  "Return the values of STOP-WANTED for BREAKPOINT, which has a condition. That runs as the code that calls FUNCTION: guarded where it is.
It enters no debugger, so no breakpoint either, takes no step, signals nothing to that code, and waits for no word of the person: an effect
that needs one is an error."
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
      (t (values t (format nil "Its condition ~A ~A: ~A" (breakpoint-when breakpoint) failure why))))))

(defun muffle-where-possible (warning)
  (let ((restart (find-restart 'muffle-warning warning)))
    (when restart (invoke-restart restart))))

(defun stop-test (breakpoint function)
  "Return the condition of BREAKPOINT, compiled for FUNCTION. What guarded code compiles is guarded for good, so it has one of its own."
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
  "FORM with VARIABLES under their names in PACKAGE too: the methods of a generic function may be of other packages."
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
  "Return the variables that the lambda list PARAMETERS binds from arguments: (variable default of) each. A parameter that is not given is
its DEFAULT, the value of the form that PARAMETERS has for it where that is constant, else NIL: the form may do anything, and is the
function's own to evaluate. OF a variable that tells whether another one is given is that other one."
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
  "Return the form that TEXT consists of, read in PACKAGE. Signals an error in words for the person where it is none. The syntax is the
standard's: breakpoints outlast the evaluations that have another."
  (let ((*package* package) (*readtable* (with-standard-io-syntax *readtable*))
        (*read-base* 10) (*read-eval* nil) (*read-suppress* nil))
    (with-input-from-string (stream text)
      (let ((form (handler-case (read stream)
                    (end-of-file () (error "It is not complete: a parenthesis or a quote is left open.")))))
        (unless (eq stream (read stream nil stream)) (error "It is more than one form."))
        form))))

(defun condition-problem (text target)
  "Return why TEXT cannot be the condition of a breakpoint on the function that the text TARGET means, in words for the person; NIL when it
can. Where there is no such function yet, its syntax alone is looked at, so that nothing is interned."
  (let ((name (breakpoint-target target)))
    (if (and name (or (method-name-p name) (fboundp name)))
        (handler-case (progn (read-condition text (condition-package name)) nil)
          (error (condition) (message condition 500)))
        (multiple-value-bind (nodes problems) (read-nodes text)
          (cond (problems (third (first problems)))
                ((rest nodes) "It is more than one form.")
                ((null nodes) "It has no form."))))))
