;;;; The definitions of a package. The package's symbols are searched for definitions, so definitions made inside functions are also found.

(in-package #:lisp-workbench/introspection)

(defconstant +value-limit+ 200 "The maximum length of a variable's printed value, in characters.")
(defconstant +listed-documentation+ 2000 "The maximum length of a documentation string in a list, in characters.")

(defmacro looked-at (kind name symbol record)
  "Evaluate RECORD. If user code fails during that evaluation, return a record that reports the failure, so that the failure does not hide
all other records."
  `(handler-case ,record
     (error (condition) (marked-record ,kind ,name ,symbol condition))))

(defstruct (listed (:constructor make-listed (kind text make)))
  "A definition with only the facts that are needed to sort lists, because a package may have a hundred thousand definitions."
  (kind "" :type simple-string :read-only t)
  (text "" :type simple-string :read-only t) ; the definition's name, or a similar text, by which the list is sorted
  (make nil :type function :read-only t))    ; returns the definition's record, or NIL if the definition no longer exists

(defun package-definitions (package)
  "Return records of all definitions in PACKAGE, sorted by kind and name. A method belongs to its function's package and to the packages of
its classes."
  (values (records-of package (sort (listed-definitions package) #'listed-before-p))))

(defun records-of (package listed &key (start 0) count)
  "Return two values: COUNT records of the definitions in LISTED, beginning at index START, and the total number of records."
  (let ((*package* package) (total (length listed)))
    (values (loop for each in (nthcdr (min start total) listed)
                  repeat (or count total)
                  for record = (funcall (listed-make each))
                  when record collect record)
            total)))

(defun listed-definitions (package)
  (let ((all '()) (methods '()))
    (flet ((note (kind text make) (when kind (push (make-listed kind text make) all))))
      (map-own-symbols (symbol package)
        (let ((symbol symbol) (name (text-of-symbol symbol)) (setter `(setf ,symbol)))
          (note (function-kind symbol) name
                (lambda () (looked-at :function symbol symbol (function-record symbol symbol))))
          (when (fboundp setter)
            (note (function-kind setter) (concatenate 'simple-string "(SETF " name ")")
                  (lambda () (looked-at :function setter symbol (function-record setter symbol)))))
          (note (variable-kind symbol) name (lambda () (looked-at :variable symbol symbol (variable-record symbol))))
          (note (kind-of-class symbol) name (lambda () (looked-at :class symbol symbol (class-record symbol))))
          (note (type-kind symbol) name (lambda () (looked-at :type symbol symbol (type-record symbol))))
          (setf methods (nconc (methods-of symbol) methods))))
      (dolist (method (remove-duplicates methods))
        (let ((method method))
          (note "method" (read-of-users "" (method-sort-text method)) (lambda () (read-of-users nil (method-record method)))))))
    all))

