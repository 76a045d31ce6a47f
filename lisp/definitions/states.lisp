;;;; A state is one meaning (facet) of a name, stored as a value that can be restored. A key is (FACET . NAME). A state is NIL if there is
;;;; no definition, otherwise (KIND . facts). CAPTURE must be fast, because it is called for each definition.

(in-package #:lisp-workbench/definitions)

(defun capture (key)
  "Return the current state of KEY."
  (let ((name (cdr key)))
    (ecase (car key)
      (:function (function-state name))
      (:variable (variable-state name))
      (:class (class-state name))
      (:method (method-state name))
      (:type (let ((expander (info :type :expander name))) (and expander (list :type :expander expander))))
      (:compiler-macro (let ((function (stored-compiler-macro-function name)))
                         (and function (list :compiler-macro :function function))))
      (:setf-expander (let ((expander (info :setf :expander name)))
                        (and expander (list :setf-expander :expander expander))))
      (:package (package-state name))
      (:package-name (package-name-state name))
      (:proclamation (proclamation-state name))
      (:logical-host (logical-host-state name))
      (:symbol (let ((package (symbol-package name)))
                 (and package (list :symbol :package package
                                            :status (nth-value 1 (find-symbol (symbol-name name) package))))))
      (:method-combination nil))))

(defun state-kind (state) (first state))

(defun state-fact (state fact) (getf (rest state) fact))

(defun function-state (name)
  (cond ((not (fboundp name)) nil)
        ((and (symbolp name) (special-operator-p name)) nil)
        ((and (symbolp name) (stored-macro-function name)) (list :macro :function (stored-macro-function name)))
        (t (let ((function (fdefinition name)))
             (if (typep function 'generic-function)
                 (generic-function-state function)
                 (list :function :function function :inlining (info :function :inlining-data name)))))))

(defun generic-function-state (function)
  (list :generic-function
        :function function
        :methods (methods-now function)
        :initargs (read-of-users '()
                    (list :lambda-list (sb-mop:generic-function-lambda-list function)
                          :method-combination (sb-mop:generic-function-method-combination function)
                          :documentation (documentation function t)))))

(defun methods-now (function)
  "Return a copy of the list of FUNCTION's methods; NIL if reading the list calls a user's method that fails."
  (read-of-users '() (copy-list (sb-mop:generic-function-methods function))))

(defun variable-state (symbol)
  (let ((kind (info :variable :kind symbol)) (bound (boundp symbol)))
    (cond ((eq kind :macro) (list :symbol-macro :expansion (info :variable :macro-expansion symbol)))
          ((and (not bound)
                (or (eq kind :unknown)
                    ;; A declaration is not a state if compiling the file that is now being loaded made it.
                    (and *load-truename* (null (info :source-location :variable symbol)))))
           nil)
          (t (list (if (eq kind :constant) :constant :variable)
                   :declared kind
                   :bound bound
                   :value (and bound (symbol-value symbol))
                   :documentation (documentation symbol 'variable)
                   :location (info :source-location :variable symbol)
                   :always-bound (info :variable :always-bound symbol))))))

(defun class-state (symbol)
  (let ((class (find-class symbol nil)))
    (cond ((or (null class) (typep class 'sb-mop:forward-referenced-class)) nil)
          ((typep class 'structure-class)
           (list :structure :class class :description (ignore-errors (find-defstruct-description symbol))))
          ((typep class 'standard-class) (list* :class :class class (class-facts class)))
          ((subtypep class 'condition) (list :condition :class class))
          (t (list :class :class class)))))

(defun class-facts (class)
  (list* :metaclass (class-of class)
         (read-of-users '()
           (list :supers (copy-list (sb-mop:class-direct-superclasses class))
                 :slots (mapcar #'slot-specification (sb-mop:class-direct-slots class))
                 :initargs (copy-list (sb-mop:class-direct-default-initargs class))
                 :documentation (documentation class t)))))

(defun slot-specification (slot)
  "Return the specification of SLOT, a direct slot, in the format of ENSURE-CLASS."
  (append (list :name (sb-mop:slot-definition-name slot)
                :initargs (sb-mop:slot-definition-initargs slot)
                :readers (sb-mop:slot-definition-readers slot)
                :writers (sb-mop:slot-definition-writers slot)
                :type (sb-mop:slot-definition-type slot)
                :allocation (sb-mop:slot-definition-allocation slot)
                :documentation (documentation slot t))
          (and (sb-mop:slot-definition-initfunction slot)
               (list :initform (sb-mop:slot-definition-initform slot)
                     :initfunction (sb-mop:slot-definition-initfunction slot)))))

(defun method-state (name)
  "Return the state of the method NAME, which is (function-name qualifiers specializer-names)."
  (destructuring-bind (function-name qualifiers specializers) name
    (let* ((function (and (fboundp function-name) (fdefinition function-name)))
           (method (and (typep function 'generic-function)
                        (find-if (lambda (method)
                                   (and (equal qualifiers (qualifiers-of method))
                                        (equal specializers (specializer-names method))))
                                 (methods-now function)))))
      (and method (list :method :method method :function function)))))

(defun method-key (method function-name)
  (list :method function-name (qualifiers-of method) (specializer-names method)))

(defun qualifiers-of (method)
  (read-of-users '() (method-qualifiers method)))

(defun specializer-names (method)
  (read-of-users '() (mapcar #'specializer-name (sb-mop:method-specializers method))))

(defun specializer-name (specializer)
  (cond ((typep specializer 'sb-mop:eql-specializer) (list 'eql (sb-mop:eql-specializer-object specializer)))
        ((typep specializer 'class) (or (class-name specializer) specializer))
        (t specializer)))

(defun package-state (name)
  (let ((package (find-package name)))
    (when package
      (list :package
            :package package
            :nicknames (package-nicknames package)
            :uses (package-use-list package)
            :shadowing (package-shadowing-symbols package)
            :local-nicknames (sb-ext:package-local-nicknames package)
            :implemented-by (sb-ext:package-implemented-by-list package)
            :locked (and (sb-ext:package-locked-p package) t)
            :exports (let ((symbols '()))
                       (do-external-symbols (symbol package symbols) (push symbol symbols)))))))

;;; Keys

(defun key-symbol (key)
  "Return the symbol in the name of KEY; NIL for a package."
  (let ((name (if (eq (car key) :method) (second key) (cdr key))))
    (cond ((symbolp name) name)
          ((and (consp name) (symbolp (second name))) (second name)))))

(defun key-package (key)
  "Return the name of the package that the definition of KEY belongs to. A method belongs to its function's package or, if that function is
in the core, to the package of one of its classes."
  (case (car key)
    (:package (cdr key))
    (:package-name (package-name (cdr key)))
    (t
      (let ((own (home-name (key-symbol key))))
        (if (and (eq (car key) :method) (or (null own) (baseline-package-name-p own)))
            (or (loop for specializer in (fourth key)
                      for name = (and (symbolp specializer) (home-name specializer))
                      when (and name (not (baseline-package-name-p name))) return name)
                own)
            own)))))

(defun home-name (symbol)
  (let ((package (and symbol (symbol-package symbol))))
    (and package (package-name package))))

(defun baseline-package-name-p (name)
  (member (find-package name) *baseline-packages* :test #'eq))

(defun kind-label (kind)
  "Return KIND in lower case, such as generic-function."
  (string-downcase kind))
