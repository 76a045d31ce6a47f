;;;; Local variables and functions at a position in a text, determined only from the text.

(in-package #:lisp-workbench/introspection)

(defstruct local
  kind                                  ; :VARIABLE or :FUNCTION
  name
  lambda-list)                          ; node of the function's lambda list, or NIL

(defun locals-at (nodes offset)
  "Return the bindings that the common operators establish around OFFSET, innermost first. Include each combination of name and kind only
once."
  (let ((found '()))
    (dolist (node (nodes-around nodes offset))
      (let ((operator (operator-name node)))
        (when operator
          (dolist (local (bound-by operator node (position-in node offset) offset))
            (push local found)))))
    (remove-duplicates found :from-end t
                             :test (lambda (one other)
                                     (and (eq (local-kind one) (local-kind other))
                                          (string= (local-name one) (local-name other)))))))

(defun position-in (node offset)
  "Return the index of the child of NODE that contains OFFSET, or of the child that would start at OFFSET."
  (let* ((before (remove-if-not (lambda (child) (<= (node-start child) offset)) (node-children node)))
         (last (first (last before))))
    (cond ((null last) 0)
          ((or (> offset (node-end last))
               (and (= offset (node-end last)) (node-closed last) (eq (node-kind last) :list)))
           (length before))
          (t (1- (length before))))))

(defun bound-by (operator node index offset)
  "Return the locals that NODE, a call of OPERATOR, binds around its child at INDEX, which contains OFFSET."
  (let ((children (node-children node)))
    (flet ((is (&rest names) (member operator names :test #'string=))
           (child (at) (nth at children)))
      (cond ((is "LET" "PROG" "SYMBOL-MACROLET") (and (> index 1) (binding-variables (child 1))))
            ((is "LET*" "PROG*" "DO*" "DO")
             (if (> index 1)
                 (binding-variables (child 1))
                 (and (is "LET*" "PROG*" "DO*") (before offset (child 1)))))
            ((is "FLET" "LABELS" "MACROLET") (function-bindings operator (child 1) index offset))
            ((is "LAMBDA") (and (> index 1) (lambda-list-variables (child 1))))
            ((is "DEFUN" "DEFMACRO" "DEFTYPE" "DEFINE-COMPILER-MACRO" "DEFINE-SETF-EXPANDER" "NAMED-LAMBDA")
             (and (> index 2) (lambda-list-variables (child 2) (not (is "DEFUN" "NAMED-LAMBDA")))))
            ((is "DEFMETHOD") (method-variables children index))
            ((is "DESTRUCTURING-BIND" "MULTIPLE-VALUE-BIND")
             (and (> index 2) (lambda-list-variables (child 1) t)))
            ((is "DOLIST" "DOTIMES" "DO-SYMBOLS" "DO-EXTERNAL-SYMBOLS" "DO-ALL-SYMBOLS")
             (and (> index 1) (first-variable (child 1))))
            ((is "WITH-SLOTS" "WITH-ACCESSORS") (and (> index 2) (binding-variables (child 1))))
            ((is "HANDLER-CASE" "RESTART-CASE") (clause-variables (child index) offset))
            ((is "LOOP") (loop-variables (rest children) offset))
            ((and (> (length operator) 5) (string= "WITH-" operator :end2 5))
             (and (> index 1) (first-variable (child 1))))))))

(defun variables-of (node)
  "Return locals for the name NODE, or for each name in the list NODE."
  (case (and node (node-kind node))
    (:token (and (variable-name-p node) (list (make-local :kind :variable :name (node-name node)))))
    (:list (mapcan #'variables-of (node-children node)))))

(defun variable-name-p (node)
  (let ((name (node-name node)))
    (and (plusp (length name))
         (zerop (node-colons node))
         (not (char= #\& (char name 0)))
         (not (string= name "NIL"))
         (not (string= name "."))
         (notevery (lambda (char) (or (digit-char-p char) (find char "+-./"))) name))))

(defun binding-variables (node)
  "Return the variables bound in NODE, a list of bindings such as ((A 1) B (C))."
  (and node (eq (node-kind node) :list) (mapcan #'first-variable-or-name (node-children node))))

(defun first-variable-or-name (node)
  (variables-of (if (eq (node-kind node) :list) (first (node-children node)) node)))

(defun first-variable (node)
  "Return the variable bound in NODE, a list such as the (VAR LIST) of DOLIST."
  (and node (eq (node-kind node) :list) (variables-of (first (node-children node)))))

(defun before (offset node)
  "Return the variables of those bindings in NODE that end before OFFSET."
  (and node (eq (node-kind node) :list)
       (mapcan #'first-variable-or-name
               (remove-if-not (lambda (child) (and (node-closed child) (< (node-end child) offset))) (node-children node)))))

(defun lambda-list-variables (node &optional nested)
  "Return the variables in the lambda list NODE. With NESTED, required parameters may be lambda lists themselves."
  (let ((section nil) (variables '()))
    (when (and node (eq (node-kind node) :list))
      (dolist (child (node-children node) (nreverse variables))
        (if (and (eq (node-kind child) :token) (plusp (length (node-name child))) (char= #\& (char (node-name child) 0)))
            (setf section (node-name child))
            (dolist (local (parameter-variables child section nested))
              (push local variables)))))))

(defun parameter-variables (node section nested)
  (let ((children (node-children node)))
    (cond ((eq (node-kind node) :token) (variables-of node))
          ((not (eq (node-kind node) :list)) '())
          ((member section '("&OPTIONAL" "&KEY" "&AUX") :test #'equal)
           (append (variables-of (if (and children (eq (node-kind (first children)) :list))
                                     (second (node-children (first children)))
                                     (first children)))
                   (variables-of (third children))))
          (nested (lambda-list-variables node t))
          (t (variables-of (first children))))))

(defun method-variables (children index)
  (let ((at (position :list children :key #'node-kind :start (min 2 (length children)))))
    (and at (> index at)
         (append (lambda-list-variables (nth at children))
                 (list (make-local :kind :function :name "CALL-NEXT-METHOD")
                       (make-local :kind :function :name "NEXT-METHOD-P"))))))

(defun function-bindings (operator bindings index offset)
  (when (and bindings (eq (node-kind bindings) :list))
    (let ((definitions (remove-if-not #'operator-name (node-children bindings))))
      (append (and (or (> index 1) (string= operator "LABELS"))
                   (mapcar (lambda (definition)
                             (make-local :kind :function :name (operator-name definition)
                                         :lambda-list (second (node-children definition))))
                           definitions))
              (and (= index 1)
                   (let ((around (find-if (lambda (definition) (around-p definition offset)) definitions)))
                     (and around
                          (> (position-in around offset) 1)
                          (lambda-list-variables (second (node-children around))
                                                 (string= operator "MACROLET")))))))))

(defun clause-variables (clause offset)
  (and clause
       (eq (node-kind clause) :list)
       (> (position-in clause offset) 1)
       (lambda-list-variables (second (node-children clause)))))

(defparameter *loop-binders* '("FOR" "AS" "WITH" "INTO" "AND"))

(defun loop-variables (children offset)
  "Return the names after FOR, AS, WITH, INTO and AND. As in LOOP, a name is visible after the keyword of its clause."
  (loop for (keyword variable) on children
        while (and variable (< (node-start variable) offset))
        when (and (eq (node-kind keyword) :token)
                  (member (node-name keyword) *loop-binders* :test #'string=)
                  (not (around-p variable offset)))
          nconc (variables-of variable)))
