;;;; Interpreted code does not test for the guard itself: what stands before it does.

(in-package #:lisp-workbench/definitions)

(defun lend-second-argument (original name function &rest more)
  (apply original name
         (if (or (to-be-lent-p function) (changed-since-compiled-p function)) (lend-function function) function)
         more))

(defun lend-expander (original function &rest more)
  "Store FUNCTION, which expands forms, by ORIGINAL: lent to its author where no test of its own knows its form. It
may also be a closure of SBCL's, or of a library, over forms of the agent; and a function that is named for something
else, or takes any number of arguments, has no such test."
  (let ((authors (and *guard* (functionp function) (function-authors function))))
    (apply original
           (if (or (to-be-lent-p function) ; or what has methods, which know of no form
                   (and *guard* (functionp function)
                        (if authors
                           (not (named-for-expanding-p function))
                           (or (closurep function) (typep function 'sb-mop:funcallable-standard-object)))))
               (lend-function function (first authors))
               function)
           more)
    function))                          ; SETF gives what was set

(defun named-for-expanding-p (function)
  "True when the entry of FUNCTION, by the name that the compiler gave it, knows that it expands forms: see
ENTRY-KIND."
  (let ((name (%fun-name function)))
    (cond ((atom name) nil)
          ((eq 'lambda (first name)) (and (listp (second name)) (null (intersection lambda-list-keywords (second name)))))
          (t t))))

(defun to-be-lent-p (function)
  "True when FUNCTION is interpreted. Functions of compiled files have tests of their own, or belong to the authors
of their files; one before them would hide their lambda lists, their callers and their code from everybody."
  (and *guard*
       (not (lacking "keeping the guard on what agents defined"))
       (functionp function)
       (not (typep function 'generic-function))
       (null (function-authors function))
       (not (compiled-function-p function))))

(defun changed-since-compiled-p (function)
  "True when FUNCTION is of a file that guarded code put where it is and has no test: then the file was changed after
it was compiled, or compiled elsewhere."
  (and *guard*
       (not (lacking "keeping the guard on what agents defined"))
       (compiled-function-p function)
       (loading-unseen-p)
       (null (function-authors function))))

(sb-ext:defglobal *unseen-load* (list nil)) ; (truename . whether guarded code put it there) of the file that was loaded latest

(defun loading-unseen-p ()
  (let ((truename *load-truename*) (latest *unseen-load*))
    (and truename
         (if (eq truename (first latest))
             (rest latest)
             (rest (setf *unseen-load* (cons truename (made-unseen-p truename))))))))

(defun lend-method (function method)
  "Give METHOD the guard, if it is to be lent; the method that is there then."
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
