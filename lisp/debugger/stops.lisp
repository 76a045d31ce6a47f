;;;; Stops in code that did not fail: at the entry of a function with a breakpoint, and when the person requests a break.

(in-package #:lisp-workbench/debugger)

(sb-ext:defglobal *restorers* '())      ; (name definition . function); FUNCTION restores DEFINITION, which was prepared for stepping

(defvar *stopping* '() "The breakpoints with a condition that is met for the innermost call of their function in this thread.")

(defmacro stopping-if ((met breakpoint) &body body)
  "Evaluate BODY, a call of the function of BREAKPOINT, so that its lines stop only if MET is true."
  `(let ((*stopping* (if ,met (adjoin ,breakpoint *stopping*) (remove ,breakpoint *stopping*)))) ,@body))

(defun break-on-entry (name breakpoint)
  "Make the function NAME, which has BREAKPOINT, break when code that the person debugs calls it and the breakpoint's condition is met. The
person can then step through the function."
  (encapsulate name 'lisp-workbench-break
               (lambda (function &rest arguments)
                 (multiple-value-bind (stops failure)
                     (and *evaluation* (not (take-passing name)) (null *escape-from-debugger*) (steppable-p *evaluation*)
                          (stop-wanted breakpoint function arguments))
                   (cond ((and (inner-lines breakpoint) (not (generic-name-p name)))
                          (stopping-if (stops breakpoint)
                            (if stops
                                (call-with-stops name breakpoint function arguments failure)
                                (apply function arguments))))
                         (stops (call-after-stop name function arguments failure))
                         (t (apply function arguments))))))
  (keep-type-of-encapsulated name))

(defvar *passing* nil "((name)) if the next call of the generic function NAME must not stop at its breakpoint; otherwise (NIL) or NIL.")

(defun take-passing (name)
  "Return true if the current call of the generic function NAME must not stop. Calls of NAME within this call still stop."
  (and *passing* (equal (list name) (shiftf (first *passing*) nil))))

(defun call-with-stops (name breakpoint function arguments failure)
  "Call FUNCTION, compiled so that it stops at the lines of BREAKPOINT. Stop at the entry too if one of these lines is the first one, or if
there is a message for the person: FAILURE, or a line at which the code cannot stop."
  (multiple-value-bind (code problem) (call-without-stepping (lambda () (code-with-stops name breakpoint function)))
    (if (or failure problem (stops-at-call-p breakpoint))
        (call-after-stop name code arguments (or failure problem))
        (apply code arguments))))

(defun call-after-stop (name function arguments failure)
  "Stop at the entry of FUNCTION. If the person continues, call FUNCTION and return its values. If the person makes the call return other
values, return those values."
  (let ((values (multiple-value-list (stop-on-entry name (function-called name function) arguments failure))))
    (case (first values)
      (%call (let ((arguments (second values)))
               (if (generic-name-p name)
                   (call-generic-after-stop name function arguments)
                   (apply (steppable-definition name function) arguments))))
      (%call-whole (multiple-value-prog1 (apply function (second values)) (enable-stepping)))
      (t (values-list values)))))

(defun call-generic-after-stop (name function arguments)
  "Call the generic function NAME, whose current code is FUNCTION, with ARGUMENTS. If the person continues with a step, compile the
function's methods for debugging and call NAME again, because FUNCTION would still use the old methods."
  (cond ((and (not (lacking "stepping")) (stepping-enabled-p))
         (call-without-stepping
          (lambda () (push (make-steppable name arguments) (evaluation-restorers *evaluation*))))
         (let ((*passing* (list (list name)))) (apply (fdefinition name) arguments)))
        (t (apply function arguments))))

(defun function-called (name function)
  "If NAME is the name of a generic function, return that generic function; FUNCTION is its current code. Otherwise return FUNCTION."
  (if (generic-name-p name) (fdefinition name) function))

(defun generic-name-p (name)
  (and (not (method-name-p name))
       (fboundp name) (typep (fdefinition name) 'generic-function)))

(defun stop-on-entry (name function arguments failure)
  "Stop in a frame that represents FUNCTION, named NAME, before it is called with ARGUMENTS. If the person continues, return two values:
%CALL to call FUNCTION, or %CALL-WHOLE to call it and take the next step after the call; and the argument list, which the person may have
changed. If the person makes the frame return other values, return those values. FAILURE describes a failure of the breakpoint's condition,
see STOP-WANTED."
  (let ((condition (make-condition 'function-entered :name name :arguments arguments :function function :failure failure)))
    (flet ((stop ()
             (with-simple-restart (continue "Call the function.") (invoke-debugger condition))
             (if (entered-whole condition) '%call-whole '%call)))
      (apply (or (ignore-errors (frame-on-entry name function arguments #'stop))
                 (lambda (&rest arguments) (values (stop) arguments)))
             arguments))))

(defun frame-on-entry (name function arguments stop)
  "Return a function called NAME that binds the same variables as FUNCTION to its ARGUMENTS, and calls STOP. The function returns the value
of STOP, and ARGUMENTS with the changes that were made to the variables."
  (let* ((bound (bound-parameters (parameters-of function) arguments))
         (variables (mapcar #'first bound))
         (value-of (lambda (variable) (second (assoc variable bound))))
         (changed (lambda (&rest values) (changed-arguments arguments bound values)))
         (given (make-symbol "ARGUMENTS")))
    (without-recording
      (let ((*source-plist* '()))
        (funcall
         (handler-bind ((warning #'muffle-warning))
           (compile nil `(lambda ()
                           (declare (optimize (debug 3)) (sb-ext:muffle-conditions sb-ext:compiler-note))
                           (named-lambda ,name (&rest ,given)
                             (let ,(loop for variable in variables collect `(,variable (funcall ,value-of ',variable)))
                               ;; The variables are used after the stop, because the debugger does not display variables that are no longer
                               ;; used.
                               (multiple-value-prog1 (values (funcall ,stop) (funcall ,changed ,@variables))
                                 (funcall ,(constantly nil) ,given))))))))))))

(defun changed-arguments (arguments bound values)
  "Return ARGUMENTS with the changes made to the variables. VALUES are the variables' current values, and BOUND describes the original ones;
each value that differs replaces its argument. See BOUND-PARAMETERS."
  (let ((changed (loop for (nil former place) in bound
                       for value in values
                       unless (eq former value) collect (list place value)))
        (new (copy-list arguments)))
    ;; The &REST variable must come before the keyword variables.
    (loop for (place value) in changed
          do (if (consp place)
                 (setf new (append (subseq new 0 (first place)) value))
                 (let ((cell (nthcdr place new))) (when cell (setf (first cell) value)))))
    new))

(defun parameters-of (function)
  "Return the lambda list of FUNCTION, which may be a method; NIL if SBCL does not know it."
  (let ((parameters (typecase function
                      (generic-function (sb-mop:generic-function-lambda-list function))
                      (method (sb-mop:method-lambda-list function))
                      (t (%fun-lambda-list function)))))
    (and (listp parameters) parameters)))

(defun bound-parameters (parameters arguments)
  "Return (variable value place) for each variable that the lambda list PARAMETERS binds from ARGUMENTS. PLACE is the index of the argument
in ARGUMENTS. If the value is the list of all arguments from an index on, PLACE is a list of that index. Parameters without an argument are
left out, because only the function itself can compute their values."
  (let ((kind '&required) (rest arguments) (index 0) (bound '()))
    (flet ((bind (variable value place)
             (when (bindable-p variable) (push (list variable value place) bound))))
      (dolist (parameter parameters (nreverse bound))
        (cond ((member parameter lambda-list-keywords) (setf kind parameter))
              ((member kind '(&required &optional))
               (when rest
                 (bind (if (consp parameter) (first parameter) parameter) (pop rest) index)
                 (incf index)))
              ((member kind '(&rest &body)) (bind parameter rest (list index)))
              ((eq kind '&key)
               (let* ((name (if (consp parameter) (first parameter) parameter))
                      (at (loop for tail on rest by #'cddr
                                for at from (1+ index) by 2
                                when (and (rest tail) (eq (first tail) (keyword-of parameter))) return at)))
                 (when at (bind (if (consp name) (second name) name) (nth at arguments) at)))))))))

(defun bindable-p (symbol)
  (and symbol (symbolp symbol) (member (info :variable :kind symbol) '(:unknown :special))))

(defun steppable-definition (name function)
  "Return the function to call after the breakpoint on NAME: FUNCTION, compiled for debugging if its source is known."
  (let ((known (assoc name *restorers* :test #'equal)))
    (cond ((not (fboundp name)) function)
          ((and known (eq function (second known))) function)
          (t (forget-steppable name)
             (let ((restorer (make-steppable name)))
               (push (list* name (fdefinition name) restorer) *restorers*))
             (fdefinition name)))))

(defun forget-steppable (name)
  "Restore the function NAME, which its breakpoint prepared for stepping."
  (let ((known (assoc name *restorers* :test #'equal)))
    (when known
      (setf *restorers* (remove known *restorers*))
      (funcall (cddr known)))))

(define-condition function-entered (condition)
  ((name :initarg :name :reader entered-name)
   (arguments :initarg :arguments :reader entered-arguments)
   (function :initarg :function :reader entered-function)
   (failure :initarg :failure :reader entered-failure) ; a message that the breakpoint's condition failed; NIL if it did not fail
   (whole :initform nil :accessor entered-whole)) ; true if the next step must be after the call
  (:report (lambda (condition stream)
             (format stream "Breakpoint: ~{~S~^ ~} is called~:[ without arguments~;~:* with~{ ~S~}~].~@[ ~A~]"
                     (let ((name (entered-name condition)))
                       (if (method-name-p name) (method-name-words name) (list name)))
                     (entered-arguments condition) (entered-failure condition)))))

(defun break-in (evaluation)
  "Stop EVALUATION in the debugger at its current point, even if it would normally end at an error. The client still waits for the reply,
unless the evaluation was already answered and is held."
  (call-in-evaluation evaluation
                      (lambda ()
                        (with-simple-restart (continue "Continue.")
                          (let ((condition (make-condition 'interrupted)))
                            (if (held-on-error-p evaluation)
                                (invoke-debugger condition)
                                (with-engine-variables (enter-debugger evaluation condition))))))))
