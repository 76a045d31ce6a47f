;;;; Functions put before interpreted code, and before some expanders, that turn the guard on, since these do not test for it themselves.

(in-package #:lisp-workbench/definitions)

(defun install-expanders ()
  "Turn the guard on in the functions that guarded code stores as functions and expanders."
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
  "Store FUNCTION as an expander, with a function before it that turns the guard on, when its own entry would not. It may be a closure of
SBCL's, or of a library, over the agent's forms; and the entry of a function that is named for something else, or takes any number of
arguments, does not know that it expands forms."
  (let ((authors (and *guard* (functionp function) (function-authors function))))
    (apply original
           (if (or (to-be-lent-p function) ; or a generic function, whose methods know of no form
                   (and *guard* (functionp function)
                        (if authors
                           (not (named-for-expanding-p function))
                           (or (closurep function) (typep function 'sb-mop:funcallable-standard-object)))))
               (lend-function function (first authors))
               function)
           more)
    function))                          ; SETF gives what was set

(defun named-for-expanding-p (function)
  "True when the entry of FUNCTION knows that it expands forms, by the name that the compiler gave FUNCTION; see ENTRY-KIND."
  (let ((name (%fun-name function)))
    (cond ((atom name) nil)
          ((eq 'lambda (first name)) (and (listp (second name)) (null (intersection lambda-list-keywords (second name)))))
          (t t))))

(defun to-be-lent-p (function)
  "True when FUNCTION needs a function before it that turns the guard on: an interpreted one. Functions of compiled files have tests of their
own, or belong to the authors of their files; another function before them would hide their lambda lists, callers and code."
  (and *guard*
       (following-p)
       (functionp function)
       (not (typep function 'generic-function))
       (null (function-authors function))
       (not (compiled-function-p function))))

(defun lend-method (function method)
  "Replace METHOD by one that turns the guard on, when it needs that; return the method that is there then."
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
