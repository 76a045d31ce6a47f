;;;; The operation `defining-name`: the name under which an object, or its class, was defined.

(in-package #:lisp-workbench/inspection)

(define-operation "defining-name" (:looking-up request)
  (multiple-value-bind (object found) (held-object (field request "handle"))
    (multiple-value-bind (name functionp) (and found (defining-name object))
      (object "expired" (json-boolean (not found))
              "name" (and name
                          (if (stringp name)
                              name
                              (let ((*package* (find-package '#:common-lisp-user))) (print-short name 300))))
              "isFunction" (json-boolean functionp)))))

(defun defining-name (object)
  "Return two values: the name under which the definition of OBJECT, or of its class, can be found, or NIL if there is no such name; and
true if the name is a function's."
  (typecase object
    (null nil)
    (symbol object)
    (package (package-name object))
    (asdf:component (asdf:component-name (asdf:component-system object)))
    (method (let ((function (sb-mop:method-generic-function object)) ; NIL if the method was removed
                  (*package* (find-package '#:common-lisp-user)))
              (and function
                   (values (format nil "(METHOD ~A)" (method-name-text object (sb-mop:generic-function-name function))) t))))
    (function (let ((name (%fun-name object)))
                (if (typep name '(cons (member macro-function defmacro) (cons symbol)))
                    (second name) ; the function of a macro
                    (values (outer-name name) t))))
    (class (class-name object))
    (t (class-name (class-of object)))))

(defun outer-name (name)
  "Return NAME if it is the name of a global function. If it is the name of a local function, such as (FLET STEP :IN WALK), return the name
of the global function that contains it."
  (cond ((symbolp name) name)
        ((typep name '(cons (eql setf) (cons symbol null))) name)
        ((typep name '(cons (member sb-pcl::fast-method sb-pcl::slow-method) cons)) (outer-name (second name)))
        ((consp name) (let ((around (second (member :in name)))) (and around (outer-name around))))))
