;;;; The operation `slot-definitions`: finds the classes, structures and conditions that define a slot with a given name. Given a keyword,
;;;; finds those that define a slot which the keyword initializes.

(in-package #:lisp-workbench/introspection)

(define-operation "slot-definitions" (:looking-up request)
  (with-request-package (package request)
    (multiple-value-bind (symbol found) (request-symbol request)
      (let ((classes (and found
                          (classes-with-slot symbol
                                             (field request "initarg")
                                             (slot-owners (field request "class"))))))
        (object "definitions" (array-of (loop for class in classes
                                              repeat +most-definitions+
                                              append (ignore-errors (class-records (class-name class))))))))))

(defun slot-owners (name)
  "Return the classes that may have the slot: the class NAME and its superclasses, or all of the user's classes if NAME is NIL."
  (if name
      (let* ((symbol (named-symbol name)) (class (and symbol (find-class symbol nil))))
        (and class (remove-if #'engine-class-p (known-precedence class))))
      (remove-if-not #'user-class-p
                     (with-subclasses (list (find-class 'standard-object) (find-class 'structure-object)
                                            (find-class 'condition))))))

(defun classes-with-slot (symbol initarg classes)
  "Return the elements of CLASSES that directly define the slot SYMBOL. With INITARG, return those that directly define a slot which the
keyword SYMBOL initializes."
  (flet ((slots (class)
           (ignore-errors
            (remove-if-not (lambda (slot) (if initarg (slot-takes-p slot class symbol) (slot-named-p slot class symbol)))
                           (sb-mop:class-direct-slots class)))))
    (remove-if-not #'slots classes)))

(defun slot-named-p (slot class symbol)
  "Return true if SYMBOL names SLOT of CLASS. For a structure, compare only the names of the symbols, not their packages."
  (let ((name (sb-mop:slot-definition-name slot)))
    (if (typep class 'structure-class) (string= name symbol) (eq name symbol))))

(defun slot-takes-p (slot class keyword)
  (if (typep class 'structure-class)
      (string= (sb-mop:slot-definition-name slot) keyword)
      (member keyword (sb-mop:slot-definition-initargs slot))))
