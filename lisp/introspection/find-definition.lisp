;;;; The operation `find-definition`: finds all definitions of a name, of every kind, each with its exact place or the reason why the place
;;;; is unknown. Also finds the place of a single definition for other operations.

(in-package #:lisp-workbench/introspection)

(defconstant +most-definitions+ 500)

(define-operation "find-definition" (:looking-up request)
  (with-request-package (package request)
    (multiple-value-bind (symbol found) (request-symbol request)
      (let* ((named (and found (definition-records symbol)))
             (records (append named
                              (and (notany (lambda (record) (string= "package" (field record "kind"))) named)
                                   (package-records-named (field request "symbol")))
                              (system-records-named (field request "symbol")))))
        (object "found" (json-boolean (or found records))
                "symbol" (if found (printed-from-cl-user symbol) (field request "symbol"))
                "definitions" (array-of (loop for record in records repeat +most-definitions+ collect record))
                "total" (length records))))))

(defparameter *other-kinds*
  '(("compiler-macro" :compiler-macro) ("setf-expander" :setf-expander) ("type" :type) ("symbol-macro" :symbol-macro)
    ("method-combination" :method-combination) ("package" :package) ("declaration" :declaration)
    ("alien-type" :alien-type) ("source-transform" :source-transform) ("transform" :transform) ("optimizer" :optimizer)
    ("vop" :vop) ("ir1-convert" :ir1-convert))
  "Kinds of definitions other than functions, variables and classes. Each has its name on the wire and its name in SB-INTROSPECT.")

