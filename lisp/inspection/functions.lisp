;;;; Views of functions, closures, generic functions, methods and classes.

(in-package #:lisp-workbench/inspection)

(defun function-source (function name)
  "Return two values: the place of FUNCTION in its wire form, or NIL; and the actor who evaluated it."
  (let ((symbol (if (and (consp name) (eq (first name) 'setf)) (second name) name)))
    (and (symbolp symbol)
         (origin (if (typep function 'generic-function) :generic-function :function) name function symbol))))

(defun source-text (function name)
  (multiple-value-bind (source actor) (function-source function name)
    (cond (source (format nil "~A~@[:~D~]" (field source "file") (field source "line")))
          (actor (format nil "evaluated by ~A" actor)))))

(macrolet ((define-function-facts (kind)
             `(define-facts ,kind (function)
                ("Name" (let ((name (%fun-name function))) (and name (print-short name 300))))
                ("Lambda list" (lambda-list-text function))
                ("Type" (print-short (function-type function) 600))
                ("Source" (source-text function (%fun-name function)))
                ("Closed-over values" (and (closurep function) (closure-length function)))
                ("Machine code" (format nil "~D octets" (machine-code-size function)))
                ("Documentation" (documentation function t)))))
  (define-function-facts "function")
  (define-function-facts "closure"))

(define-view "closure" "values" (closure)
  (indexed (closure-length closure)
           (lambda (index)
             (part (princ-to-string index) nil :place (closure-place closure index)
                   :note (and (value-cell-p (%closure-index-ref closure index)) "assigned")))))

(defun closure-length (closure)
  (length (%closure-values closure)))

(defun value-cell-p (object)
  (= (widetag-of object) value-cell-widetag))

(defun closure-place (closure index)
  "Return the place of the closed-over value at INDEX. If the code assigns the variable, its value is in a cell, and can also be set here."
  (let ((cell (%closure-index-ref closure index)))
    (if (value-cell-p cell)
        (make-place :reader (lambda () (value-cell-ref cell))
                    :writer (lambda (value) (value-cell-set cell value)))
        (make-place :reader (lambda () cell)
                    :refusal "The code never assigns this variable, so every closure has its own copy of the value."))))

(defun disassembly-parts (function)
  (let ((text (print-guarded 200000 (lambda (stream) (with-plain-printing (disassemble function :stream stream))))))
    (with-input-from-string (lines text)
      (loop for line = (read-line lines nil)
            for number from 1
            while line
            collect (text-part (princ-to-string number) (bounded line))))))

(defun function-parts (closure)
  (list (part "Function" (lambda () (%fun-fun closure)))))

(add-view "function" "disassembly" (constantly t) #'disassembly-parts)
(add-view "closure" "function" (constantly t) #'function-parts)
(add-view "closure" "disassembly" (constantly t) #'disassembly-parts)

;;; Generic functions and methods

(define-facts "generic-function" (function)
  ("Name" (print-short (sb-mop:generic-function-name function) 300))
  ("Lambda list" (lambda-list-text function))
  ("Methods" (length (visible-methods (sb-mop:generic-function-methods function))))
  ("Method combination" (combination-text function))
  ("Source" (source-text function (sb-mop:generic-function-name function)))
  ("Documentation" (documentation function t)))

(defun method-parts (methods)
  (let ((methods (sort (mapcar (lambda (method) (cons (method-label method) method)) methods) #'string< :key #'car)))
    (pairs-view methods (lambda (pair) (part (car pair) (lambda () (cdr pair)))))))

(defun method-label (method)
  (let ((function (sb-mop:method-generic-function method)))
    (format nil "~A~{ ~A~} ~A"
            (if function (print-short (sb-mop:generic-function-name function) 200) "(no function)")
            (mapcar (lambda (qualifier) (print-short qualifier 100)) (method-qualifiers method))
            (or (mapcar #'specializer-text (sb-mop:method-specializers method)) "()"))))

(defun specializer-text (specializer)
  (if (typep specializer 'class)
      (class-label-of specializer)
      (format nil "(EQL ~A)" (print-short (sb-mop:eql-specializer-object specializer) 100))))

(define-view "generic-function" "methods" (function)
  (method-parts (visible-methods (sb-mop:generic-function-methods function))))

(define-facts "method" (method)
  ("Lambda list" (print-short (sb-mop:method-lambda-list method) 600))
  ("Qualifiers" (and (method-qualifiers method) (print-short (method-qualifiers method) 200)))
  ("Source" (let ((place (first-source method)))
              (and place (definition-source-pathname place)
                   (sb-ext:native-namestring (definition-source-pathname place)))))
  ("Documentation" (documentation method t)))

(define-view "method" "parts" (method)
  (append (list (part "Generic function" (lambda () (sb-mop:method-generic-function method))))
          (loop for specializer in (ignore-errors (sb-mop:method-specializers method))
                for number from 1
                collect (let ((specializer specializer))
                          (part (format nil "Specializer ~D" number) (lambda () specializer))))
          (list (part "Function" (lambda () (sb-mop:method-function method))))))

;;; Classes

(define-facts "class" (class)
  ("Name" (class-label-of class))
  ("Metaclass" (class-label-of (class-of class)))
  ("Finalized" (yes-or-no (sb-mop:class-finalized-p class)))
  ("Documentation" (documentation class t)))

(define-view "class" "slot definitions" (class)
  (loop for slot in (if (sb-mop:class-finalized-p class) (sb-mop:class-slots class) (sb-mop:class-direct-slots class))
        collect (let ((slot slot))
                  (part (symbol-label (sb-mop:slot-definition-name slot)) (lambda () slot)
                        :note (label-text (sb-mop:slot-definition-type slot))))))

(flet ((classes (classes)
         (loop for class in classes
               unless (engine-class-p class)
                 collect (let ((class class)) (part (class-label-of class) (lambda () class))))))
  (define-view "class" "precedence" (class :when (sb-mop:class-finalized-p class))
    (classes (sb-mop:class-precedence-list class)))
  (define-view "class" "superclasses" (class) (classes (sb-mop:class-direct-superclasses class)))
  (define-view "class" "subclasses" (class) (classes (sb-mop:class-direct-subclasses class))))

(define-view "class" "methods" (class)
  (method-parts (visible-methods (sb-mop:specializer-direct-methods class))))

(define-view "class" "instances" (class)
  (multiple-value-bind (instances total) (instances-of class 1000)
    (list* (text-part "Count" (princ-to-string total))
           (loop for instance in instances
                 for number from 1
                 collect (let ((instance instance)) (part (princ-to-string number) (lambda () instance)))))))

(defun instances-of (class most &key exactly)
  "Return at most MOST instances of CLASS, and the total number of its instances. Both include dead instances that were not collected yet.
With EXACTLY, omit instances of subclasses. A small garbage collection first moves objects that threads have just allocated to where they
can be found."
  (sb-ext:gc :gen 0)
  (let ((found '()) (total 0) (room most))
    (declare (type fixnum total room))
    (map-allocated-objects
     (lambda (object type size)
       (declare (ignore type size))
       (when (and (%instancep object)
                  (not (eq object class))
                  (if exactly (eq (class-of object) class) (typep object class)))
         (incf total)
         (when (plusp room)
           (decf room)
           (push object found))))
     :dynamic)
    (values (nreverse found) total)))
