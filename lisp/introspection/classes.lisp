;;;; The operations `class` and `class-graph`. They never finalize a class: for a class that is not finalized yet, they return its own
;;;; definition.

(in-package #:lisp-workbench/introspection)

(defconstant +most-of-a-class+ 500 "The maximum number of subclasses that are reported for a class; also the maximum number of slots, and of
methods.")

(define-operation "class" (:looking-up request)
  (with-request-package (package request)
    (multiple-value-bind (symbol found) (request-symbol request)
      (let ((class (and found (find-class symbol nil))))
        (object "found" (json-boolean class)
                "class" (and class (class-description class)))))))

(defun class-description (class)
  (let ((methods (visible-methods (sb-mop:specializer-direct-methods class)))
        (subclasses (visible-classes (sb-mop:class-direct-subclasses class))))
    (list* :object
           "name" (class-label-of class)
           "kind" (string-downcase (class-kind class))
           "metaclass" (class-label-of (class-of class))
           "finalized" (json-boolean (sb-mop:class-finalized-p class))
           "superclasses" (labels-of (sb-mop:class-direct-superclasses class))
           "subclasses" (labels-of subclasses)
           "precedence" (labels-of (known-precedence class))
           "slots" (array-of (loop for slot in (known-slots class)
                                   repeat +most-of-a-class+
                                   for record = (ignore-errors (slot-record slot class))
                                   when record collect record))
           "defaultInitargs" (array-of (loop for (initarg form) in (known-default-initargs class)
                                             collect (object "initarg" (print-short initarg 200)
                                                             "form" (print-short form 500))))
           "methods" (array-of (sorted-methods methods))
           "documentation" (text-or-nil (ignore-errors (documentation class t)))
           (place-fields (definition-place (first-source class) (class-name class))))))

(defun text-or-nil (value)
  (and (stringp value) value))

(defun class-label-of (class)
  (print-short (or (class-name class) class) 300))

(defun labels-of (classes)
  (array-of (loop for class in classes
                  repeat +most-of-a-class+
                  collect (class-label-of class))))

(defun visible-classes (classes)
  "Return CLASSES without the engine's classes, sorted by name."
  (sort (remove-if #'engine-class-p classes) #'string< :key #'class-label-of))

(defun slot-record (slot class)
  "Return SLOT in wire form. Facts that only direct slot definitions have are taken from the direct slots, most specific first."
  (let* ((name (sb-mop:slot-definition-name slot))
         (direct (loop for super in (known-precedence class)
                       for found = (find name (sb-mop:class-direct-slots super) :key #'sb-mop:slot-definition-name)
                       when found collect (cons super found)))
         (slots (mapcar #'cdr direct))
         (allocation (sb-mop:slot-definition-allocation slot)))
    (object "name" (print-short name 300)
            "allocation" (if (member allocation '(:instance :class)) (string-downcase allocation) "other")
            "type" (print-short (or (find t (mapcar #'sb-mop:slot-definition-type slots) :test-not #'eq)
                                    (sb-mop:slot-definition-type slot))
                                300)
            "initargs" (printed-list (all-of slots slot #'sb-mop:slot-definition-initargs))
            "initform" (let ((given (find-if #'sb-mop:slot-definition-initfunction (append slots (list slot)))))
                         (and given (print-short (sb-mop:slot-definition-initform given) 1000)))
            "readers" (printed-list (accessors-of slots slot #'sb-mop:slot-definition-readers 'accessor-name))
            "writers" (printed-list (accessors-of slots slot #'sb-mop:slot-definition-writers 'writer-name))
            "documentation" (text-or-nil (some (lambda (each) (ignore-errors (documentation each t))) (or slots (list slot))))
            "from" (class-label-of (if direct (first (first direct)) class)))))

(defun all-of (slots slot function)
  (remove-duplicates (or (loop for each in slots append (ignore-errors (copy-list (funcall function each))))
                         (ignore-errors (copy-list (funcall function slot))))
                     :test #'equal :from-end t))

(defun accessors-of (slots slot function structure)
  "Return the names of the slot's accessors. In a structure, a slot's reader is also its writer."
  (or (all-of slots slot function)
      (let ((accessor (ignore-errors (slot-definition-defstruct-accessor-symbol slot))))
        (and accessor
             (if (eq structure 'accessor-name)
                 (list accessor)
                 (and (fboundp `(setf ,accessor)) (list `(setf ,accessor))))))))

(defun printed-list (things)
  (array-of (mapcar (lambda (thing) (print-short thing 300)) things)))

(defun known-default-initargs (class)
  (ignore-errors
   (if (sb-mop:class-finalized-p class)
       (sb-mop:class-default-initargs class)
       (sb-mop:class-direct-default-initargs class))))

(defun sorted-methods (methods)
  "Return the records of METHODS, sorted by name."
  (sort (loop for method in methods
              repeat +most-of-a-class+
              for function = (sb-mop:method-generic-function method)
              for name = (sb-mop:generic-function-name function)
              for record = (ignore-errors (method-description method name))
              when record collect record)
        #'string< :key (lambda (record) (field record "name"))))

(defun method-description (method name)
  (list* :object "name" (method-name-text method name)
                 "qualifiers" (printed-list (method-qualifiers method))
                 "specializers" (array-of (mapcar (lambda (specializer) (print-short (specializer-name specializer) 300))
                                                  (sb-mop:method-specializers method)))
                 "lambdaList" (printed-lambda-list (sb-mop:method-lambda-list method))
                 "documentation" (text-or-nil (ignore-errors (documentation method t)))
                 (place-fields (method-place method (owner-of name)))))

;;; The graph

;; Returns classes and their direct subclasses. With roots, returns all classes below the roots; with a package, the package's classes and
;; all their superclasses; with neither, the classes of the user's packages. Names are printed for the request's package, which is part of
;; the reply.
(define-operation "class-graph" (:looking-up request)
  (with-request-package (package request)
    (let* ((given (field request "package"))
           (roots (and (field request "roots")
                       (loop for name across (field request "roots")
                             for symbol = (named-symbol name)
                             for class = (and symbol (find-class symbol nil))
                             when class collect class)))
           (classes (if (field request "roots")
                        (with-subclasses roots)
                        (with-superclasses (classes-of-packages (if given (list package) (user-packages))))))
           (shown (subseq classes 0 (min (field request "limit") (length classes))))
           (is-shown (make-hash-table :test #'eq :size (length shown))))
      (dolist (class shown) (setf (gethash class is-shown) t))
      (object "seenFrom" (package-name package)
              "nodes" (array-of (loop for class in shown
                                      collect (object "name" (class-label-of class)
                                                      "kind" (string-downcase (class-kind class))
                                                      "user" (json-boolean (user-class-p class)))))
              "edges" (array-of (loop for class in shown
                                      append (loop for super in (sb-mop:class-direct-superclasses class)
                                                   when (member super shown :test #'eq)
                                                     collect (object "class" (class-label-of class)
                                                                     "superclass" (class-label-of super)))))
              "total" (length classes)))))

(defun user-class-p (class)
  (let ((home (and (symbolp (class-name class)) (symbol-package (class-name class)))))
    (and home (user-package-p home))))

(defun with-subclasses (roots)
  "Return ROOTS and all classes below them, level by level."
  (let ((found '()) (seen (make-hash-table :test #'eq)))
    (loop for level = (copy-list roots) then below
          while level
          for below = '()
          do (dolist (class level)
               (unless (or (gethash class seen) (engine-class-p class))
                 (setf (gethash class seen) t)
                 (push class found)
                 (setf below (append below (visible-classes (copy-list (sb-mop:class-direct-subclasses class))))))))
    (nreverse found)))

(defun with-superclasses (classes)
  (remove-duplicates (append classes (loop for class in classes append (rest (known-precedence class))))
                     :from-end t))

(defun classes-of-packages (packages)
  (let ((found '()))
    (dolist (package packages)
      (map-own-symbols (symbol package)
        (let ((class (find-class symbol nil)))
          (when (and class (eq symbol (class-name class))) (pushnew class found)))))
    (sort found #'string< :key #'class-label-of)))
