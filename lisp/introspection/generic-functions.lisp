;;;; The operation `generic-function`: describes a generic function and its methods.

(in-package #:lisp-workbench/introspection)

(define-operation "generic-function" (:looking-up request)
  (with-request-package (package request)
    (multiple-value-bind (symbol found setf) (request-symbol request)
      (let* ((name (if (or setf (eq t (field request "setf"))) `(setf ,symbol) symbol))
             (function (and found (fboundp name) (not (special-or-macro-p name)) (fdefinition name)))
             (generic (and (typep function 'generic-function) function)))
        (object "found" (json-boolean generic)
                "genericFunction" (and generic (generic-function-description generic name symbol)))))))

(defun special-or-macro-p (name)
  (and (symbolp name) (or (special-operator-p name) (macro-function name)) t))

(defun generic-function-description (function name symbol)
  (let ((methods (visible-methods (sb-mop:generic-function-methods function))))
    (list* :object
           "name" (print-short name 300)
           "class" (class-label-of (class-of function))
           "lambdaList" (printed-lambda-list (sb-mop:generic-function-lambda-list function))
           "methodCombination" (combination-text function)
           "methods" (array-of (sorted-methods methods))
           "total" (length methods)
           "documentation" (text-or-nil (ignore-errors (documentation function t)))
           (place-fields (function-place name function symbol)))))

(defun combination-text (function)
  "Return the name of the method combination and its options, such as STANDARD or (PROGN :MOST-SPECIFIC-FIRST)."
  (let* ((combination (sb-mop:generic-function-method-combination function))
         (type (method-combination-type-name combination))
         (options (method-combination-options combination)))
    (print-short (if options (cons type options) type) 200)))
