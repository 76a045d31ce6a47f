(cl:in-package #:lisp-workbench/tests)

(defun places (text)
  "Return the offsets of the start and the end of each form in TEXT."
  (let ((stream (make-string-input-stream text)) (end-marker (list nil)))
    (loop for start = (lisp-workbench/evaluation:skip-to-form stream)
          while start
          until (eq end-marker (lisp-workbench/evaluation:read-form stream end-marker))
          collect (list start (file-position stream)))))

(deftest "Forms are found with their offsets, comments and blanks skipped [E3]"
  (loop for (text expected)
          in '(("" ()) ("   " ()) ("; only
" ()) ("#| a #| b |# c |#" ()) ("1" ((0 1))) (" 1  2 " ((1 2) (4 5)))
               ("(a b) (c)" ((0 5) (6 9))) ("'x" ((0 2))) ("; c
(a) ; d
b" ((4 7) (12 13))) ("#| x |# (a)" ((8 11))) ("\"λ😀\" 2" ((0 4) (5 6))) ("#+nil (a)" ()) ("#-nil (a)" ((0 9)))
               ("#\\( 1" ((0 3) (4 5))) ("|a b| c" ((0 5) (6 7))))
        do (is (equal expected (places text)) "~S gave ~S" text (places text))))

(defun definition (text)
  (let ((*package* (find-package '#:lisp-workbench/tests)))
    (multiple-value-list (lisp-workbench/evaluation:form-definition (read-from-string text)))))

(defmacro registering (name &body body) (declare (ignore body)) `',name)
(defmacro with-registering (name &body body) (declare (ignore body)) `',name)

(deftest "What a form of a file registers by a macro is recognised, what it does is not [P4]"
  (flet ((found (text)
           (let ((*package* (find-package '#:lisp-workbench/tests)))
             (multiple-value-list (lisp-workbench/evaluation:form-definition (read-from-string text) t)))))
    (loop for (text expected)
            in '(("(registering a 1)" ("REGISTERING" "A")) ("(registering \"a\")" ("REGISTERING" "\"a\""))
                 ("(registering (a :in b) 1)" ("REGISTERING" "A")) ("(registering (a))" ("REGISTERING" "A"))
                 ("(registering (+ 1 2))" (nil)) ("(registering)" (nil)) ("(registering nil)" (nil)) ("(registering 1)" (nil))
                 ("(with-registering a)" (nil)) ("(dolist (a b))" (nil)) ("(list a)" (nil)) ("(registering . a)" (nil))
                 ("(defun f (x) x)" ("DEFUN" "F")) ("(in-package :cl)" ("IN-PACKAGE" ":CL")) ("(setf a b)" (nil)))
          do (is (equal expected (found text)) "~A gave ~S" text (found text))))
  (is (equal '(nil) (definition "(registering a 1)"))))

(deftest "What a replay needs is recognised [P4]"
  (loop for (text expected)
          in '(("(defun f (x) x)" ("DEFUN" "F")) ("(defun (setf area) (v) v)" ("DEFUN" "(SETF AREA)"))
               ("(defstruct (point (:copier nil)) x)" ("DEFSTRUCT" "POINT")) ("(in-package :cl-user)" ("IN-PACKAGE" ":CL-USER"))
               ("(progn (print 1) (defvar *x* 1))" ("PROGN" "*X*")) ("(eval-when (:execute) (defmacro m ()))" ("EVAL-WHEN" "M"))
               ("(let ((n 0)) (defun counter () n))" ("LET" "COUNTER")) ("(setf (fdefinition 'f) #'car)" ("SETF" "F"))
               ("(setf (get 'a :b) 1)" ("SETF" "A")) ("(define-condition c (error) ())" ("DEFINE-CONDITION" "C"))
               ("(declaim (inline f))" ("DECLAIM" "INLINE")) ("(+ 1 2)" (nil)) ("(setf x 1)" (nil)) ("x" (nil)) ("(progn 1)" (nil))
               ("(a . b)" (nil)) ("((lambda ()))" (nil)))
        do (is (equal expected (definition text)) "~A gave ~S" text (definition text))))
