;;;; The operations that run the user's code with an object: `inspect-expression`, `evaluate-with-object` and `set-part`. Also contains
;;;; `describe-handle`.

(in-package #:lisp-workbench/inspection)

(define-run "inspect-expression" (evaluation request)
  (let* ((object (first (evaluate-text evaluation)))
         (handle (hold object (field request "holder"))))
    (object "handle" handle
            "page" (page object request))))

(define-run "evaluate-with-object" (evaluation request)
  (multiple-value-bind (object found) (held-object (field request "handle"))
    (let ((values (and found (evaluate-text evaluation object)))
          (*package* (context-environment request)))
      (object "expired" (json-boolean (not found))
              "values" (array-of (loop for value in values
                                       repeat 100
                                       collect (value-object value (field request "valueLimit")
                                                             (hold value (field request "holder")))))))))

(define-run "set-part" (evaluation request)
  (multiple-value-bind (object found) (held-object (field request "handle"))
    (let ((place (held-object (field request "path"))))
      (cond ((not (and found (place-p place))) (expired-page))
            (t
             (unless (eq t (field request "remove")) (check-one-form (field request "code")))
             (change-place place evaluation (field request "remove"))
             (page object request))))))

(defun check-one-form (text)
  "Signal a readable error if TEXT has more than one form, because only the value of one form can be stored in a place."
  (when (rest (read-nodes text :features t :count 2))
    (error "Enter one form. Wrap several forms in PROGN.")))

(defun change-place (place evaluation remove)
  "Store the value of the request's code in PLACE, or remove the current value of PLACE."
  (when (place-refusal place)
    (error "This value cannot be changed. ~A" (place-refusal place)))
  (cond ((not (eq remove t))
         (let ((value (first (evaluate-text evaluation (old-value place)))))
           (unless (fits-p value (place-type place))
             (error 'type-error :datum value :expected-type (place-type place)))
           (funcall (place-writer place) value)))
        ((place-remover place) (funcall (place-remover place)))
        (t (error "This value cannot be removed."))))

(defun old-value (place)
  (multiple-value-bind (value problem) (carefully (funcall (place-reader place)))
    (if (or problem (eq value '%unbound)) nil value)))

(defun fits-p (value type)
  "Return true if VALUE is of TYPE, or if SBCL does not know TYPE."
  (handler-case (typep value type)
    (error () t)))

(define-operation "describe-handle" (:looking-up request)
  (multiple-value-bind (object found) (held-object (field request "handle"))
    (multiple-value-bind (text cut)
        (if found
            (let ((*package* (find-package '#:common-lisp-user)))
              (described-text object (field request "limit")))
            (values "" 0))
      (object "expired" (json-boolean (not found)) "text" text "cut" cut))))

(add-slot-views)
