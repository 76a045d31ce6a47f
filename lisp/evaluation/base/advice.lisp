;;;; Advice around functions of SBCL. If a call's arguments are invalid, the original function is called instead of the advice, so that it
;;;; signals its own error.

(in-package #:lisp-workbench/evaluation)

(sb-ext:defglobal *advice* '() "(name . type) of each encapsulation that the engine put around a function of SBCL, ASDF or SWANK.")

(sb-ext:defglobal *surrounded* '())     ; (name (type function)…) of the functions around which the guard is installed as encapsulations;
                                        ; the innermost encapsulation is first

(defvar *removers* :not-wanted
  "While CALL-REMOVABLY collects them: functions that remove installed advice, latest first. Otherwise :NOT-WANTED.")

(defun call-removably (function)
  "Call FUNCTION, which installs advice. Return a list of functions that remove all of this advice if they are called in list order."
  (let ((*removers* '()))
    (funcall function)
    *removers*))

(defun note-remover (function)
  (when (listp *removers*) (push function *removers*)))

(defun install-advice (name type function)
  "Encapsulate the function NAME, like ENCAPSULATE. TAKE-ENGINE-OFF removes the encapsulation."
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
  "Encapsulate the function NAME for the guard, like ENCAPSULATE. If code removes the encapsulation, it is restored."
  (install-advice name type function)
  (let ((known (or (assoc name *surrounded*) (first (push (list name) *surrounded*)))))
    (setf (rest known) (append (remove type (rest known) :key #'first) (list (list type function))))))

(defun surrounded ()
  *surrounded*)

(defun inner-surrounded ()
  "Return the names of the surrounded functions that are internal to SBCL. Users do not trace such functions."
  (loop for (name) in *surrounded*
        unless (or (consp name) (eq (symbol-package name) (find-package '#:common-lisp))) collect name))

(defun advise (name type advice)
  "Make calls of the function NAME call ADVICE instead, with the original function followed by the arguments. TYPE distinguishes this advice
from others."
  (let ((fits (arguments-test (fdefinition name))))
    (surround name type
                 (lambda (function &rest arguments)
                   (declare (dynamic-extent arguments))
                   (if (funcall fits arguments)
                       (apply advice function arguments)
                       (apply function arguments))))))

(defun arguments-test (function)
  "Return a predicate that takes an argument list and returns true if FUNCTION accepts its number of arguments and its keywords."
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
  "Return a function that takes the same arguments as FUNCTION and does nothing, but signals the same error for invalid arguments. It is
called instead of FUNCTION until the guard has checked the call."
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
  "Return true if ARGUMENTS are keyword-value pairs with keywords from KEYWORDS."
  (loop for rest on arguments by #'cddr
        always (and (rest rest)
                    (or (member (first rest) keywords :test #'eq) (eq (first rest) :allow-other-keys)))))

(defun arguments-taken (lambda-list)
  "Return three values: the minimum number of arguments of LAMBDA-LIST, the maximum number before keywords (NIL if unlimited), and the
keywords. For code without debug information LAMBDA-LIST is :UNKNOWN, and any arguments may be valid."
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
  "Return the values of BODY, or NIL if BODY signals an error because a call's arguments are not of the expected kind. Use this to inspect
arguments before the function itself has checked them. BODY must not call user code."
  `(handler-case (progn ,@body)
     (error () nil)))
