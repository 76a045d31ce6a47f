;;;; Looks for every name of the table in this SBCL, and says which features are missing. A missing name gets a stand-in of the same
;;;; name, so that source which uses it can be read and compiled.

(in-package #:lisp-workbench/internals)

(defvar *lacks* '() "The table's names that this SBCL lacks: (stand-in text . features), TEXT as the table names it.")

;;; Missing internals

(define-condition missing-internal (error)
  ((names :initarg :names :reader missing-names)
   (features :initarg :features :reader missing-features)
   (essential :initarg :essential :initform nil :reader essential-p))
  (:report (lambda (condition stream)
             (format stream "SBCL ~A lacks ~{~A~^, ~}, ~:[needed for ~{~A~^, and for ~}. What does not need ~:[them~;it~] works.~
                             ~;without which the engine does not start (~{~A~^; ~}).~]"
                     (lisp-implementation-version) (missing-names condition) (essential-p condition)
                     (missing-features condition) (null (rest (missing-names condition))))))
  (:documentation "Signalled when a feature needs an internal that this SBCL lacks. NAMES are as the table has them."))

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

(defun call-keeping-restrictions (function &rest arguments)
  "Apply FUNCTION, which loads contributed modules, and take back what these restrict the compiler's policy to: SB-MD5 says (SPACE 1) for
its own code, and all code that is compiled later would be neither inlined nor unrolled, and have constants in the place of calls."
  (let ((variables (remove nil (mapcar (lambda (place) (symbol-there place :variable)) *restrictions*))))
    (progv variables
        ;; A restriction that is there already is changed in place.
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
  "True when SYMBOL is a variable; some have no value until somebody binds them."
  (or (boundp symbol)
      (handler-bind ((warning #'muffle-warning))
        (eval `(let ((,symbol nil)) (boundp ',symbol))))))

(defun withheld-p (place)
  "True when PLACE is to count as missing, in tests of missing internals: LISP_WORKBENCH_WITHOUT names such places, or packages with a colon,
with blanks between them."
  (or (withheld-name-p place) (withheld-name-p (subseq place 0 (1+ (position #\: place))))))

(defun withheld-name-p (name)
  (let ((names (sb-ext:posix-getenv "LISP_WORKBENCH_WITHOUT")))
    (and names (search (format nil " ~A " name) (format nil " ~A " names)) t)))

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

(defun turn-off (feature reason)
  "Count FEATURE as one that this SBCL cannot have; REASON is listed with the names that it lacks."
  (assert (find feature *table* :key #'entry-feature :test #'string=))
  (setf *lacks* (append *lacks* (list (list nil reason feature)))))

(defparameter *following* "keeping the guard on what agents defined" "The feature that lisp/authorship is.")

(defun following-p ()
  "True when the guard follows authors: what an agent defined is asked about whoever calls it."
  (null (lacking *following*)))

;;; The switch: without following the guard asks about what agents' own evaluations do.
(when (withheld-name-p "FOLLOWING") (turn-off *following* "LISP_WORKBENCH_FOLLOWING=on"))

;;; Internals whose name is the same in all SBCLs and whose meaning is not

(defun fdefn-function (name)
  "Return the function that a call of NAME reaches: the encapsulation of an encapsulated function, for a macro the function that signals an
error; NIL when there is none. In newer SBCLs a symbol has no fdefn of its own, and asking for it is an error."
  (if (symbolp name)
      (%symbol-function name)
      (let ((fdefn (find-fdefn name))) (and fdefn (fdefn-fun fdefn)))))

(eval-when (:compile-toplevel :load-toplevel :execute)
  (defparameter *symbols-have-fdefns*
    (handler-case (eq #'car (fdefn-fun (find-fdefn 'car))) (error () nil))
    "True when this SBCL keeps the function of a symbol in an object of its own, an fdefn."))

(defun function-cell (symbol)
  "Return the object that stores the global function of SYMBOL. It stays the same when the function is replaced."
  (if *symbols-have-fdefns* (find-fdefn symbol) symbol))

(defmacro function-in-cell (cell)
  "The function in CELL, or NIL, at the cost of a read of memory."
  (if *symbols-have-fdefns* `(fdefn-fun (the fdefn ,cell)) `(%symbol-function (the symbol ,cell))))

(defparameter *commas-numbered*
  (handler-case (= 3 (length (form-number-translations '`(a ,b) 0))) (missing-internal () nil))
  "True when a comma is a form of its own where SBCL numbers the subforms of a form; else it counts as the form behind it.")

(defparameter *quoted-numbered*
  (handler-case (< 1 (length (form-number-translations ''(a) 0))) (missing-internal () nil))
  "True when SBCL numbers the parts of quoted objects as well.")

(defun form-part (form index)
  "The part of FORM at INDEX in a path as SBCL's form numbers give them. The form behind a comma is its second part."
  (cond ((not (comma-p form)) (nth index form))
        (*commas-numbered* (comma-expr form))
        (t (form-part (comma-expr form) index))))

;;; Callers of global functions. SB-INTROSPECT does not see all calls in SBCLs that call through a table of their own.

(defun function-callees (function)
  "The functions that the code of FUNCTION calls by name."
  ;; SB-INTROSPECT has NIL for a name that is not defined.
  (let ((known (remove nil (ignore-errors (find-function-callees function)))))
    (if (and (not (lacking "who-calls and other cross references")) (compiled-function-p function))
        (union known (ignore-errors (linked-callees (fun-code-header (%fun-fun function)))))
        known)))

(defun linked-callees (code)
  "The functions whose entries in the table the instructions of CODE, a code component of x86-64, jump to: CALL or JMP with the
place of an entry, or with its offset in the table. What only looks like that is one more at most."
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
                (let ((function (cond ((typep name 'fdefn) (fdefn-fun name)) ; the cell of a SETF function has no other name there
                                      ((and name (fboundp name)) (fdefinition name)))))
                  (when function (pushnew function callees)))))))))
    callees))
