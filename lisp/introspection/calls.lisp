;;;; The calls around a position in a text, and the parameters of their operators.

(in-package #:lisp-workbench/introspection)

(defstruct description
  operator kind lambda-list documentation)

;;; The calls around a position

(defun calls-at (nodes offset)
  "Return the lists around OFFSET that appear to be calls, innermost first. A list whose operator is unknown may be an argument of a macro
instead."
  (let ((calls '()) (parents '()))
    (dolist (node (nodes-around nodes offset) calls)
      (when (and (operator-name node) (called-p node parents))
        (push node calls))
      (push node parents))))

(defparameter *binding-operators*
  '("LET" "LET*" "PROG" "PROG*" "DO" "DO*" "FLET" "LABELS" "MACROLET" "SYMBOL-MACROLET" "LAMBDA"
    "DESTRUCTURING-BIND" "MULTIPLE-VALUE-BIND" "WITH-SLOTS" "WITH-ACCESSORS")
  "Operators whose first argument is not a call and contains no calls in its lists.")

(defparameter *iterating-operators* '("DOLIST" "DOTIMES" "DO-SYMBOLS" "DO-EXTERNAL-SYMBOLS")
  "Operators whose first argument is not a call, but may contain calls, for example iteration macros.")

(defparameter *named-operators* '("DEFUN" "DEFMACRO" "DEFMETHOD" "DEFGENERIC" "DEFTYPE" "DEFCLASS")
  "Operators whose second argument is not a call and contains no calls in its lists.")

(defparameter *clause-operators*
  '("CASE" "ECASE" "CCASE" "TYPECASE" "ETYPECASE" "CTYPECASE" "HANDLER-CASE" "RESTART-CASE")
  "Operators whose arguments after the first are clauses.")

(defun called-p (node parents)
  "Return true if the list NODE within PARENTS, innermost first, appears to be a call."
  (destructuring-bind (&optional parent grandparent &rest more) parents
    (declare (ignore more))
    (not (or (and parent (eq (node-kind parent) :quote))
             (syntax-part-p node parent)
             (and parent (data-part-p parent grandparent))))))

