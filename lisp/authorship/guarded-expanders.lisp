;;;; Wraps interpreted functions and some expanders in functions that turn the guard on, because their own entries do not.

(in-package #:lisp-workbench/definitions)

(defun install-expanders ()
  "Make the functions and expanders that guarded code stores run with the guard on."
  (surround '%defmacro 'lisp-workbench-authors #'lend-second-argument)
  (surround '%define-compiler-macro 'lisp-workbench-authors #'lend-second-argument)
  (surround '%defun 'lisp-workbench-authors #'lend-second-argument)
  (surround '(setf macro-function) 'lisp-workbench-authors #'lend-expander)
  (surround '(setf compiler-macro-function) 'lisp-workbench-authors #'lend-expander))

(defun lend-second-argument (original name function &rest more)
  (apply original name
         (if (to-be-lent-p function) (lend-function function) function)
         more))

(defun lend-expander (original function &rest more)
  "Store FUNCTION as an expander. If its own entry would not turn the guard on, wrap FUNCTION in a function that does. FUNCTION may be a
closure that SBCL or a library created around the agent's forms. FUNCTION also needs a wrapper if it has another name or takes any number of
arguments, because its entry then cannot detect that it expands forms."
  (let ((authors (and *guard* (functionp function) (function-authors function))))
    (apply original
           (if (or (to-be-lent-p function) ; also for a generic function, because its methods cannot detect that they expand forms
                   (and *guard* (functionp function)
                        (if authors
                           (not (named-for-expanding-p function))
                           (or (closurep function) (typep function 'sb-mop:funcallable-standard-object)))))
               (lend-function function (first authors))
               function)
           more)
    function))                          ; SETF functions return the new value

(defun named-for-expanding-p (function)
  "Return true if the entry of FUNCTION can detect that FUNCTION expands forms, from the name that the compiler assigned; see ENTRY-KIND."
  (let ((name (%fun-name function)))
    (cond ((atom name) nil)
          ((eq 'lambda (first name)) (and (listp (second name)) (null (intersection lambda-list-keywords (second name)))))
          (t t))))

(defun to-be-lent-p (function)
  "Return true if FUNCTION is interpreted, which means that it needs a wrapper that turns the guard on. Functions of compiled files have
their own tests, or belong to the authors of their files. A wrapper would hide their lambda lists, callers and code."
  (and *guard*
       (following-p)
       (functionp function)
       (not (typep function 'generic-function))
       (null (function-authors function))
       (not (compiled-function-p function))))

(defun lend-method (function method)
  "If METHOD needs a guard, replace it by a method that turns the guard on. Return the installed method."
  (if (and (eq (class-of method) (find-class 'standard-method)) (to-be-lent-p (method-code method)))
      (let ((lent (make-instance 'standard-method
                                 :qualifiers (method-qualifiers method)
                                 :specializers (sb-mop:method-specializers method)
                                 :lambda-list (sb-mop:method-lambda-list method)
                                 :documentation (documentation method t)
                                 :function (lend-function (sb-mop:method-function method)))))
        (without-recording (add-method function lent))
        lent)
      method))
