;;;; What a name means in one respect, as a value that can be put back. A key is (FACET . NAME); a state is NIL for nothing,
;;;; else (KIND . facts). CAPTURE must be quick: it runs at each definition.

(in-package #:lisp-workbench/definitions)

(defun capture (key)
  "The state of KEY now."
  (let ((name (cdr key)))
    (ecase (car key)
      (:function (function-state name))
      (:variable (variable-state name))
      (:class (class-state name))
      (:method (method-state name))
      (:type (let ((expander (info :type :expander name))) (and expander (list :type :expander expander))))
      (:compiler-macro (let ((function (compiler-macro-function name)))
                         (and function (list :compiler-macro :function function))))
      (:setf-expander (let ((expander (info :setf :expander name)))
                        (and expander (list :setf-expander :expander expander))))
      (:package (package-state name))
      (:symbol (let ((package (symbol-package name)))
                 (and package (list :symbol :package package
                                            :status (nth-value 1 (find-symbol (symbol-name name) package))))))
      (:method-combination nil))))

(defun state-kind (state) (first state))

(defun state-fact (state fact) (getf (rest state) fact))

(defun function-state (name)
  (cond ((not (fboundp name)) nil)
        ((and (symbolp name) (special-operator-p name)) nil)
        ((and (symbolp name) (macro-function name)) (list :macro :function (macro-function name)))
        (t (let ((function (fdefinition name)))
             (if (typep function 'generic-function)
                 (generic-function-state function)
                 (list :function :function function :inlining (info :function :inlining-data name)))))))

(defun generic-function-state (function)
  (list :generic-function
        :function function
        :methods (copy-list (sb-mop:generic-function-methods function))
        :initargs (list :lambda-list (sb-mop:generic-function-lambda-list function)
                        :method-combination (sb-mop:generic-function-method-combination function)
                        :documentation (documentation function t))))

(defun variable-state (symbol)
  (let ((kind (info :variable :kind symbol)) (bound (boundp symbol)))
    (cond ((eq kind :macro) (list :symbol-macro :expansion (info :variable :macro-expansion symbol)))
          ((and (not bound)
                (or (eq kind :unknown)
                    ;; What compiling the very file declared is not a state of its own.
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
          ((typep class 'structure-class) (list :structure :class class))
          ((typep class 'standard-class) (list* :class :class class (class-facts class)))
          ((subtypep class 'condition) (list :condition :class class))
          (t (list :class :class class)))))

(defun class-facts (class)
  (list :metaclass (class-of class)
        :supers (copy-list (sb-mop:class-direct-superclasses class))
        :slots (mapcar #'slot-specification (sb-mop:class-direct-slots class))
        :initargs (copy-list (sb-mop:class-direct-default-initargs class))
        :documentation (documentation class t)))

(defun slot-specification (slot)
  "As ENSURE-CLASS takes it."
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
  "NAME is (function-name qualifiers specializer-names)."
  (destructuring-bind (function-name qualifiers specializers) name
    (let* ((function (and (fboundp function-name) (fdefinition function-name)))
           (method (and (typep function 'generic-function)
                        (find-if (lambda (method)
                                   (and (equal qualifiers (method-qualifiers method))
                                        (equal specializers (specializer-names method))))
                                 (sb-mop:generic-function-methods function)))))
      (and method (list :method :method method :function function)))))

(defun method-key (method function-name)
  (list :method function-name (method-qualifiers method) (specializer-names method)))

(defun specializer-names (method)
  (mapcar #'specializer-name (sb-mop:method-specializers method)))

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
            :exports (let ((symbols '()))
                       (do-external-symbols (symbol package symbols) (push symbol symbols)))))))

;;; Keys

(defun key-symbol (key)
  "The symbol that names it, NIL for a package."
  (let ((name (if (eq (car key) :method) (second key) (cdr key))))
    (cond ((symbolp name) name)
          ((and (consp name) (symbolp (second name))) (second name)))))

(defun key-package (key)
  "Name of the package whose definition it is. A method counts where its function is, or else where a class of its is."
  (if (eq (car key) :package)
      (cdr key)
      (let ((own (home-name (key-symbol key))))
        (if (and (eq (car key) :method) (or (null own) (baseline-package-name-p own)))
            (or (loop for specializer in (fourth key)
                      for name = (and (symbolp specializer) (home-name specializer))
                      when (and name (not (baseline-package-name-p name))) return name)
                own)
            own))))

(defun home-name (symbol)
  (let ((package (and symbol (symbol-package symbol))))
    (and package (package-name package))))

(defun baseline-package-name-p (name)
  (member (find-package name) *baseline-packages* :test #'eq))

(defun kind-label (kind)
  "GENERIC-FUNCTION as generic-function."
  (string-downcase kind))
