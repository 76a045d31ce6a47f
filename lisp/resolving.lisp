;;;; Looks up each name in the table in this SBCL, and determines which features are missing. A missing name gets a stand-in with the same
;;;; name, so that source code with that name can be read and compiled.

(in-package #:lisp-workbench/internals)

(defvar *lacks* '() "The names in the table that this SBCL lacks, as (stand-in text . features). TEXT is the name as written in the table.")

;;; Missing internals

(define-condition missing-internal (error)
  ((names :initarg :names :reader missing-names)
   (features :initarg :features :reader missing-features)
   (essential :initarg :essential :initform nil :reader essential-p))
  (:report (lambda (condition stream)
             (format stream "SBCL ~A lacks ~{~A~^, ~}, ~:[needed for ~{~A~^, and for ~}. Everything else works.~
                             ~;without which the engine does not start (~{~A~^; ~}).~]"
                     (lisp-implementation-version) (missing-names condition) (essential-p condition)
                     (missing-features condition))))
  (:documentation "Signalled when a feature needs an internal name that this SBCL lacks. NAMES are written as in the table."))

(defun missing (stand-in)
  "Signal an error because STAND-IN, which represents a missing name, was used."
  (destructuring-bind (text . features) (rest (assoc stand-in *lacks*))
    (error 'missing-internal :names (list text) :features features)))

(defun lacking (feature)
  "Return the names that FEATURE needs and this SBCL lacks; NIL if the feature works. FEATURE is written as in the table."
  (assert (find feature *table* :key #'entry-feature :test #'string=) () "The table has no feature ~S." feature)
  (loop for (nil text . features) in *lacks*
        when (member feature features :test #'string=) collect text))

(defun lacking-features ()
  "Return (feature name …) for each feature that does not work, in the order of the table."
  (loop for entry in *table*
        for names = (lacking (entry-feature entry))
        when names collect (cons (entry-feature entry) names)))

(defun call-with-refusals (function)
  "Call FUNCTION for each operation that cannot be served, with its name and a function of a request that signals the reason."
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

(defun call-keeping-restrictions (function &rest arguments)
  "Apply FUNCTION, which loads contributed modules, to ARGUMENTS. Afterwards undo the compiler policy restrictions that the modules
declared. For example, SB-MD5 declares (SPACE 1) for its own code. If that remained in effect, no later code would be inlined or unrolled."
  (let ((variables (remove nil (mapcar (lambda (place) (symbol-there place :variable)) *restrictions*))))
    (progv variables
        ;; SBCL changes an existing restriction in place, so copy it here.
        (mapcar (lambda (variable)
                  (let ((value (symbol-value variable)))
                    (if (typep value 'structure-object) (copy-structure value) value)))
                variables)
      (apply function arguments))))

(defun require-contribs ()
  (loop for (module . essential) in *contribs*
        do (handler-case (call-keeping-restrictions #'require module)
             (error ()
               (when essential
                 (error 'missing-internal :names (list (symbol-name module)) :features (list essential) :essential t))))))

(defun resolve-table ()
  "Resolve all names of the table. Signal MISSING-INTERNAL if an essential name is missing."
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
  "Return the symbol that PLACE, \"PACKAGE:NAME\", names if the symbol is of KIND; otherwise NIL."
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
  "Return true if SYMBOL is a variable. A variable may have no value until it is bound."
  (or (boundp symbol)
      (handler-bind ((warning #'muffle-warning))
        (eval `(let ((,symbol nil)) (boundp ',symbol))))))

(defun withheld-p (place)
  "Return true if PLACE must be treated as missing, which is used to test missing internals. The environment variable LISP_WORKBENCH_WITHOUT
contains such places, or package names followed by a colon, separated by blanks."
  (or (withheld-name-p place) (withheld-name-p (subseq place 0 (1+ (position #\: place))))))

(defun withheld-name-p (name)
  (let ((names (sb-ext:posix-getenv "LISP_WORKBENCH_WITHOUT")))
    (and names (search (format nil " ~A " name) (format nil " ~A " names)) t)))

(defun make-alias (name symbol)
  "Make NAME another name of the function SYMBOL."
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

(defun turn-off (feature reason)
  "Treat FEATURE as unavailable in this SBCL. REASON is listed together with the names that this SBCL lacks."
  (assert (find feature *table* :key #'entry-feature :test #'string=))
  (setf *lacks* (append *lacks* (list (list nil reason feature)))))

(defparameter *following* "guarding code that agents defined" "The feature that lisp/authorship implements.")

(defun following-p ()
  "Return true if the guard follows authors, which means that the effects of an agent's definition require approval, regardless of the
caller."
  (null (lacking *following*)))

;;; The switch for the following guard. Without it, only effects of agents' own evaluations require approval.
(when (withheld-name-p "FOLLOWING") (turn-off *following* "LISP_WORKBENCH_FOLLOWING=on"))

;;; Internals that have the same name but different meanings across versions of SBCL

(defun fdefn-function (name)
  "Return the function that a call of NAME reaches, or NIL if there is none. For an encapsulated function this is the encapsulation; for a
macro, the function that signals an error. In newer versions of SBCL a symbol has no separate fdefn, and requesting one is an error."
  (if (symbolp name)
      (%symbol-function name)
      (let ((fdefn (find-fdefn name))) (and fdefn (fdefn-fun fdefn)))))

(eval-when (:compile-toplevel :load-toplevel :execute)
  (defparameter *symbols-have-fdefns*
    (handler-case (eq #'car (fdefn-fun (find-fdefn 'car))) (error () nil))
    "True if this SBCL stores the function of a symbol in a separate object, called fdefn."))

(defun function-cell (symbol)
  "Return the object that stores the global function of SYMBOL. The object stays the same if the function is replaced."
  (if *symbols-have-fdefns* (find-fdefn symbol) symbol))

(defmacro function-in-cell (cell)
  "Return the function in CELL, or NIL, with a single memory read."
  (if *symbols-have-fdefns* `(fdefn-fun (the fdefn ,cell)) `(%symbol-function (the symbol ,cell))))

(defparameter *commas-numbered*
  (handler-case (= 3 (length (form-number-translations '`(a ,b) 0))) (missing-internal () nil))
  "True if SBCL numbers a comma as a separate form; false if it numbers only the form after the comma.")

(defparameter *quoted-numbered*
  (handler-case (< 1 (length (form-number-translations ''(a) 0))) (missing-internal () nil))
  "True if SBCL also numbers the parts of quoted objects.")

(defun form-part (form index)
  "Return the part of FORM at INDEX, an element of a path to one of SBCL's form numbers. If SBCL numbers commas, the only part of a comma is
the form after it."
  (cond ((not (comma-p form)) (nth index form))
        (*commas-numbered* (comma-expr form))
        (t (form-part (comma-expr form) index))))

;;; Callees of functions. SB-INTROSPECT misses some calls in SBCL versions that call through a linkage table.

(defun function-callees (function)
  "Return the functions that the code of FUNCTION calls by name."
  ;; SB-INTROSPECT returns NIL for an undefined name.
  (let ((known (remove nil (ignore-errors (find-function-callees function)))))
    (if (and (not (lacking "who-calls and other cross references")) (compiled-function-p function))
        (union known (ignore-errors (linked-callees (fun-code-header (%fun-fun function)))))
        known)))

(defun linked-callees (code)
  "Return the functions that CODE, an x86-64 code component, calls through the linkage table. Search its instructions for a CALL or JMP with
the address of a table entry, or with the entry's offset in the table. Octets that only look like such an instruction may add a wrong
function."
  (let ((entry-name (find-symbol "LINKAGE-ADDR->NAME" "SB-VM")) (callees '()))
    (when (and entry-name (fboundp entry-name))
      (with-pinned-objects (code)
        (let ((instructions (code-instructions code)))
          (dotimes (index (max 0 (- (%code-text-size code) 5)))
            (when (= #xFF (sb-sys:sap-ref-8 instructions index))
              (let* ((offset (signed-sap-ref-32 instructions (+ index 2)))
                     (name (ignore-errors
                            (case (sb-sys:sap-ref-8 instructions (1+ index))
                              ((#x15 #x25) (funcall entry-name (+ (sb-sys:sap-int instructions) index 6 offset) :abs))
                              ((#x90 #xA0) (and (plusp offset) (zerop (mod offset 8)) (funcall entry-name offset :rel)))))))
                (let ((function (cond ((typep name 'fdefn) (fdefn-fun name)) ; for a SETF function, the table contains the cell instead of
                                                                             ; the name
                                      ((and name (fboundp name)) (fdefinition name)))))
                  (when function (pushnew function callees)))))))))
    callees))