(defun definition-records (symbol)
  "Return records of all definitions that SYMBOL names. If a record cannot be created, omit only that record."
  (let ((records '()))
    (flet ((note (function) (setf records (nconc records (ignore-errors (funcall function))))))
      (note (lambda () (function-records symbol symbol "")))
      (note (lambda () (function-records `(setf ,symbol) symbol "setf-")))
      (note (lambda () (variable-records symbol)))
      (note (lambda () (class-records symbol)))
      (loop for (kind type) in *other-kinds*
            do (note (lambda () (records-by-name kind type symbol)))))
    records))

(defun found-record (kind name source symbol key)
  (definition-record kind name (definition-place source symbol) symbol key))

(defun record-at (kind name place)
  (list* :object "kind" kind "name" name (place-fields place)))

(defun definition-record (kind name place symbol key)
  "Return the record of the definition of KIND called NAME at PLACE. KEY is the key of SYMBOL's definition in events, or NIL if events do
not record such definitions."
  (append (record-at kind name place)
          (list "evaluated" (and key (place-evaluation place) (null (place-file place))
                                 (ignore-errors (evaluated-form (place-evaluation place) key symbol))))))

(defun function-records (name symbol prefix)
  "Return records of the function NAME, which is SYMBOL or (SETF SYMBOL), and of its methods."
  (when (and (fboundp name) (not (and (consp name) (null (fboundp-setf symbol)))))
    (let* ((special (and (symbolp name) (special-operator-p name)))
           (macro (and (symbolp name) (not special) (macro-function name)))
           (function (or macro (real-function (fdefinition name))))
           (generic (and (not special) (typep function 'generic-function)))
           (kind (cond (special "special-operator") (macro "macro") (generic "generic-function") (t "function"))))
      (cons (definition-record (concatenate 'string prefix kind) (print-short name 300)
                               (if special
                                   (definition-place (first (find-definition-sources-by-name name :ir1-convert)) symbol)
                                   (function-place name function symbol))
                               symbol (cons :function name))
            (and generic
                 (loop for method in (visible-methods (sb-mop:generic-function-methods function))
                       for record = (ignore-errors
                                     (method-found-record method name symbol prefix))
                       when record collect record))))))

(defun method-found-record (method name symbol prefix)
  (definition-record (concatenate 'string prefix "method") (method-name-text method name) (method-place method symbol)
                     symbol (method-key method name)))

(defun origin (kind name object symbol)
  "Return two values: the source object of a definition or NIL, and the definition's actor or NIL."
  (let ((place (ecase kind
                 ((:function :generic-function :macro) (function-place name object symbol))
                 (:method (method-place object symbol))
                 ((:class :structure :condition :variable :constant :type)
                  (definition-place (known-source kind name object) symbol)))))
    (values (source-of-place place) (place-actor place))))

(defun option-of-method-p (node method)
  "Return true if NODE is a (:METHOD …) option with the qualifiers and specializers of METHOD."
  (when (equal "METHOD" (operator-name node))
    (let* ((parts (rest (node-children node)))
           (at (position :list parts :key #'node-kind)))
      (and at
           (equal (mapcar #'node-name (subseq parts 0 at)) (mapcar #'princ-to-string (method-qualifiers method)))
           (loop for specializer in (sb-mop:method-specializers method)
                 for parameter in (node-children (nth at parts))
                 always (string= (specializer-label specializer) (parameter-label parameter)))))))

(defun specializer-label (specializer)
  (if (typep specializer 'sb-mop:eql-specializer) "EQL" (string (class-name specializer))))

(defun parameter-label (node)
  "Return the name of the specializer of a required parameter."
  (let ((specializer (and (eq (node-kind node) :list) (second (node-children node)))))
    (cond ((null specializer) "T")
          ((eq (node-kind specializer) :token) (node-name specializer))
          (t (or (operator-name specializer) "")))))

(defun first-source (object)
  (ignore-errors (find-definition-source (original-of object))))

(defun variable-records (symbol)
  (let ((kind (first (variable-kinds symbol))))
    (when (member kind '("variable" "constant") :test #'equal)
      (list (found-record kind (print-short symbol 300)
                          (first (find-definition-sources-by-name
                                  symbol (if (string= kind "constant") :constant :variable)))
                          symbol (cons :variable symbol))))))

(defun class-records (symbol)
  (let ((class (find-class symbol nil)))
    (when (and class (eq (class-name class) symbol))
      (list (found-record (string-downcase (class-kind class)) (print-short symbol 300) (first-source class) symbol
                          (cons :class symbol))))))

(defun records-by-name (kind type symbol)
  (unless (and (string= kind "type") (find-class symbol nil))
    (loop for source in (find-definition-sources-by-name symbol type)
          for record = (ignore-errors (found-record kind (print-short symbol 300) source symbol (key-of-kind type symbol)))
          when record collect record)))

(defun key-of-kind (type symbol)
  "Return the key of the definition of SYMBOL whose type in SB-INTROSPECT is TYPE. Return NIL if events do not record such definitions."
  (case type
    ((:compiler-macro :setf-expander :type :method-combination) (cons type symbol))
    (:symbol-macro (cons :variable symbol))
    (:package (cons :package (symbol-name symbol)))))

;;; Packages and systems. Their names need not be symbols

(defun package-records-named (text)
  (let ((package (designated-package (string-left-trim "#:" (string-trim "\"" text)))))
    (when (and package (user-package-p package))
      (let ((name (package-name package)))
        (list (found-record "package" name (first-source package) (make-symbol name) (cons :package name)))))))

(defun system-records-named (text)
  "Return the record of the ASDF system called TEXT. Return NIL if ASDF would have to search for files to find the system."
  (let* ((name (string-downcase (string-left-trim "#:" (string-trim "\"" text))))
         (system (ignore-errors (asdf:registered-system name)))
         (file (and system
                    (not (baseline-system-p name))
                    (ignore-errors (existing-file (asdf:system-source-file system))))))
    (when file
      (let* ((content (file-text file))
             (place (make-place :file file))
             (node (and content (defsystem-node content name))))
        (when node (put-node place content node))
        (list (definition-record "system" name place (make-symbol name) nil))))))

(defun defsystem-node (text name)
  (find-if (lambda (node)
             (let ((named (second (node-children node))))
               (and named
                    (equal "DEFSYSTEM" (operator-name node))
                    (string-equal name (string-trim "\"" (if (eq (node-kind named) :token)
                                                             (node-name named)
                                                             (node-text text named)))))))
           (read-nodes text)))
