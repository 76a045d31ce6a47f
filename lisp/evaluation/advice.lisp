;;;; Advice around functions of SBCL. A call whose arguments do not fit goes to the function itself, so that the error is its own.

(in-package #:lisp-workbench/evaluation)

(defun advise (name type advice)
  "Have ADVICE called instead of the function NAME, with that function before the arguments. TYPE names the advice among others.
Calls with more or fewer arguments than ADVICE takes are none of its business."
  (multiple-value-bind (least most) (argument-counts (rest (%fun-lambda-list advice)))
    (encapsulate name type
                 (lambda (function &rest arguments)
                   (declare (dynamic-extent arguments))
                   (if (and (<= least (length arguments)) (or (null most) (<= (length arguments) most)))
                       (apply advice function arguments)
                       (apply function arguments))))))

(defun argument-counts (lambda-list)
  "The least and the greatest number of arguments that LAMBDA-LIST takes; NIL for any."
  (let* ((keywords (intersection lambda-list lambda-list-keywords))
         (required (or (position-if (lambda (each) (member each lambda-list-keywords)) lambda-list) (length lambda-list)))
         (optional (member '&optional lambda-list)))
    (values required
            (cond ((intersection keywords '(&rest &key)) nil)
                  (optional (+ required (length (rest optional))))
                  (t required)))))

(defmacro sound (&body body)
  "The values of BODY, NIL when arguments of a call were not what BODY takes them for. For questions about arguments before the
function itself has looked at them; BODY must not call code of the user's."
  `(handler-case (progn ,@body)
     (error () nil)))
