;;;; Stops of code that did not fail: at the entry of a function with a breakpoint, and at the wish of the person.

(in-package #:lisp-workbench/debugger)

(sb-ext:defglobal *restorers* '())      ; (name definition . function): what ends that DEFINITION can be stepped through

(defun break-on-entry (name breakpoint)
  "Let the function NAME, on which BREAKPOINT is, break when it is called by code that a person debugs and its breakpoint's condition is met, and be stepped through
from there."
  (encapsulate name 'lisp-workbench-break
               (lambda (function &rest arguments)
                 (multiple-value-bind (stops failure)
                     (and *evaluation* (not (take-passing name)) (null *escape-from-debugger*) (steppable-p *evaluation*)
                          (stop-wanted breakpoint function arguments))
                   (if stops
                       (call-after-stop name function arguments failure)
                       (apply function arguments)))))
  (keep-type-of-encapsulated name))

(defvar *passing* nil "((name)): the next call is one of this generic function, and is not to stop at its breakpoint; (NIL) and NIL for none.")

(defun take-passing (name)
  "True where the call of the generic function NAME that comes now is not to stop, but those that it makes are."
  (and *passing* (equal (list name) (shiftf (first *passing*) nil))))

(defun call-after-stop (name function arguments failure)
  "Stop at the entry of FUNCTION, and return the values of the call that the person lets it go on to, or those they gave instead."
  (let ((values (multiple-value-list (stop-on-entry name (function-called name function) arguments failure))))
    (case (first values)
      (%call (let ((arguments (second values)))
               (if (generic-name-p name)
                   (call-generic-after-stop name function arguments)
                   (apply (steppable-definition name function) arguments))))
      (%call-whole (multiple-value-prog1 (apply function (second values)) (enable-stepping)))
      (t (values-list values)))))

(defun call-generic-after-stop (name function arguments)
  "Call the generic function NAME, which does FUNCTION at present, with ARGUMENTS: where the person goes on by a step, with its methods
compiled for debugging. What is put around a generic function stands within it, so that it is called anew for these."
  (cond ((and (not (lacking "stepping")) (stepping-enabled-p))
         (call-without-stepping
          (lambda () (push (make-steppable name arguments) (evaluation-restorers *evaluation*))))
         (let ((*passing* (list (list name)))) (apply (fdefinition name) arguments)))
        (t (apply function arguments))))

(defun function-called (name function)
  "Return the generic function NAME, of which FUNCTION is what it does at present, or FUNCTION where it is an ordinary one."
  (if (generic-name-p name) (fdefinition name) function))

(defun generic-name-p (name)
  (and (not (method-name-p name))
       (fboundp name) (typep (fdefinition name) 'generic-function)))

(defun stop-on-entry (name function arguments failure)
  "Stop in a frame of the function NAME with its ARGUMENTS. Return %CALL when FUNCTION is to be called, %CALL-WHOLE when the next step is
to be after that, with the arguments for it, which the person may have changed; or the values that the frame was made to return. The frame stands in for that of FUNCTION, which has none before it is
called. FAILURE tells of the breakpoint's condition, see STOP-WANTED."
  (let ((condition (make-condition 'function-entered :name name :arguments arguments :function function :failure failure)))
    (flet ((stop ()
             (with-simple-restart (continue "Call the function.") (invoke-debugger condition))
             (if (entered-whole condition) '%call-whole '%call)))
      (apply (or (ignore-errors (frame-on-entry name function arguments #'stop))
                 (lambda (&rest arguments) (values (stop) arguments)))
             arguments))))

(defun frame-on-entry (name function arguments stop)
  "Return a function called NAME that binds what FUNCTION binds of its ARGUMENTS, and calls STOP, whose value is its own; its second one are the
ARGUMENTS, with what its variables were set to."
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
                               ;; Variables that are not used afterwards are none to the debugger.
                               (multiple-value-prog1 (values (funcall ,stop) (funcall ,changed ,@variables))
                                 (funcall ,(constantly nil) ,given))))))))))))

(defun changed-arguments (arguments bound values)
  "Return ARGUMENTS, with those of VALUES that are no longer what their variables were BOUND to, see BOUND-PARAMETERS."
  (let ((changed (loop for (nil former place) in bound
                       for value in values
                       unless (eq former value) collect (list place value)))
        (new (copy-list arguments)))
    ;; The variable of the rest comes before those of its keys.
    (loop for (place value) in changed
          do (if (consp place)
                 (setf new (append (subseq new 0 (first place)) value))
                 (let ((cell (nthcdr place new))) (when cell (setf (first cell) value)))))
    new))

(defun parameters-of (function)
  "Return the lambda list of FUNCTION, which may be a method; NIL when SBCL does not know it."
  (let ((parameters (typecase function
                      (generic-function (sb-mop:generic-function-lambda-list function))
                      (method (sb-mop:method-lambda-list function))
                      (t (%fun-lambda-list function)))))
    (and (listp parameters) parameters)))

(defun bound-parameters (parameters arguments)
  "Return what the lambda list PARAMETERS binds of ARGUMENTS: (variable value place) each, the place its index among them, in a list where the
value is all from there on. Left out is what they do not give: only the function itself can tell what that will be."
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
  "Return what stands behind the breakpoint on NAME: FUNCTION, compiled for debugging where its source is known."
  (let ((known (assoc name *restorers* :test #'equal)))
    (cond ((not (fboundp name)) function)
          ((and known (eq function (second known))) function)
          (t (forget-steppable name)
             (let ((restorer (make-steppable name)))
               (push (list* name (fdefinition name) restorer) *restorers*))
             (fdefinition name)))))

(defun forget-steppable (name)
  "Undo what was done so that the function NAME can be stepped through from its breakpoint."
  (let ((known (assoc name *restorers* :test #'equal)))
    (when known
      (setf *restorers* (remove known *restorers*))
      (funcall (cddr known)))))

(define-condition function-entered (condition)
  ((name :initarg :name :reader entered-name)
   (arguments :initarg :arguments :reader entered-arguments)
   (function :initarg :function :reader entered-function)
   (failure :initarg :failure :reader entered-failure) ; words about a condition of the breakpoint that failed; NIL for none
   (whole :initform nil :accessor entered-whole)) ; true when the next step is to be after the call
  (:report (lambda (condition stream)
             (format stream "Breakpoint: ~{~S~^ ~} is called~:[ without arguments~;~:* with~{ ~S~}~].~@[ ~A~]"
                     (let ((name (entered-name condition)))
                       (if (method-name-p name) (method-name-words name) (list name)))
                     (entered-arguments condition) (entered-failure condition)))))

(defun break-in (evaluation)
  "Stop EVALUATION where it is, also one that would just end at an error. Whoever waits for its answer goes on waiting, unless it is
one that is held after its answer."
  (call-in-evaluation evaluation
                      (lambda ()
                        (with-simple-restart (continue "Continue.")
                          (let ((condition (make-condition 'interrupted)))
                            (if (held-on-error-p evaluation)
                                (invoke-debugger condition)
                                (with-engine-variables (enter-debugger evaluation condition))))))))
