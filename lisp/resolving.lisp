;;;; Looks for every name of the table in this SBCL, and says which features do without. What is not there gets a stand-in of the
;;;; same name, so that source which uses it can be read and compiled.

(in-package #:lisp-workbench/internals)

(defvar *lacks* '() "What is not there: (stand-in text . features), TEXT as the table names it.")

;;; What is missing

(define-condition missing-internal (error)
  ((names :initarg :names :reader missing-names)
   (features :initarg :features :reader missing-features)
   (essential :initarg :essential :initform nil :reader essential-p))
  (:report (lambda (condition stream)
             (format stream "SBCL ~A lacks ~{~A~^, ~}, ~:[needed for ~{~A~^, and for ~}. What does not need ~:[them~;it~] works.~
                             ~;without which the engine does not start (~{~A~^; ~}).~]"
                     (lisp-implementation-version) (missing-names condition) (essential-p condition)
                     (missing-features condition) (null (rest (missing-names condition))))))
  (:documentation "What was asked for needs something that this SBCL has not. NAMES are as the table has them."))

(defun missing (stand-in)
  "Signal that a stand-in was used."
  (destructuring-bind (text . features) (rest (assoc stand-in *lacks*))
    (error 'missing-internal :names (list text) :features features)))

(defun lacking (feature)
  "Names that FEATURE, as the table calls it, needs and this SBCL has not; NIL when it works."
  (assert (find feature *table* :key #'entry-feature :test #'string=) () "The table has no feature ~S." feature)
  (loop for (nil text . features) in *lacks*
        when (member feature features :test #'string=) collect text))

(defun lacking-features ()
  "(feature name …) for each that does not work, in the order of the table."
  (loop for entry in *table*
        for names = (lacking (entry-feature entry))
        when names collect (cons (entry-feature entry) names)))

(defun call-with-refusals (function)
  "Call FUNCTION with the name of each operation that cannot be served, and a function of a request that signals why."
  (loop for entry in *table*
        for feature = (entry-feature entry)
        for names = (lacking feature)
        when names
          do (dolist (operation (entry-operations entry))
               (funcall function operation
                        (let ((names names) (feature feature))
                          (lambda (request)
                            (declare (ignore request))
                            (error 'missing-internal :names names :features (list feature))))))))

;;; The table

(defun entry-essential-p (entry)
  (eq (first entry) :essential))

(defun entry-feature (entry)
  (if (entry-essential-p entry) (second entry) (first entry)))

(defun entry-operations (entry)
  (if (entry-essential-p entry) '() (second entry)))

(defun require-contribs ()
  (loop for (module . essential) in *contribs*
        do (handler-case (require module)
             (error ()
               (when essential
                 (error 'missing-internal :names (list (symbol-name module)) :features (list essential) :essential t))))))

(defun resolve-table ()
  "Signals MISSING-INTERNAL when an essential name is not there."
  (dolist (entry *table*)
    (loop for (kind . names) in (cddr entry)
          do (dolist (name names)
               (resolve-name (if (listp name) name (list name)) kind (entry-feature entry)))))
  (let ((essential (remove-if-not #'entry-essential-p *table*)))
    (when (some (lambda (entry) (lacking (entry-feature entry))) essential)
      (error 'missing-internal :names (loop for entry in essential append (lacking (entry-feature entry)))
                               :features (remove-if-not #'lacking (mapcar #'entry-feature essential))
                               :essential t))))

(defun resolve-name (alternatives kind feature)
  (let* ((first (first alternatives))
         (colon (position #\: first))
         (name (subseq first (if colon (1+ colon) 0)))
         (places (if colon alternatives (rest alternatives)))
         (symbol (some (lambda (place) (symbol-there place kind)) places)))
    (cond ((null symbol) (note-lack (intern name '#:lisp-workbench/internals) (first places) kind feature))
          ((string= name (symbol-name symbol)) (import symbol '#:lisp-workbench/internals))
          (t (make-alias (intern name '#:lisp-workbench/internals) symbol)))
    (export (find-symbol name '#:lisp-workbench/internals) '#:lisp-workbench/internals)))

(defun symbol-there (place kind)
  "The symbol that PLACE, \"PACKAGE:NAME\", names, if it is what KIND says."
  (let* ((colon (position #\: place))
         (package (find-package (subseq place 0 colon))))
    (multiple-value-bind (symbol status) (and package (find-symbol (subseq place (1+ colon)) package))
      (and status
           (not (withheld-p place))
           (ecase kind
             (:function (and (fboundp symbol) (not (macro-function symbol))))
             (:macro (or (macro-function symbol) (special-operator-p symbol)))
             (:variable (variable-p symbol))
             (:constant (constantp symbol))
             (:type (sb-ext:valid-type-specifier-p symbol))
             (:name t))
           symbol))))

(defun variable-p (symbol)
  "Whether SYMBOL is a variable. Some have no value until somebody binds them."
  (or (boundp symbol)
      (handler-bind ((warning #'muffle-warning))
        (eval `(let ((,symbol nil)) (boundp ',symbol))))))

(defun withheld-p (place)
  "Whether PLACE is to count as missing, for tests of what happens then: LISP_WORKBENCH_WITHOUT names such places, or packages with
a colon, blanks between them."
  (let ((names (sb-ext:posix-getenv "LISP_WORKBENCH_WITHOUT")))
    (flet ((named-p (text) (search (format nil " ~A " text) (format nil " ~A " names))))
      (and names
           (or (named-p place) (named-p (subseq place 0 (1+ (position #\: place)))))))))

(defun make-alias (name symbol)
  "Let NAME be another name of the function SYMBOL."
  (setf (fdefinition name) (lambda (&rest arguments) (apply symbol arguments))
        (compiler-macro-function name) (lambda (form environment)
                                         (declare (ignore environment))
                                         (if (eq (first form) name) (cons symbol (rest form)) form))))

;;; Stand-ins

(defun note-lack (name text kind feature)
  (let ((known (assoc name *lacks*)))
    (cond (known (setf (cddr known) (append (cddr known) (list feature))))
          (t (setf *lacks* (append *lacks* (list (list name text feature))))
             (make-stand-in name kind)))))

(defun make-stand-in (name kind)
  (flet ((refuse (&rest arguments) (declare (ignore arguments)) (missing name)))
    (ecase kind
      (:function (setf (fdefinition name) #'refuse
                       (fdefinition `(setf ,name)) #'refuse))
      (:macro (setf (macro-function name) (lambda (form environment)
                                            (declare (ignore form environment))
                                            `(missing ',name))))
      (:variable (proclaim `(special ,name)))
      (:constant (eval `(define-symbol-macro ,name (missing ',name))))
      (:type (eval `(deftype ,name () nil)))
      (:name))))

(require-contribs)
(resolve-table)

;;; What is named alike and means something else

(defun fdefn-function (name)
  "What calls of the function NAME arrive at: of one that is encapsulated the encapsulation, of a macro what signals that it is
one; NIL when there is none. In newer SBCLs a symbol has no fdefn of its own, and asking for it is an error."
  (if (symbolp name)
      (%symbol-function name)
      (let ((fdefn (find-fdefn name))) (and fdefn (fdefn-fun fdefn)))))

(defparameter *commas-numbered*
  (handler-case (= 3 (length (form-number-translations '`(a ,b) 0))) (missing-internal () nil))
  "Whether a comma is a form of its own where SBCL numbers the subforms of a form; else it counts as what stands behind it.")

(defun form-part (form index)
  "The part of FORM at INDEX in a path as SBCL's form numbers give them. What stands behind a comma is its second part."
  (cond ((not (comma-p form)) (nth index form))
        (*commas-numbered* (comma-expr form))
        (t (form-part (comma-expr form) index))))
