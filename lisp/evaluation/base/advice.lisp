;;;; Advice around functions of SBCL. A call whose arguments do not fit goes to the function itself, so that the error is its own.

(in-package #:lisp-workbench/evaluation)

(sb-ext:defglobal *advice* '() "(name . type) of each encapsulation that the engine put around a function of SBCL, ASDF or SWANK.")

(sb-ext:defglobal *surrounded* '())     ; (name (type function)…), the innermost first

(defvar *removers* :not-wanted
  "Functions that take off what was put around functions, the latest first, while CALL-REMOVABLY lists them.")

(defun call-removably (function)
  "Call FUNCTION, which puts things around functions. Return the functions to call, in this order, to take all of that off again."
  (let ((*removers* '()))
    (funcall function)
    *removers*))

(defun note-remover (function)
  (when (listp *removers*) (push function *removers*)))

(defun install-advice (name type function)
  "Encapsulate the function NAME, as ENCAPSULATE does, until TAKE-ENGINE-OFF."
  (encapsulate name type function)
  (pushnew (cons name type) *advice* :test #'equal)
  (note-remover (lambda () (remove-advice name type))))

(defun remove-advice (name type)
  (when (encapsulated-p name type) (unencapsulate name type))
  (let ((known (assoc name *surrounded*)))
    (when known (setf (rest known) (remove type (rest known) :key #'first)))
    (setf *advice* (remove (cons name type) *advice* :test #'equal)
          *surrounded* (remove-if #'null *surrounded* :key #'rest))))

(defun surround (name type function)
  "Encapsulate the function NAME, as ENCAPSULATE does, with a part of the guard, which is put back where somebody takes it off."
  (install-advice name type function)
  (let ((known (or (assoc name *surrounded*) (first (push (list name) *surrounded*)))))
    (setf (rest known) (append (remove type (rest known) :key #'first) (list (list type function))))))

(defun surrounded ()
  *surrounded*)

(defun inner-surrounded ()
  "Names of those that belong to SBCL's inside: nobody traces them."
  (loop for (name) in *surrounded*
        unless (or (consp name) (eq (symbol-package name) (find-package '#:common-lisp))) collect name))

(defun advise (name type advice)
  "Have ADVICE called instead of the function NAME, with that function before its arguments. TYPE names the advice among others."
  (let ((fits (arguments-test (fdefinition name))))
    (surround name type
                 (lambda (function &rest arguments)
                   (declare (dynamic-extent arguments))
                   (if (funcall fits arguments)
                       (apply advice function arguments)
                       (apply function arguments))))))

(defun arguments-test (function)
  "Return a predicate of a list of arguments, true when FUNCTION takes as many and knows their keywords."
  (multiple-value-bind (least most keywords) (arguments-taken (%fun-lambda-list function))
    (declare (type fixnum least) (type (or null fixnum) most))
    (lambda (arguments)
      (declare (type list arguments))
      (let ((count (length arguments)))
        (and (<= least count)
             (or (null most)
                 (<= count most)
                 (and keywords (keywords-fit-p (nthcdr most arguments) keywords))))))))

(defun arguments-refusal (function)
  "Return a function that takes the same arguments as FUNCTION, does nothing, and signals as FUNCTION would for wrong ones. It stands in
for FUNCTION where that must not be called before the guard has looked."
  (multiple-value-bind (least most keywords) (arguments-taken (%fun-lambda-list function))
    (flet ((names (count) (loop repeat count collect (gensym))))
      (let ((parameters `(,@(names least)
                          ,@(cond ((null most) `(&rest ,(gensym)))
                                  ((> most least) `(&optional ,@(names (- most least)))))
                          ,@(when (and most keywords)
                              `(&key ,@(mapcar (lambda (keyword) `((,keyword ,(gensym)))) keywords))))))
        (compile nil `(named-lambda arguments-refusal ,parameters
                        (declare (ignorable ,@(mapcar (lambda (each) (if (consp each) (second (first each)) each))
                                                      (set-difference parameters lambda-list-keywords))))
                        nil))))))

(defun keywords-fit-p (arguments keywords)
  "True when ARGUMENTS are pairs that begin with one of KEYWORDS."
  (loop for rest on arguments by #'cddr
        always (and (rest rest)
                    (or (member (first rest) keywords :test #'eq) (eq (first rest) :allow-other-keys)))))

(defun arguments-taken (lambda-list)
  "The least number of arguments that LAMBDA-LIST takes, the greatest number before keywords (NIL when there may be any), and
its keywords. Of code without debug information SBCL says :UNKNOWN: any may fit."
  (unless (listp lambda-list) (return-from arguments-taken (values 0 nil '())))
  (let* ((required (or (position-if (lambda (each) (member each lambda-list-keywords)) lambda-list) (length lambda-list)))
         (optional (loop for each in (rest (member '&optional lambda-list))
                         until (member each lambda-list-keywords)
                         count t))
         (keys (loop for each in (rest (member '&key lambda-list))
                     until (member each lambda-list-keywords)
                     collect (keyword-of each))))
    (values required
            (if (or (member '&rest lambda-list) (member '&body lambda-list) (member '&allow-other-keys lambda-list)
                    (set-difference (intersection lambda-list lambda-list-keywords) '(&optional &key &aux &rest &body)))
                nil
                (+ required optional))
            keys)))

(defun keyword-of (parameter)
  "Return the keyword of a parameter after &KEY in a lambda list."
  (let ((name (if (consp parameter) (first parameter) parameter)))
    (if (consp name) (first name) (intern (symbol-name name) '#:keyword))))

(defmacro sound (&body body)
  "The values of BODY, NIL when arguments of a call were not what BODY takes them for. For questions about arguments before the
function itself has looked at them; BODY must not call code of the user's."
  `(handler-case (progn ,@body)
     (error () nil)))