(defun text-of-symbol (symbol)
  (coerce (symbol-name symbol) 'simple-string))

(defun method-sort-text (method)
  (flet ((text (name) (if (symbolp name) (symbol-name name) (princ-to-string name))))
    (let ((function (sb-mop:method-generic-function method)))
      (format nil "~A~{ ~A~}~{ ~A~}"
              (if function (text (sb-mop:generic-function-name function)) "")
              (mapcar #'text (method-qualifiers method))
              (mapcar (lambda (specializer) (text (specializer-name specializer)))
                      (sb-mop:method-specializers method))))))

(defun listed-before-p (one other)
  (if (string= (listed-kind one) (listed-kind other))
      (string< (listed-text one) (listed-text other))
      (string< (listed-kind one) (listed-kind other))))

(defun listed-by-name (listed)
  (sort listed #'string< :key #'listed-text))

(defun listed-in-groups (listed groups)
  "Return the elements of LISTED whose kinds are in GROUPS, group by group and sorted by name within each group."
  (loop for kinds across groups
        nconc (listed-by-name (remove-if-not (lambda (each) (find (listed-kind each) kinds :test #'string=)) listed))))

(defun marked-record (kind name symbol condition)
  (record kind name symbol :documentation (format nil "This definition cannot be read: ~A" (message condition 300))))

(defun record (kind name symbol &key object lambda-list value documentation)
  (multiple-value-bind (source actor) (origin kind name object symbol)
    (record-with-event (latest-event (cons (facet-of kind) name)) actor
                       "kind" (string-downcase kind)
                       "name" (print-short name 300)
                       "lambdaList" lambda-list
                       "value" value
                       "documentation" (listed-documentation documentation)
                       "source" source)))

(defun listed-documentation (documentation)
  "Return the start of DOCUMENTATION, short enough for a list of thousands of definitions; NIL if DOCUMENTATION is not a string."
  (cond ((not (stringp documentation)) nil)
        ((<= (length documentation) +listed-documentation+) documentation)
        (t (concatenate 'string (subseq documentation 0 +listed-documentation+) "…"))))

(defun facet-of (kind)
  "Return the facet, the first element of a key, that events use for KIND."
  (ecase kind
    ((:function :macro :generic-function) :function)
    ((:variable :constant) :variable)
    ((:class :structure :condition) :class)
    (:type :type)))

(defun record-with-event (event actor &rest fields)
  "Return an object of FIELDS with the actor responsible for the current definition. After an undo, this is the actor who undid a change. A
definition from a file has no actor."
  (append (apply #'object fields)
          (list "actor" (if (and event (event-undoes event)) (event-actor event) actor)
                "event" (and event (event-id event))
                "evaluation" (and event (event-evaluation event))
                "time" (and event (event-time event)))))

(defun function-kind (name)
  (when (and (fboundp name) (not (and (symbolp name) (special-operator-p name))))
    (cond ((and (symbolp name) (macro-function name)) "macro")
          ((typep (real-function (fdefinition name)) 'generic-function) "generic-function")
          (t "function"))))

(defun function-record (name symbol)
  (when (function-kind name)
    (let* ((macro (and (symbolp name) (macro-function name)))
           (function (or macro (real-function (fdefinition name)))))
      (record (cond (macro :macro)
                    ((typep function 'generic-function) :generic-function)
                    (t :function))
              name symbol
              :object function
              :lambda-list (lambda-list-text (if macro name function))
              :documentation (or (and (typep function 'generic-function) (trouble-with-methods function))
                                 (ignore-errors (documentation name 'function)))))))

(defun trouble-with-methods (function)
  "Return a sentence with the reason why the methods of the generic FUNCTION cannot be listed; NIL if they can."
  (handler-case (progn (sb-mop:generic-function-methods function) nil)
    (error (condition) (format nil "Its methods cannot be listed: ~A" (message condition 300)))))

(defun variable-kind (symbol)
  (let ((kind (info :variable :kind symbol)))
    (when (and (or (boundp symbol) (member kind '(:special :global :always-bound :constant)))
               (not (keywordp symbol)))
      (if (eq kind :constant) "constant" "variable"))))

(defun variable-record (symbol)
  (let ((kind (variable-kind symbol)))
    (when kind
      (record (if (string= kind "constant") :constant :variable)
              symbol symbol
              :value (and (boundp symbol) (print-short (symbol-value symbol) +value-limit+))
              :documentation (documentation symbol 'variable)))))

(defun kind-of-class (symbol)
  "Return the kind of the class SYMBOL. Return NIL if SYMBOL does not name a class, or is not the proper name of the class."
  (let ((class (find-class symbol nil)))
    (when class
      (handler-case (and (eq (class-name class) symbol) (string-downcase (class-kind class)))
        (error () "class")))))

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

(defun type-kind (symbol)
  (and (info :type :expander symbol) (not (find-class symbol nil)) "type"))

(defun type-record (symbol)
  (when (type-kind symbol)
    (record :type symbol symbol :documentation (documentation symbol 'type))))

(defun methods-of (symbol)
  "Return the methods of the functions that SYMBOL names and the methods specialized on the class that SYMBOL names. Omit slot accessors."
  (let ((class (find-class symbol nil)))
    (remove-if (lambda (method) (typep method 'sb-mop:standard-accessor-method))
               (append (function-methods symbol)
                       (function-methods `(setf ,symbol))
                       (and class (read-of-users '() (copy-list (sb-mop:specializer-direct-methods class))))))))

(defun function-methods (name)
  (when (fboundp name)
    (let ((function (fdefinition name)))
      (when (typep function 'generic-function)
        (read-of-users '() (copy-list (sb-mop:generic-function-methods function)))))))

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
  "Return the name of METHOD as text, such as DISCOUNT :AROUND (CLUB-MEMBER T)."
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
  (let ((names (field request "packages"))
        (text (field request "text"))
        (most (field request "most"))
        (room (field request "room")))
    (object "packages"
            (array-of (loop for package in (if names
                                               (remove nil (map 'list #'designated-package names))
                                               (user-packages))
                            when (package-name package)
                              collect (let* ((listed (listed-by-name (matching (listed-definitions package) text)))
                                             (shown (min most room (length listed))))
                                        (decf room shown)
                                        (object "package" (package-name package)
                                                "definitions" (array-of (records-of package listed :count shown))
                                                "more" (- (length listed) shown))))))))

(defun matching (listed text)
  "Return the elements of LISTED whose names contain TEXT in any case, or all elements if TEXT is NIL."
  (if text
      (let ((text (coerce text 'simple-string)))
        (remove-if-not (lambda (each) (search text (listed-text each) :test #'char-equal)) listed))
      listed))

(define-operation "list-definitions" (:looking-up request)
  (sweep-pending)
  (let* ((name (or (field request "package") (context-package-name (field request "context"))))
         (package (designated-package name))
         (groups (field request "groups"))
         (listed (and package (listed-definitions package))))
    (multiple-value-bind (records total)
        (if package
            (records-of package
                        (if groups (listed-in-groups listed groups) (sort listed #'listed-before-p))
                        :start (or (field request "start") 0)
                        :count (field request "count"))
            (values '() 0))
      (object "package" (if package (package-name package) name)
              "definitions" (array-of records)
              "total" total
              "systems" (array-of (loaded-system-names))
              "unknownPackage" (json-boolean (null package))))))

(defun loaded-system-names ()
  (sort (loop for name in (asdf:already-loaded-systems)
              unless (or (baseline-system-p name) (tool-system-p name))
                collect (string-upcase name))
        #'string<))
