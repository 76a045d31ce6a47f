;;;; Finds, in a file that has changed since its code was compiled, the forms that correspond to the compiled ones. Definitions are found by
;;;; kind, name and package. If a definition has not changed, each of its forms is found.

(in-package #:lisp-workbench/introspection)

;;; Parsed texts

(defstruct (parsed (:copier nil) (:predicate nil))
  "The top-level nodes and the definitions of SOURCE, a text, as SBCL reads it."
  source tops forms)

(defvar *parsed-texts* '() "The recently parsed texts, latest first, because many frames and functions come from the same file.")

(defun parsed-text (text)
  (or (find text *parsed-texts* :key #'parsed-source :test #'eq)
      (let ((parsed (make-parsed :source text :tops (read-nodes text :features t) :forms (file-forms text :features t))))
        (setf *parsed-texts* (cons parsed (subseq *parsed-texts* 0 (min 7 (length *parsed-texts*)))))
        parsed)))

(defun form-of-key (key text)
  "Return the definition of KEY in TEXT, a FILE-FORM; NIL if there is none. If there are several, return the last one, which replaced the
others."
  (and key (find key (parsed-forms (parsed-text text)) :key #'file-form-key :test #'equal :from-end t)))

(defun top-around (text node)
  "Return the top-level node in TEXT that contains NODE, which may be from another parse of TEXT."
  (find-if (lambda (top) (<= (node-start top) (node-start node) (node-end node) (node-end top))) (parsed-tops (parsed-text text))))

(defun read-package-at (text position)
  "Return the name of the package in which SBCL reads the form at POSITION in TEXT; NIL if no IN-PACKAGE precedes it."
  (let ((before (find-if (lambda (top) (and (< (node-start top) position) (equal "IN-PACKAGE" (operator-name top))))
                         (parsed-tops (parsed-text text)) :from-end t)))
    (and before
         (let ((name (second (node-children before))))
           (and name (if (eq :token (node-kind name)) (node-name name) (string-trim "\"" (node-text text name))))))))

;;; Counterparts

(defun counterpart (compiled node text)
  "NODE is a form in COMPILED, the text that a file had when its code was compiled; TEXT is the file's current text. Return three values:
the top-level node in TEXT that corresponds to the one around NODE; the node in it that corresponds to NODE; and :FILE. If the definition
around NODE has changed, the second value is the current definition, and the third :DEFINITION. If there is no such definition any more,
return NIL."
  (let* ((top (top-around compiled node)) (same (and top (same-top compiled top text))))
    (if same
        (values same (corresponding-node node top same) :file)
        (multiple-value-bind (before now) (and top (current-definition compiled top node text))
          (cond ((null now) nil)
                ((string= (node-tokens compiled before) (node-tokens text now))
                 (values (top-around text now) (corresponding-node node before now) :file))
                (t (values (top-around text now) (or (local-definition before node now) now) :definition)))))))

(defun same-top (compiled top text)
  "Return the top-level node in TEXT that has the same tokens and the same package as TOP in COMPILED, or NIL. Of several, return the one
with the same number among them."
  (let ((tokens (node-tokens compiled top)) (package (read-package-at compiled (node-start top))) (operator (operator-name top)))
    (flet ((equal-ones (text)
             (remove-if-not (lambda (each)
                              (and (equal operator (operator-name each))
                                   (string= tokens (node-tokens text each))
                                   (equal package (read-package-at text (node-start each)))))
                            (parsed-tops (parsed-text text)))))
      (let ((now (equal-ones text)))
        (if (rest now)
            (or (nth (or (position (node-start top) (equal-ones compiled) :key #'node-start) 0) now)
                (first (last now)))
            (first now))))))

(defun current-definition (compiled top node text)
  "Return two values: the innermost definition around NODE in COMPILED, and the node of the same definition in TEXT. Return NIL if TEXT does
not contain it. A top-level form TOP of an unknown operator counts as a definition of the name that follows the operator."
  (let* ((form (find-if (lambda (form) (<= (node-start (file-form-node form)) (node-start node) (1- (node-end (file-form-node form)))))
                        (parsed-forms (parsed-text compiled)) :from-end t))
         (now (and form (form-of-key (file-form-key form) text))))
    (cond (now (values (file-form-node form) (file-form-node now)))
          (form nil)
          (t (let ((named (named-alike compiled top text))) (and named (values top named)))))))

(defun named-alike (compiled top text)
  "Return the only top-level node in TEXT with the operator, the name and the package of TOP in COMPILED; NIL if there is none or more than
one."
  (flet ((head (text node)
           (let ((name (second (node-children node))))
             (and (operator-name node) name
                  (list (operator-name node) (node-tokens text name) (read-package-at text (node-start node)))))))
    (let* ((wanted (head compiled top))
           (found (and wanted (remove-if-not (lambda (each) (equal wanted (head text each))) (parsed-tops (parsed-text text))))))
      (and (null (rest found)) (first found)))))

(defun corresponding-node (node before now)
  "NODE is within BEFORE. Return the node at the same place within NOW, which has the same tokens as BEFORE."
  (let* ((number (position (node-start node) (numbered-nodes before) :key #'node-start)) (nodes (numbered-nodes now)))
    (if (and number (< number (length nodes))) (aref nodes number) now)))

(defun local-definition (before node now)
  "Return the local function in NOW, a definition, with the name of the innermost local function around NODE in BEFORE; NIL if there is
none."
  (let ((around (find-if (lambda (local) (<= (node-start local) (node-start node) (1- (node-end local))))
                         (local-functions before) :from-end t)))
    (and around
         (find (operator-name around) (local-functions now) :key #'operator-name :test #'equal))))

(defun local-functions (node)
  "Return the nodes of the local functions that FLET and LABELS define within NODE, outermost first."
  (let ((found '()))
    (labels ((look (node)
               (when (and (member (operator-name node) '("FLET" "LABELS") :test #'equal) (second (node-children node)))
                 (dolist (local (node-children (second (node-children node))))
                   (when (operator-name local) (push local found))))
               (mapc #'look (node-children node))))
      (look node)
      (nreverse found))))

;;; By name only, if the compiled text is unknown

(defun definition-by-name (key text)
  "Return the node of the definition of KEY in TEXT; NIL if there is none. If no definition has this key, for example because a macro of the
user defines it, return a top-level form with an operator DEF… that names the symbol, in the symbol's package if possible."
  (let* ((form (form-of-key key text))
         (symbol (key-symbol key))
         (function (and (null form) (eq :method (car key)) (form-of-key (cons :function (second key)) text))))
    (cond (form (file-form-node form))
          (function (file-form-node function))
          ((null symbol) nil)
          (t (let ((named (remove-if-not (lambda (top) (and (definition-node-p top) (node-defines-p top symbol)))
                                         (parsed-tops (parsed-text text)))))
               (or (find-if (lambda (top)
                              (let ((name (read-package-at text (node-start top))))
                                (and name (eq (find-package name) (symbol-package symbol)))))
                            named)
                   (first named)))))))
