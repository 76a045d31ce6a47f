;;;; Finds the places of functions and methods, including the slot accessors and other functions that DEFSTRUCT, DEFCLASS and
;;;; DEFINE-CONDITION create without a form of their own. SBCL records the form that created such a function, or the form of the slot; the
;;;; exact place is then searched for within that form.

(in-package #:lisp-workbench/introspection)

(defun function-place (name function symbol)
  "Return the place of the function NAME, which is SYMBOL or (SETF SYMBOL). If NAME is a generic function without a DEFGENERIC form, return
the place of its first method."
  (let* ((source (first-source function))
         (method (and (not (tells-something-p source)) (first-method-with-place function))))
    (multiple-value-bind (structure part) (structure-of-function name)
      (cond (method (method-place method symbol))
            (structure
             (place-with source structure
                         (lambda (top numbered structure)
                           (or (naming-definition top (certain numbered) symbol)
                               (structure-part (or (and (not (certain numbered)) (class-node top structure))
                                                   (definition-node top numbered structure))
                                               part symbol)))))
            (t (definition-place source symbol))))))

(defun first-method-with-place (function)
  (and (typep function 'generic-function)
       (find-if (lambda (method) (tells-something-p (first-source method)))
                (ignore-errors (visible-methods (sb-mop:generic-function-methods function))))))

(defun method-place (method symbol)
  "Return the place of METHOD, a method of SYMBOL's function. If SBCL records only the surrounding DEFGENERIC or DEFCLASS, find the exact
option or slot in it."
  (let ((class (class-with-slot-of method)))
    (flet ((find-node (top numbered owner)
             (declare (ignore owner))
             (if class
                 (slot-node (or (certain numbered) (class-node top class) (definition-node top nil class)) symbol)
                 (let ((node (definition-node top numbered symbol)))
                   (cond ((and (equal "DEFGENERIC" (operator-name node))
                               (find-if (lambda (option) (option-of-method-p option method)) (node-children node))))
                         ((and (definition-node-p node) (node-defines-p node symbol)) node)
                         (t (slot-node node symbol))))))) ; the slot of a condition
      (place-with (first-source method) (or class symbol) #'find-node (code-of-method method)))))

(defun code-of-method (method)
  "Return the source of METHOD's own function. Return NIL if there is none, which means that a slot definition created METHOD."
  (unless (or (typep method 'sb-mop:standard-accessor-method) (lacking "who-calls and other cross references"))
    (let ((source (first-source (ignore-errors (%method-function-fast-function (sb-mop:method-function method))))))
      (and (tells-something-p source) source))))

(defun class-with-slot-of (method)
  "Return the name of the class whose slot definition created METHOD. Return NIL for a method with its own definition."
  (and (typep method 'sb-mop:standard-accessor-method)
       (let ((class (first (last (sb-mop:method-specializers method)))))
         (and (typep class 'class) (class-name class)))))

;;; Slots of classes and conditions

(defun class-node (node class)
  "Return the form in NODE that defines CLASS with a standard operator, or NIL if there is none."
  (find-node-within node (lambda (list)
                           (and (member (operator-name list) '("DEFCLASS" "DEFSTRUCT" "DEFINE-CONDITION") :test #'equal)
                                (second (node-children list))
                                (naming-node-p (second (node-children list)) (symbol-name class))))))

(defun slot-node (node symbol)
  "Return the slot in NODE whose reader, writer or accessor is SYMBOL. Return NODE if there is none."
  (or (find-node-within node (lambda (list) (accessor-option-p list symbol))) node))

(defun find-node-within (node test)
  "Return the first list that satisfies TEST: NODE itself or a list within NODE."
  (labels ((look (node depth)
             (when (member (node-kind node) '(:list :quote :quasiquote :unquote))
               (if (and (eq :list (node-kind node)) (funcall test node))
                   node
                   (and (< depth 12)
                        (some (lambda (child) (look child (1+ depth))) (node-children node)))))))
    (look node 0)))

(defun accessor-option-p (list symbol)
  "Return true if LIST contains :READER, :WRITER or :ACCESSOR followed by SYMBOL or (SETF SYMBOL)."
  (loop for (option name) on (node-children list)
        thereis (and name
                     (eq :token (node-kind option))
                     (member (node-name option) '("READER" "WRITER" "ACCESSOR") :test #'string=)
                     (equal "" (node-prefix option))
                     (naming-node-p name (symbol-name symbol)))))

;;; Structures

(defun structure-of-function (name)
  "Return two values: the name of the structure whose DEFSTRUCT created the function NAME; and the function's role: a slot's name,
:PREDICATE, :COPIER or :CONSTRUCTOR. Return NIL for any other function."
  (let* ((transform (and (not (lacking "functions of structures")) (ignore-errors (info :function :source-transform name))))
         (part (and (consp transform) (typep (car transform) 'defstruct-description) (cdr transform))))
    (cond ((null part) nil)
          ((keywordp part) (values (dd-name (car transform)) part))
          (t (values (dd-name (car transform)) (dsd-name part))))))

(defun structure-part (node part symbol)
  "Return the slot or option in NODE that created SYMBOL's function. NODE is a DEFSTRUCT or a form that expands to one. Return NODE if no
slot or option created the function."
  (or (if (keywordp part)
          (find-node-within node (lambda (list)
                                   (and (equal (operator-name list) (symbol-name part))
                                        (second (node-children list))
                                        (naming-node-p (second (node-children list)) (symbol-name symbol)))))
          (find-if (lambda (child) (and (member (node-kind child) '(:token :list))
                                        (naming-node-p child (symbol-name part))))
                   (cddr (node-children node))))
      node))
