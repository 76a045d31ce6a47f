;;;; Calls the function of a restarted frame again: a function, or a method with the next methods that the generic function would pass to
;;;; it.

(in-package #:lisp-workbench/debugger)

(defun frame-function (frame name)
  "Return the current definition of FRAME's function NAME as a function that stops at its breakpoint. Refuse a frame that cannot be called
again."
  (cond ((and (consp name) (eq (first name) :method)) (method-caller (or (named-method name) (refuse-again))))
        ((and (or (symbolp name) (and (consp name) (eq (first name) 'setf))) (fboundp name)) (fdefn-function name))
        ;; SBCL finds the code of a closure, but not the values that it closes over.
        ((and (consp name) (eq (first name) 'lambda))
         (refuse "A function without a name cannot be called again. Return a value from its frame, or restart an outer frame."))
        ((debug-fun-fun (frame-debug-fun frame)))
        (t (refuse-again))))

(defun refuse-again ()
  (refuse "The function of this frame is not available, so it cannot be called again. Return a value from the frame, or restart an outer frame."))

(defun local-name-p (name)
  "Return true if NAME is the name of a local function, such as (FLET X :IN Y). For the frame of a local function, SBCL uses the enclosing
function, and corrupts the stack when such a frame returns."
  (and (consp name)
       (member (first name) '(flet labels lambda))
       (or (not (eq (first name) 'lambda))
           (let ((owner (getf (cddr name) :in))) (and owner (not (stringp owner)))))))

(defun method-caller (method)
  "Return a function that calls METHOD with the next methods for its arguments, and stops at METHOD's breakpoint."
  (when (and (equal (qualifiers-of method) '(:around)) (not (standard-combination-p (sb-mop:method-generic-function method))))
    (refuse "An :AROUND method of this method combination cannot be called again. Return a value from its frame."))
  (lambda (&rest arguments)
    (let* ((methods (compute-applicable-methods (sb-mop:method-generic-function method) arguments))
           (next (next-methods method methods))
           (entry (breakpoint-on-method method)))
      (flet ((call (arguments) (call-method-with method arguments next)))
        (if entry
            (call-method-to-stop (first entry) (rest entry) method arguments #'call (lambda () next))
            (call arguments))))))

(defun standard-combination-p (function)
  (eq 'standard (ignore-errors (method-combination-type-name (sb-mop:generic-function-method-combination function)))))

(defun call-method-with (method arguments next-methods)
  (funcall (sb-mop:method-function method) arguments next-methods))

(defun next-methods (method methods)
  "Return those of METHODS, the applicable methods in order, that METHOD can call as next methods. If there are :AROUND methods, a single
function represents all methods that follow the last one."
  (let ((qualifiers (qualifiers-of method)))
    (cond ((null qualifiers) (rest (member method (qualified '() methods))))
          ((equal qualifiers '(:around))
           (append (rest (member method (qualified '(:around) methods)))
                   (list (lambda (arguments more) (declare (ignore more)) (call-inner-methods methods arguments))))))))

(defun qualified (qualifiers methods)
  (remove qualifiers methods :key #'qualifiers-of :test-not #'equal))

(defun call-inner-methods (methods arguments)
  "Call those of METHODS that are not :AROUND methods. Return the values of the primary method."
  (dolist (method (qualified '(:before) methods)) (call-method-with method arguments '()))
  (destructuring-bind (primary &rest next-methods) (qualified '() methods)
    (multiple-value-prog1 (call-method-with primary arguments next-methods)
      (dolist (method (reverse (qualified '(:after) methods))) (call-method-with method arguments '())))))
