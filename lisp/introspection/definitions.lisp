;;;; The definitions of a package, found by looking at its symbols: so also those that were made inside functions.

(in-package #:lisp-workbench/introspection)

(defconstant +value-limit+ 200 "Characters.")

(defun package-definitions (package)
  "Records of everything that PACKAGE defines, by kind and name. Methods count where their function or a class of theirs is."
  (let ((records '()) (methods '()) (*package* package))
    (flet ((note (record) (when record (push record records))))
      (map-own-symbols (symbol package)
        (note (function-record symbol symbol))
        (note (function-record `(setf ,symbol) symbol))
        (note (variable-record symbol))
        (note (class-record symbol))
        (note (type-record symbol))
        (setf methods (nconc (methods-of symbol) methods)))
      (dolist (method (remove-duplicates methods))
        (note (method-record method))))
    (sort records #'record-before-p)))

(defun record-before-p (one other)
  (let ((kind (field one "kind")) (other-kind (field other "kind")))
    (if (string= kind other-kind)
        (string< (field one "name") (field other "name"))
        (string< kind other-kind))))

(defun record (kind name symbol &key object lambda-list value documentation)
  (multiple-value-bind (source actor) (origin kind name object symbol)
    (record-with-event (latest-event (cons (facet-of kind) name)) actor
                       "kind" (string-downcase kind)
                       "name" (print-short name 300)
                       "lambdaList" lambda-list
                       "value" value
                       "documentation" (and (stringp documentation) documentation)
                       "source" source)))

(defun facet-of (kind)
  "The first part of an event's key."
  (ecase kind
    ((:function :macro :generic-function) :function)
    ((:variable :constant) :variable)
    ((:class :structure :condition) :class)
    (:type :type)))

(defun record-with-event (event actor &rest fields)
  "An undo changed who made the definition what it is; what a file brought is nobody's."
  (append (apply #'object fields)
          (list "actor" (if (and event (event-undoes event)) (event-actor event) actor)
                "event" (and event (event-id event))
                "evaluation" (and event (event-evaluation event))
                "time" (and event (event-time event)))))

(defun function-record (name symbol)
  (when (and (fboundp name) (not (and (symbolp name) (special-operator-p name))))
    (let* ((macro (and (symbolp name) (macro-function name)))
           (function (or macro (fdefinition name))))
      (record (cond (macro :macro)
                    ((typep function 'generic-function) :generic-function)
                    (t :function))
              name symbol
              :object function
              :lambda-list (lambda-list-text (if macro name function))
              :documentation (ignore-errors (documentation name 'function))))))

(defun variable-record (symbol)
  (let ((kind (info :variable :kind symbol)))
    (when (and (or (boundp symbol) (member kind '(:special :global :always-bound :constant)))
               (not (keywordp symbol)))
      (record (if (eq kind :constant) :constant :variable)
              symbol symbol
              :value (and (boundp symbol) (print-short (symbol-value symbol) +value-limit+))
              :documentation (documentation symbol 'variable)))))

(defun class-record (symbol)
  (let ((class (find-class symbol nil)))
    (when (and class (eq (class-name class) symbol))
      (record (class-kind class) symbol symbol
              :object class
              :documentation (ignore-errors (documentation class t))))))

(defun class-kind (class)
  (cond ((typep class 'structure-class) :structure)
        ((subtypep class 'condition) :condition)
        (t :class)))

(defun type-record (symbol)
  (when (and (info :type :expander symbol) (not (find-class symbol nil)))
    (record :type symbol symbol :documentation (documentation symbol 'type))))

(defun methods-of (symbol)
  "Methods of the functions that SYMBOL names and those specialized on its class; not the accessors of slots."
  (let ((class (find-class symbol nil)))
    (remove-if (lambda (method) (typep method 'sb-mop:standard-accessor-method))
               (append (function-methods symbol)
                       (function-methods `(setf ,symbol))
                       (and class (copy-list (sb-mop:specializer-direct-methods class)))))))

(defun function-methods (name)
  (when (fboundp name)
    (let ((function (fdefinition name)))
      (when (typep function 'generic-function)
        (copy-list (sb-mop:generic-function-methods function))))))

(defun method-record (method)
  (let ((function (sb-mop:method-generic-function method)))
    (when function
      (let* ((name (sb-mop:generic-function-name function))
             (symbol (if (consp name) (second name) name)))
        (multiple-value-bind (source actor) (origin :method name method symbol)
          (record-with-event (latest-event (method-key method name)) actor
                             "kind" "method"
                             "name" (method-name-text method name)
                             "lambdaList" (printed-lambda-list (sb-mop:method-lambda-list method))
                             "value" nil
                             "documentation" (ignore-errors (documentation method t))
                             "source" source))))))

(defun method-name-text (method name)
  "DISCOUNT :AROUND (CLUB-MEMBER T)"
  (format nil "~A~{ ~A~} ~A"
          (print-short name 300)
          (mapcar (lambda (qualifier) (print-short qualifier 100)) (method-qualifiers method))
          (print-short (mapcar #'specializer-name (sb-mop:method-specializers method)) 300)))

(defun specializer-name (specializer)
  (if (typep specializer 'sb-mop:eql-specializer)
      (list 'eql (sb-mop:eql-specializer-object specializer))
      (class-name specializer)))

;;; Operations

(define-operation "definitions" (:looking-up request)
  (sweep-pending)
  (let ((names (field request "packages")))
    (object "packages"
            (array-of (loop for package in (if names
                                               (remove nil (map 'list #'designated-package names))
                                               (user-packages))
                            when (package-name package)
                              collect (object "package" (package-name package)
                                              "definitions" (array-of (package-definitions package))))))))

(define-operation "list-definitions" (:looking-up request)
  (sweep-pending)
  (let* ((name (or (field request "package") (context-package-name (field request "context"))))
         (package (designated-package name)))
    (object "package" (if package (package-name package) name)
            "definitions" (array-of (and package (package-definitions package)))
            "systems" (array-of (loaded-system-names))
            "unknownPackage" (json-boolean (null package)))))

(defun loaded-system-names ()
  (sort (loop for name in (asdf:already-loaded-systems)
              unless (baseline-system-p name)
                collect (string-upcase name))
        #'string<))