(defun syntax-part-p (node parent)
  "Return true if the operator of PARENT treats NODE as a part of its own syntax: bindings, a lambda list, or a clause."
  (or (data-part-p node parent)
      (let ((operator (and parent (operator-name parent))))
        (or (and (member operator *iterating-operators* :test #'equal) (= 1 (index-in node parent)))
            (and (equal operator "COND") (plusp (index-in node parent)))
            (and (member operator *clause-operators* :test #'equal) (> (index-in node parent) 1))))))

(defun data-part-p (node parent)
  "Return true if neither NODE nor the lists in it are calls."
  (let ((operator (and parent (operator-name parent))))
    (or (and (member operator *binding-operators* :test #'equal) (= 1 (index-in node parent)))
        (and (member operator *named-operators* :test #'equal) (= 2 (index-in node parent))))))

(defun index-in (node parent)
  (or (position node (node-children parent) :test #'eq) -1))

;;; The lambda list of a call

(defun described-call (call text locals)
  "Return a description of the parameters of the operator of CALL, or NIL."
  (let* ((token (first (node-children call)))
         (local (find (node-name token) locals :key #'local-name :test #'string=)))
    (if (and local (eq (local-kind local) :function) (local-lambda-list local))
        (make-description :operator (node-text text token) :kind "local-function"
                          :lambda-list (list-of-node (local-lambda-list local) text))
        (multiple-value-bind (symbol status) (node-symbol token)
          (and status (fboundp symbol) (described-operator symbol call))))))

(defun list-of-node (node text)
  "Return the lambda list at NODE as Lisp data. Its symbols are uninterned, except for the lambda list keywords."
  (case (node-kind node)
    (:list (mapcar (lambda (child) (list-of-node child text)) (node-children node)))
    (:token (or (find (node-name node) lambda-list-keywords :test #'string=) (make-symbol (node-name node))))
    (t (make-bare-name :text (node-text text node)))))

(defun described-operator (symbol call)
  (let* ((plain (or (special-operator-p symbol) (macro-function symbol)))
         (lambda-list (handler-case (multiple-value-bind (lambda-list unknown)
                                        (function-lambda-list (if plain symbol (fdefinition symbol)))
                                      (if unknown :unknown lambda-list))
                        (error () :unknown))))
    (unless (eq lambda-list :unknown)
      (make-description :operator (print-short symbol 200)
                        :kind (first (function-kinds symbol))
                        :lambda-list (with-more-keywords lambda-list symbol call)
                        :documentation (let ((text (ignore-errors (documentation symbol 'function))))
                                         (and (stringp text) (subseq text 0 (min 4000 (length text)))))))))

(defun with-more-keywords (lambda-list symbol call)
  "Return LAMBDA-LIST with the additional keyword parameters that SYMBOL accepts: those of its methods, or of the class that CALL names."
  (handler-case
      (let* ((function (and (not (macro-function symbol)) (not (special-operator-p symbol)) (fdefinition symbol)))
             (initargs (initargs-of-call symbol call)))
        (cond (initargs (with-keywords (named-parameters symbol lambda-list) initargs))
              ((typep function 'generic-function)
               (with-keywords lambda-list (and (member '&key lambda-list) (methods-keywords function))))
              (t lambda-list)))
    (error () lambda-list)))

(defparameter *makers* '((make-instance . 1) (make-condition . 1) (error . 1) (signal . 1) (warn . 1) (cerror . 2)
                         (change-class . 2))
  "Functions that accept the initargs of a class, each with the number of the argument that names the class.")

(defun named-parameters (symbol lambda-list)
  "Return the parameters of SYMBOL that come before the initargs."
  (let ((required (subseq lambda-list 0 (position-if (lambda (item) (member item lambda-list-keywords)) lambda-list))))
    (cond ((member symbol '(error signal warn)) '(datum &key))
          ((eq symbol 'cerror) '(continue-control datum &key))
          ((eq symbol 'make-condition) '(type &key))
          (t (append required '(&key))))))

(defun initargs-of-call (symbol call)
  "Return keyword parameters for the initargs of the class that CALL names with a quoted symbol."
  (let* ((index (cdr (assoc symbol *makers*)))
         (argument (and index (nth index (node-children call))))
         (token (and argument (eq (node-kind argument) :quote) (first (node-children argument))))
         (name (and token (eq (node-kind token) :token) (node-symbol token)))
         (class (and name (find-class name nil))))
    (and class (class-keywords class))))

(defun class-keywords (class)
  (remove-duplicates
   (append (loop for slot in (known-slots class)
                 for initarg = (first (sb-mop:slot-definition-initargs slot))
                 when initarg
                   collect (if (sb-mop:slot-definition-initfunction slot)
                               (list initarg (sb-mop:slot-definition-initform slot))
                               initarg))
           (and (typep class 'standard-class)
                (loop for name in '(initialize-instance shared-initialize)
                      append (loop for method in (sb-mop:generic-function-methods (fdefinition name))
                                   for specializer = (first (sb-mop:method-specializers method))
                                   when (and (typep specializer 'class) (member specializer (known-precedence class))
                                             (not (eq specializer (find-class t))))
                                     append (method-keywords method)))))
   :key (lambda (keyword) (if (consp keyword) (first keyword) keyword)) :from-end t))

(defun known-precedence (class)
  "Return CLASS and its superclasses without finalizing any class."
  (if (sb-mop:class-finalized-p class)
      (sb-mop:class-precedence-list class)
      (or (ignore-errors (sb-mop:compute-class-precedence-list class))
          (remove-duplicates (cons class (mapcan (lambda (super) (copy-list (known-precedence super)))
                                                 (sb-mop:class-direct-superclasses class)))
                             :from-end t))))

(defun known-slots (class)
  (if (sb-mop:class-finalized-p class)
      (sb-mop:class-slots class)
      (remove-duplicates (mapcan (lambda (class) (copy-list (sb-mop:class-direct-slots class))) (known-precedence class))
                         :key #'sb-mop:slot-definition-name :from-end t)))

(defun methods-keywords (function)
  (remove-duplicates (mapcan #'method-keywords (sb-mop:generic-function-methods function))
                     :key (lambda (keyword) (if (consp keyword) (first keyword) keyword)) :from-end t))

(defun method-keywords (method)
  (mapcar #'keyword-of-parameter (keyword-section (sb-mop:method-lambda-list method))))

(defun keyword-section (lambda-list)
  "Return the parameters after &KEY."
  (let ((keys (rest (member '&key lambda-list))))
    (subseq keys 0 (or (position-if (lambda (item) (member item lambda-list-keywords)) keys) (length keys)))))

(defun proper-part (lambda-list)
  "Return LAMBDA-LIST without a dotted tail."
  (loop while (consp lambda-list) collect (pop lambda-list)))

(defun keyword-of-parameter (parameter)
  "Return the keyword of PARAMETER. Look up the keyword by name and never intern it; if it does not exist, return the parameter's symbol."
  (cond ((and (consp parameter) (consp (first parameter))) (first (first parameter)))
        ((consp parameter) (keyword-of-parameter (first parameter)))
        ((keywordp parameter) parameter)
        ((symbolp parameter) (or (find-symbol (symbol-name parameter) '#:keyword) parameter))
        (t parameter)))

(defun with-keywords (lambda-list keywords)
  "Return LAMBDA-LIST with KEYWORDS added after its own keyword parameters. Leave out keywords that it already has."
  (if (null keywords)
      lambda-list
      (let* ((lambda-list (if (member '&key lambda-list) lambda-list (append lambda-list '(&key))))
             (known (mapcar #'keyword-of-parameter (keyword-section lambda-list)))
             (new (remove-if (lambda (keyword) (member (if (consp keyword) (first keyword) keyword) known)) keywords))
             (at (+ (position '&key lambda-list) 1 (length (keyword-section lambda-list)))))
        (append (subseq lambda-list 0 at) (mapcar #'shown-keyword new) (nthcdr at lambda-list)))))

(defun shown-keyword (keyword)
  (flet ((bare (symbol) (make-bare-name :text (symbol-name symbol))))
    (if (consp keyword)
        (list (bare (first keyword)) (second keyword))
        (bare keyword))))
