;;;; Traces methods. SBCL calls MAYBE-TRACE-METHOD to get the function of each method that it puts into an effective method, also after a
;;;; redefinition. For a traced method, the advice in this file returns a function that reports the call.

(in-package #:lisp-workbench/profiling)

(sb-ext:defglobal *traced* '())         ; names of traced methods and functions, such as FOO, (SETF FOO), (METHOD FOO :AROUND (INTEGER)),
                                        ; latest first
(sb-ext:defglobal *traced-methods* '()) ; (generic-function . name) for each method, with NAME in the form of METHOD-TARGET

(defun traceable-method-name (text node)
  "Return the name, in the form of TRACE, of the method that TEXT refers to. NODE is the node of TEXT. If the method cannot be traced,
return NIL and the reason."
  (let ((target (method-target text node)))
    (cond ((null target) (values nil "There is no such name."))
          ((null (named-method target)) (values nil "There is no such method."))
          ((lacking "breakpoints on methods") (values nil "This SBCL cannot trace a method."))
          (t (method-name-words target)))))

(defun method-names (name)
  "Return the names of the methods of the generic function NAME, in the form of TRACE."
  (let ((function (fdefinition name)))
    (when (typep function 'generic-function)
      (loop for method in (visible-methods (sb-mop:generic-function-methods function))
            collect `(method ,name ,@(qualifiers-of method) ,(specializer-names method))))))

(defun target-of (name)
  "Convert NAME, the name of a method in the form of TRACE, to the form of METHOD-TARGET."
  (cons :method (rest name)))

(defun trace-method (name)
  (unless (or (lacking "breakpoints on methods") (traced-method-p name))
    (let ((function (fdefinition (second name))))
      (advise-traced-methods)
      (setf *traced-methods* (acons function (target-of name) (remove (target-of name) *traced-methods* :key #'rest :test #'equal)))
      (forget-effective-methods function)))
  (pushnew name *traced* :test #'equal))

(defun untrace-method (name)
  (let ((entry (find (target-of name) *traced-methods* :key #'rest :test #'equal)))
    (when entry
      (setf *traced-methods* (remove entry *traced-methods*))
      (ignore-errors (forget-effective-methods (first entry))))))

(defun traced-method-p (name)
  "Return true if the method NAME is traced and still exists."
  (let ((entry (find (target-of name) *traced-methods* :key #'rest :test #'equal)))
    (and entry
         (fboundp (second name))
         (eq (first entry) (fdefinition (second name)))
         (named-method (rest entry)))))

(defun advise-traced-methods ()
  (unless (encapsulated-p 'maybe-trace-method 'lisp-workbench-trace)
    (install-advice 'maybe-trace-method 'lisp-workbench-trace
                 (lambda (function generic method code fast)
                   (let ((code (funcall function generic method code fast)))
                     ;; Nearly all calls are to untraced functions. The check must not call a function that would lead back to this code.
                     (if (assoc generic *traced-methods* :test #'eq)
                         (telling-method-function generic method code fast)
                         code))))))

(defun telling-method-function (generic method code fast)
  "Return CODE if METHOD is not traced. Otherwise return a function that calls CODE and reports the call. With FAST, CODE takes two internal
arguments of SBCL followed by the method's arguments; otherwise CODE takes a list of the arguments and a list of the next methods."
  (let ((entry (find-if (lambda (entry) (and (eq (first entry) generic) (names-method-p (rest entry) method))) *traced-methods*)))
    (if (null entry)
        code
        (let ((name (method-name-words (rest entry))))
          (if fast
              (lambda (slots next &rest arguments)
                (call-told name (lambda (&rest arguments) (apply code slots next arguments)) arguments))
              (lambda (arguments next-methods &rest more)
                (call-told name (lambda (&rest arguments) (apply code arguments next-methods more)) arguments)))))))
