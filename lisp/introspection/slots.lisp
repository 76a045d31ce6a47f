;;;; The operation `slot-definitions`: the classes, structures and conditions whose definitions have a slot of a name, or one that a
;;;; keyword gives a value.

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
  "Return the classes that may have the slot: that named NAME and those above it, or all of the user's when NAME is NIL."
  (if name
      (let* ((symbol (named-symbol name)) (class (and symbol (find-class symbol nil))))
        (and class (remove-if #'engine-class-p (known-precedence class))))
      (remove-if-not #'user-class-p
                     (with-subclasses (list (find-class 'standard-object) (find-class 'structure-object)
                                            (find-class 'condition))))))

(defun classes-with-slot (symbol initarg classes)
  "Return those of CLASSES that define the slot SYMBOL themselves, or with INITARG one that the keyword SYMBOL gives a value."
  (flet ((slots (class)
           (ignore-errors
            (remove-if-not (lambda (slot) (if initarg (slot-takes-p slot class symbol) (slot-named-p slot class symbol)))
                           (sb-mop:class-direct-slots class)))))
    (remove-if-not #'slots classes)))

(defun slot-named-p (slot class symbol)
  "True when SLOT of CLASS is what SYMBOL names. The slots of a structure go by the characters of their names."
  (let ((name (sb-mop:slot-definition-name slot)))
    (if (typep class 'structure-class) (string= name symbol) (eq name symbol))))

(defun slot-takes-p (slot class keyword)
  (if (typep class 'structure-class)
      (string= (sb-mop:slot-definition-name slot) keyword)
      (member keyword (sb-mop:slot-definition-initargs slot))))
