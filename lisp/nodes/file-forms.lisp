;;;; Finds the definitions in a text, each with the key that it has in the image.

(in-package #:lisp-workbench/nodes)

(defstruct (file-form (:copier nil) (:predicate nil))
  "A definition in TEXT. KEY is NIL if the image has no symbol with the definition's name."
  kind name package key text node)

(defun form-tokens (form)
  (node-tokens (file-form-text form) (file-form-node form)))

(defparameter *defining-operators*
  '(("DEFUN" . :function) ("DEFMACRO" . :macro) ("DEFGENERIC" . :generic-function) ("DEFMETHOD" . :method)
    ("DEFVAR" . :variable) ("DEFPARAMETER" . :variable) ("DEFGLOBAL" . :variable) ("DEFCONSTANT" . :constant)
    ("DEFCLASS" . :class) ("DEFSTRUCT" . :structure) ("DEFINE-CONDITION" . :condition) ("DEFTYPE" . :type)
    ("DEFSETF" . :setf-expander) ("DEFINE-SETF-EXPANDER" . :setf-expander)
    ("DEFINE-COMPILER-MACRO" . :compiler-macro) ("DEFINE-SYMBOL-MACRO" . :symbol-macro)
    ("DEFPACKAGE" . :package)))

(defparameter *enclosing-operators*
  '("PROGN" "LOCALLY" "EVAL-WHEN" "LET" "LET*" "FLET" "LABELS" "MACROLET" "SYMBOL-MACROLET" "WHEN" "UNLESS"))

(defun file-forms (text &key (package-name "COMMON-LISP-USER") (features :shown))
  "Return the definitions in TEXT in order. IN-PACKAGE forms change the package in which names are read. FEATURES is as for READ-NODES."
  (let ((forms '()))
    (dolist (node (read-nodes text :features features) (nreverse forms))
      (if (equal "IN-PACKAGE" (operator-name node))
          (setf package-name (or (designator-name text (second (parts node))) package-name))
          (dolist (form (forms-in text node package-name 0)) (push form forms))))))

(defun parts (node)
  "Return the elements of the list NODE, including those hidden by #+ and #-."
  (remove :feature (node-children node) :key #'node-kind))

(defun list-p (node)
  (eq :list (node-kind node)))

(defun designator-name (text node)
  (case (and node (node-kind node))
    (:string (string-trim "\"" (node-text text node)))
    (:token (node-name node))))

(defun forms-in (text node package-name depth)
  (let* ((operator (operator-name node)) (kind (cdr (assoc operator *defining-operators* :test #'equal))))
    (cond (kind (let ((form (file-form-of text node kind package-name))) (and form (list form))))
          ((and (< depth 8) (member operator *enclosing-operators* :test #'equal))
           (loop for child in (rest (parts node)) append (forms-in text child package-name (1+ depth)))))))

(defun file-form-of (text node kind package-name)
  (let* ((parts (parts node))
         (name (second parts))
         (name (if (and name (list-p name) (eq kind :structure)) (first (parts name)) name)))
    (when name
      (let ((package (find-package package-name)) (setf-name (setf-name-p name)))
        (make-file-form
         :kind kind :package package-name :text text :node node
         :name (form-name text kind name (cddr parts))
         :key (if (eq kind :package)
                  (and (designator-name text name) (cons :package (designator-name text name)))
                  (let ((symbol (and package (node-symbol (if setf-name (second (parts name)) name) package))))
                    (and symbol (form-key kind (if setf-name (list 'setf symbol) symbol) (cddr parts) package)))))))))

(defun setf-name-p (name)
  (and (equal "SETF" (operator-name name)) (second (parts name))))

(defun form-name (text kind name rest)
  "Return the name of a definition in the form that events use. A method's name includes the qualifiers and specializers, which are in REST."
  (flet ((tokens (node) (node-tokens text node)))
    (cond ((eq kind :package) (or (designator-name text name) ""))
          ((eq kind :method)
           (format nil "~A~{ ~A~} (~{~A~^ ~})" (tokens name) (mapcar #'tokens (qualifier-nodes rest))
                   (mapcar (lambda (node) (if node (tokens node) "T")) (specializer-nodes rest))))
          (t (tokens name)))))

(defun qualifier-nodes (rest)
  (ldiff rest (member-if #'list-p rest)))

(defun specializer-nodes (rest)
  "Return a list with a specializer's node or NIL for each required parameter of a method. REST is what follows the name in the method's
form."
  (let ((lambda-list (find-if #'list-p rest)))
    (and lambda-list
         (loop for parameter in (parts lambda-list)
               until (and (eq :token (node-kind parameter)) (eql 0 (position #\& (node-name parameter))))
               collect (and (list-p parameter) (second (parts parameter)))))))

(defun node-symbol (node package)
  "Return the symbol that NODE names in PACKAGE, or NIL if there is none."
  (when (and node (eq :token (node-kind node)))
    (let ((home (cond ((zerop (node-colons node)) package)
                      ((equal "" (node-prefix node)) (find-package '#:keyword))
                      (t (find-package (node-prefix node))))))
      (and home (multiple-value-bind (symbol status) (find-symbol (node-name node) home)
                  (and status symbol))))))

(defun form-key (kind name rest package)
  (ecase kind
    ((:function :macro :generic-function) (cons :function name))
    ((:variable :constant :symbol-macro) (cons :variable name))
    ((:class :structure :condition) (cons :class name))
    (:type (cons :type name))
    (:setf-expander (cons :setf-expander name))
    (:compiler-macro (cons :compiler-macro name))
    (:method
     (let ((qualifiers (mapcar (lambda (node) (node-symbol node package)) (qualifier-nodes rest)))
           (specializers (mapcar (lambda (node) (if node (specializer-of node package) t)) (specializer-nodes rest))))
       (unless (member :unknown specializers) (list :method name qualifiers specializers))))))

(defun specializer-of (node package)
  (cond ((not (list-p node)) (or (node-symbol node package) :unknown))
        ((equal "EQL" (operator-name node))
         (let ((value (constant-of (second (parts node)) package)))
           (if (eq value :unknown) :unknown (list 'eql value))))
        (t :unknown)))

(defun constant-of (node package)
  "Return the constant that NODE represents: an integer, a keyword or a quoted symbol. Return :UNKNOWN for any other node."
  (case (and node (node-kind node))
    (:quote (or (node-symbol (first (node-children node)) package) :unknown))
    (:token (cond ((equal "" (node-prefix node)) (or (node-symbol node package) :unknown))
                  ((and (plusp (length (node-name node))) (every #'digit-char-p (node-name node))) (parse-integer (node-name node)))
                  (t :unknown)))
    (t :unknown)))
