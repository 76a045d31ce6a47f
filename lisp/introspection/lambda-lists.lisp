;;;; Prints lambda lists the way they were written in the source, without details that SBCL added.

(in-package #:lisp-workbench/introspection)

(defun lambda-list-text (function &key short)
  "Return the lambda list of FUNCTION as text, such as (A B &OPTIONAL C), in the current package. With SHORT, limit its length. Return NIL
if SBCL does not know it."
  (multiple-value-bind (lambda-list unknown)
      (handler-case (function-lambda-list function)
        (error () (values nil t)))
    (if unknown nil (printed-lambda-list lambda-list :short short))))

(defun printed-lambda-list (lambda-list &key short)
  (if (null lambda-list)
      "()"
      (print-code (tidy lambda-list) (if short 1000 4000) :whole (not short))))

(defun print-code (form limit &key whole)
  "Print FORM as PRINT-SHORT does. If the compiler merged equal parts into one object, print the part each time it occurs."
  (print-short form limit :whole whole :circle (not (plain-tree-p form))))

(defconstant +most-conses+ 2000)

(defun plain-tree-p (form)
  "Return true if FORM can be printed without labels for shared parts, because it is a tree of conses of limited size whose leaves have no
parts."
  (let ((left +most-conses+))
    (labels ((plain-p (part)
               (cond ((consp part)
                      (and (plusp (decf left))
                           (plain-p (car part))
                           (plain-p (cdr part))))
                     (t (typep part '(or symbol number character string pathname function package bare-name))))))
      (plain-p form))))

(defun tidy (lambda-list)
  "Return LAMBDA-LIST without details that were not in the source: print variables from SBCL's own packages without the package, and ((:X X)
NIL), a parameter of a structure's constructor, as X."
  (tidy-rest lambda-list nil))

(defun tidy-rest (rest defaults)
  "Return REST, the remainder of a lambda list, tidied as TIDY does. With DEFAULTS, a list in REST is a parameter with its default;
otherwise it is a nested lambda list of a macro."
  (cond ((null rest) '())
        ((atom rest) (plain-variable rest))
        (t (let ((parameter (first rest)))
             (cons (if (or defaults (atom parameter)) (tidy-parameter parameter) (tidy parameter))
                   (tidy-rest (rest rest) (if (member parameter lambda-list-keywords)
                                              (and (member parameter '(&optional &key &aux)) t)
                                              defaults)))))))

(defun tidy-parameter (parameter)
  (cond ((atom parameter) (plain-variable parameter))
        ((constructor-parameter-p parameter)
         (let ((variable (plain-variable (second (first parameter)))))
           (if (member (rest parameter) '(() (nil)) :test #'equal)
               variable
               (cons variable (rest parameter)))))
        ((nested-lambda-list-p parameter) (tidy parameter))
        ((symbolp (first parameter)) (cons (plain-variable (first parameter)) (rest parameter)))
        ((keyword-parameter-p parameter)
         (destructuring-bind ((keyword variable) . rest) parameter
           (cons (list keyword (plain-variable variable)) rest)))
        (t parameter)))

(defun nested-lambda-list-p (parameter)
  "Return true if PARAMETER, a macro parameter, is certainly a nested lambda list."
  (loop for rest = parameter then (rest rest)
        while (consp rest)
          thereis (and (symbolp (first rest)) (member (first rest) lambda-list-keywords))))

(defun keyword-parameter-p (parameter)
  "Return true if PARAMETER specifies its keyword, as in ((:KEY VARIABLE) DEFAULT)."
  (let ((names (first parameter)))
    (and (consp names) (consp (rest names)) (null (cddr names)) (symbolp (second names)))))

(defun constructor-parameter-p (parameter)
  (let ((names (first parameter)))
    (and (consp names) (keywordp (first names)) (consp (rest names)) (symbolp (second names))
         (string= (first names) (second names)))))

(defun plain-variable (variable)
  "Return VARIABLE. If its package would be printed, return an object that prints as the variable's name only."
  (if (and (symbolp variable) variable (not (keywordp variable))
           (not (eq variable (find-symbol (symbol-name variable) *package*)))
           (not (member variable lambda-list-keywords)))
      (make-bare-name :text (symbol-name variable))
      variable))

(defstruct bare-name text)

(defmethod print-object ((name bare-name) stream)
  (write-string (bare-name-text name) stream))
