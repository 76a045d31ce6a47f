;;;; Guards forms that SBCL copies from one definition into others: the default values of an included structure, and the operator of a short
;;;; method combination or a short DEFSETF. If guarded code contained the original forms, the copies remain its author's.

(in-package #:lisp-workbench/definitions)

(sb-ext:defglobal *structure-authors* (make-weak-map)) ; structure description → author
(sb-ext:defglobal *combination-authors* (make-hash-table :test #'eq :synchronized t)) ; name of a method combination → author
(sb-ext:defglobal *combining-methods* '()) ; (method of COMPUTE-EFFECTIVE-METHOD, class of its functions . author)
(sb-ext:defglobal *storing-authors* (make-hash-table :test #'eq :synchronized t)) ; name of a short DEFSETF → author

(defun install-copied-forms ()
  "Install the advice on the functions with which SBCL copies forms of one definition into another."
  (surround 'parse-defstruct 'lisp-workbench #'note-described)
  (surround '%defstruct 'lisp-workbench-authors #'note-described)
  (surround 'frob-dd-inclusion-stuff 'lisp-workbench #'include-guarded)
  (surround 'parse-1-dsd 'lisp-workbench #'parse-included)
  (surround 'load-short-defcombin 'lisp-workbench-authors #'note-combination)
  (surround 'load-long-defcombin 'lisp-workbench-authors #'note-combination)
  (surround 'make-effective-method-function1 'lisp-workbench #'combine-guarded)
  (surround '%defsetf 'lisp-workbench-authors #'lend-storing)
  (surround '%define-symbol-macro 'lisp-workbench-authors #'define-kept-symbol-macro))

(defun define-kept-symbol-macro (original name &rest more)
  "Preserve the author of the symbol macro NAME even if no event is recorded for it, for example because NAME has no package."
  (multiple-value-prog1 (apply original name more)
    (when *guard* (keep-symbol-macro name))))

(defun authors-of-copied (key)
  (let ((author (sound
                  (case (car key)
                    (:class (associated (find-defstruct-description (cdr key) nil) *structure-authors*))
                    (:method-combination (gethash (cdr key) *combination-authors*))
                    (:setf-expander (gethash (cdr key) *storing-authors*))))))
    (and author (list author))))

;;; Structures

(defvar *included-author* nil "The author of the structure that the person's current definition includes, or NIL.")

(defun note-described (original description &rest more)
  (when (and (written-here-p) (not (associated description *structure-authors*)))
    (setf (associated description *structure-authors*) (new-author)))
  (apply original description more))

(defun include-guarded (original proto description &rest more)
  (let ((*included-author* (and (not *guard*) (not (producing-fasl-file)) (included-author (first (dd-include description))))))
    (apply original proto description more)))

(defun included-author (name)
  (sound
    (let* ((included (or (info :typed-structure :info name) (find-defstruct-description name nil)))
           (author (and included
                        (or (associated included *structure-authors*)
                            (loop for (constructor) in (dd-constructors included)
                                  thereis (and (fboundp constructor) (first (function-authors (fdefinition constructor)))))))))
      (and author (not (author-trusted author)) author))))

(defun parse-included (original proto description slot &optional included)
  "Parse SLOT. If the person gives it no default, it gets the default of the slot INCLUDED, marked as code of that slot's author."
  (funcall original proto description
           (if (and *included-author* included (consp (dsd-default included)) (or (atom slot) (null (rest slot))))
               (list (if (atom slot) slot (first slot)) `(as-defined-by ,*included-author* ,(dsd-default included)))
               slot)
           included))

;;; Method combinations. SBCL computes a combination once, during the evaluation that first needs it, whichever actor's that is, and caches
;;; it for all calls.

(defun note-combination (original name &rest more)
  (if (written-here-p)
      (setf (gethash name *combination-authors*)
            (or (some (lambda (each) (and (functionp each) (first (function-authors each)))) more) (new-author)))
      (remhash name *combination-authors*))
  (apply original name more))

(defun combine-guarded (original function form &rest more)
  (let ((author (combination-author function)))
    (if (and author (not (author-trusted author)) (consp form) (not (eq 'as-defined-by (first form))))
        (let ((*compiles-for-itself* t)) (apply original function `(as-defined-by ,author ,form) more))
        (apply original function form more))))

(defun combination-author (function)
  "Return the author of the form that combines the methods of the generic FUNCTION; NIL if the form is SBCL's or the person's."
  (or (values (gethash (method-combination-type-name (sb-mop:generic-function-method-combination function))
                       *combination-authors*))
      (loop for (method class . author) in *combining-methods*
            thereis (and (typep function class) (sb-mop:method-generic-function method) author))))

(defun note-combining (method authors)
  "Record the author of METHOD, a method of COMPUTE-EFFECTIVE-METHOD that guarded code defined."
  (let ((class (first (sb-mop:method-specializers method))))
    (when (and authors (typep class 'class))
      (setf *combining-methods* (cons (list* method class (first authors)) *combining-methods*)))))

;;; Short DEFSETF

(defun lend-storing (original name expander)
  "Define a short-form DEFSETF whose operator is still attributed to its author. SETF forms expand into a call of an uninterned macro with
the operator's name, which other code cannot call, instead of a call of the operator itself."
  (if (written-here-p)
      (let ((author (new-author)))
        (setf (gethash name *storing-authors*) author)
        (funcall original name
                 (if (and (consp expander) (symbolp (first expander)))
                     (cons (storing-macro (first expander) author) (rest expander))
                     expander)))
      (progn
        (remhash name *storing-authors*)
        (funcall original name expander))))

(defun storing-macro (operator author)
  (let ((macro (make-symbol (symbol-name operator))))
    (without-guard
      (without-recording
        (setf (macro-function macro)
              (lend-function (lambda (form environment) (declare (ignore environment)) (cons operator (rest form))) author))))
    macro))
