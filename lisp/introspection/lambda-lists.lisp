;;;; Lambda lists as people write them.

(in-package #:lisp-workbench/introspection)

(defun lambda-list-text (function &key short)
  "(A B &OPTIONAL C), in the current package, all of it unless SHORT; NIL when SBCL does not know."
  (multiple-value-bind (lambda-list known)
      (handler-case (values (function-lambda-list function) t)
        (error () (values nil nil)))
    (and known (printed-lambda-list lambda-list :short short))))

(defun printed-lambda-list (lambda-list &key short)
  (if (null lambda-list)
      "()"
      (print-short (tidy lambda-list) (if short 1000 4000) :whole (not short))))

(defun tidy (lambda-list)
  "LAMBDA-LIST without what nobody wrote: variables from SBCL's own packages show their name alone, and the parameters of a
structure's constructor, ((:X X) NIL), are X."
  (cond ((null lambda-list) '())
        ((atom lambda-list) (plain-variable lambda-list))
        (t (cons (tidy-parameter (first lambda-list)) (tidy (rest lambda-list))))))

(defun tidy-parameter (parameter)
  (cond ((atom parameter) (plain-variable parameter))
        ((constructor-parameter-p parameter)
         (let ((variable (plain-variable (second (first parameter)))))
           (if (member (rest parameter) '(() (nil)) :test #'equal)
               variable
               (cons variable (rest parameter)))))
        ((nested-lambda-list-p parameter) (tidy parameter))
        ((symbolp (first parameter)) (cons (plain-variable (first parameter)) (rest parameter)))
        (t parameter)))

(defun nested-lambda-list-p (parameter)
  "Whether PARAMETER, of a macro, is a lambda list itself beyond doubt."
  (loop for rest = parameter then (rest rest)
        while (consp rest)
          thereis (and (symbolp (first rest)) (member (first rest) lambda-list-keywords))))

(defun constructor-parameter-p (parameter)
  (let ((names (first parameter)))
    (and (consp names) (keywordp (first names)) (consp (rest names)) (symbolp (second names))
         (string= (first names) (second names)))))

(defun plain-variable (variable)
  "VARIABLE, or something that prints as its bare name when its package would show."
  (if (and (symbolp variable) variable (not (keywordp variable))
           (not (eq variable (find-symbol (symbol-name variable) *package*)))
           (not (member variable lambda-list-keywords)))
      (make-bare-name :text (symbol-name variable))
      variable))

(defstruct bare-name text)

(defmethod print-object ((name bare-name) stream)
  (write-string (bare-name-text name) stream))
