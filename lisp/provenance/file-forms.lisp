;;;; The definitions that a text holds, each with its key as the image would have it.

(in-package #:lisp-workbench/provenance)

(defstruct (file-form (:copier nil) (:predicate nil))
  "A definition in a text. KEY is NIL when its name is not even a symbol in the image."
  kind name package key node)

(defparameter *defining-operators*
  '(("DEFUN" . :function) ("DEFMACRO" . :macro) ("DEFGENERIC" . :generic-function) ("DEFMETHOD" . :method)
    ("DEFVAR" . :variable) ("DEFPARAMETER" . :variable) ("DEFGLOBAL" . :variable) ("DEFCONSTANT" . :constant)
    ("DEFCLASS" . :class) ("DEFSTRUCT" . :structure) ("DEFINE-CONDITION" . :condition) ("DEFTYPE" . :type)
    ("DEFSETF" . :setf-expander) ("DEFINE-SETF-EXPANDER" . :setf-expander)
    ("DEFINE-COMPILER-MACRO" . :compiler-macro) ("DEFINE-SYMBOL-MACRO" . :symbol-macro)
    ("DEFPACKAGE" . :package)))

(defparameter *enclosing-operators*
  '("PROGN" "LOCALLY" "EVAL-WHEN" "LET" "LET*" "FLET" "LABELS" "MACROLET" "SYMBOL-MACROLET" "WHEN" "UNLESS"))

(defun file-forms (text &optional (package-name "COMMON-LISP-USER"))
  "The definitions of TEXT in order; IN-PACKAGE is followed."
  (let ((forms '()))
    (dolist (node (read-nodes text) (nreverse forms))
      (if (equal "IN-PACKAGE" (form-operator node))
          (setf package-name (or (designator-name (second (node-children node))) package-name))
          (dolist (form (forms-in node package-name 0)) (push form forms))))))

(defun designator-name (node)
  (let ((text (and node (node-text node))))
    (cond ((null text) nil)
          ((char= #\" (char text 0)) (string-trim "\"" text))
          (t (bare-name text)))))

(defun forms-in (node package-name depth)
  (let* ((operator (form-operator node)) (kind (cdr (assoc operator *defining-operators* :test #'equal))))
    (cond (kind (let ((form (file-form-of node kind package-name))) (and form (list form))))
          ((and (< depth 8) (member operator *enclosing-operators* :test #'equal))
           (loop for child in (rest (node-children node)) append (forms-in child package-name (1+ depth)))))))

(defun file-form-of (node kind package-name)
  (let* ((children (node-children node))
         (name (second children))
         (name (if (and name (null (node-text name)) (member kind '(:structure)))
                   (first (node-children name))
                   name)))
    (when name
      (let ((package (find-package package-name)) (setf-name (setf-name-p name)))
        (make-file-form
         :kind kind :package package-name :node node
         :name (form-name kind name children)
         :key (if (eq kind :package)
                  (and (designator-name name) (cons :package (designator-name name)))
                  (let ((symbol (and package (node-symbol (if setf-name (second (node-children name)) name) package))))
                    (and symbol (form-key kind (if setf-name (list 'setf symbol) symbol) children package)))))))))

(defun setf-name-p (name)
  (and (equal "SETF" (form-operator name)) (second (node-children name))))

(defun form-name (kind name children)
  "Return the name of a definition as events have it; a method's with qualifiers and specializers."
  (flet ((text (node) (string-right-trim " " (substitute-close (node-tokens node)))))
    (cond ((eq kind :package) (or (designator-name name) ""))
          ((eq kind :method)
           (let ((rest (cddr children)))
             (format nil "~A~{ ~A~} (~{~A~^ ~})" (text name)
                     (loop for node in rest while (node-text node) collect (node-text node))
                     (mapcar (lambda (node) (if node (text node) "T")) (specializer-nodes rest)))))
          (t (text name)))))

(defun substitute-close (tokens)
  "\"(SETF A )\" as \"(SETF A)\"."
  (with-output-to-string (stream)
    (loop for i from 0 below (length tokens)
          unless (and (char= #\Space (char tokens i)) (< (1+ i) (length tokens)) (char= #\) (char tokens (1+ i))))
            do (write-char (char tokens i) stream))))

(defun specializer-nodes (rest)
  "A node or NIL for each required parameter of the method whose form goes on with REST."
  (let ((lambda-list (find-if #'null rest :key #'node-text)))
    (and lambda-list
         (loop for parameter in (node-children lambda-list)
               until (and (node-text parameter) (char= #\& (char (node-text parameter) 0)))
               collect (and (null (node-text parameter)) (second (node-children parameter)))))))

(defun node-symbol (node package)
  "The symbol that NODE names in PACKAGE, when there is one."
  (let ((text (and node (node-text node))))
    (when (and text (plusp (length text)))
      (let* ((colon (position #\: text :from-end t))
             (home (cond ((null colon) package)
                         ((zerop colon) (find-package '#:keyword))
                         (t (find-package (string-right-trim ":" (subseq text 0 colon)))))))
        (and home (multiple-value-bind (symbol status) (find-symbol (bare-name text) home)
                    (and status symbol)))))))

(defun form-key (kind name children package)
  (ecase kind
    ((:function :macro :generic-function) (cons :function name))
    ((:variable :constant :symbol-macro) (cons :variable name))
    ((:class :structure :condition) (cons :class name))
    (:type (cons :type name))
    (:setf-expander (cons :setf-expander name))
    (:compiler-macro (cons :compiler-macro name))
    (:method
     (let* ((rest (cddr children))
            (qualifiers (loop for node in rest while (node-text node) collect (node-symbol node package)))
            (specializers (mapcar (lambda (node) (if node (specializer-of node package) t)) (specializer-nodes rest))))
       (unless (member :unknown specializers) (list :method name qualifiers specializers))))))

(defun specializer-of (node package)
  (cond ((node-text node) (or (node-symbol node package) :unknown))
        ((equal "EQL" (form-operator node))
         (let ((value (constant-of (rest (node-children node)) package)))
           (if (eq value :unknown) :unknown (list 'eql value))))
        (t :unknown)))

(defun constant-of (nodes package)
  "Return the constant that NODE stands for: an integer, a keyword or a quoted symbol."
  (let ((text (and nodes (node-text (first nodes)))))
    (cond ((null text) :unknown)
          ((string= "'" text) (or (and (second nodes) (node-symbol (second nodes) package)) :unknown))
          ((char= #\: (char text 0)) (or (node-symbol (first nodes) package) :unknown))
          ((every #'digit-char-p text) (parse-integer text))
          (t :unknown))))
