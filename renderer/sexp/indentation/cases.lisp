;;;; Definitions
(defun area (shape
             &optional unit
             &key (precision 2) exact
               round
               (places (compute
                        places)))
  "Says how large.
    kept"
  (declare (ignore unit))
  (list shape precision
        exact))

(defmethod area :around ((shape square)
                         unit)
  (call-next-method))

(defmethod (setf area) (value (shape square))
  (setf (slot-value shape 'area)
        value))

(defgeneric area (shape)
  (:documentation "How large.")
  (:method ((shape square))
    (* 2 2))
  (:method-combination +))

(defclass square (shape
                  coloured)
  ((side :initarg :side
         :accessor side)
   (colour
    :initform nil))
  (:default-initargs
   :side 1))

(define-condition bad-shape (error)
  ((shape :initarg :shape))
  (:report (lambda (condition stream)
             (print condition stream))))

(defstruct (point (:constructor make-point
                      (x y))
                  (:copier nil))
  x
  (y 0
   :type fixnum))

(defpackage #:shapes
  (:use #:cl)
  (:export #:area
           #:square
           #:side)
  (:import-from #:alexandria #:if-let
                #:when-let))

(defvar *unit*
  :metre
  "The unit.")

(defsetf area (shape &optional
                       unit) (value)
  `(change ,shape
     ,value))

(define-thing my-thing
    (a b)
  body)

;;;; Local functions
(flet ((twice (x)
         (* 2 x))
       (thrice (x
                y)
         "Three times."
         (* 3 x)))
  (twice
   (thrice 1)))

(labels ((walk (tree)
           (if (atom tree)
               tree
               (walk (car tree)))))
  (walk '(1)))

(macrolet ((with-it ((x) &body body)
             `(let ((it ,x))
                ,@body)))
  (with-it (1)
    (print it)))

;;;; Bindings
(let ((a 1)
      (b
        2)
      c)
  (list a
        b c))

(multiple-value-bind (quotient
                      remainder)
    (floor 7 2)
  (list quotient remainder))

(destructuring-bind (a &key b
                         c)
    list
  (list a b c))

(handler-bind ((error #'abort)
               (warning
                 (lambda (w)
                   (muffle-warning w))))
  (go-on))

(symbol-macrolet ((a
                    b))
  a)

;;;; Clauses
(cond ((null x)
       1)
      ((consp x) 2
       3)
      (t
       4))

(case x
  ((a b)
   1)
  (otherwise
   2))

(handler-case
    (risky)
  (error (e)
    (print e))
  (:no-error (a
              b)
    (list a b)))

(restart-case (risky)
  (use-value (v)
    :report "Use."
    v))

(if test
    then
    else)

(when (and a
           b)
  c
  d)

(unwind-protect
     (work)
  (clean))

;;;; Loops
(loop for x in list
      for y = (f x)
      when (p y)
        collect y
        and do (print x)
               (print y)
      else
        collect x
      finally (return
                x))

(loop
  for x from 1
    to 10
  do (print x)
     (print 2)
  while x
    thereis (p x))

(loop (print 1)
      (print 2))

(loop
  (print 1)
  (print 2))

(do ((i 0 (1+ i))
     (j 1))
    ((> i 3)
     j)
 start
  (print i))

(dolist (x list
           result)
  (print x))

(tagbody
 start
   (print 1)
   (go start))

;;;; Calls
(make-instance 'square :side 1
                       :colour :red)

(foo
 a
 b)

(foo (or x
         y) z
     w)

((lambda (x)
   (1+ x))
 1)

(mapcar #'(lambda (x)
            (1+ x))
        list)

(mapcar (lambda (x)
          (1+ x))
        list)

(print-unreadable-object (x stream
                          :type t)
  (princ 1 stream))

(with-open-file (s name
                   :direction :output)
  (print 1 s))

(with-thing (a b)
  (c))

;;;; Data
(defparameter *table*
  '((a . 1)
    (b c
     d)
    (let e
      f)))

(vector #(1 2
          3)
        '(let ((a 1))
          b))

`(let ((a 1)
       ,@more)
   (list a
         ,b))

(list `(,a ,b
           ,c) ,@(d
                  e))

;;;; Features and comments
(list #+sbcl
      (a)
      #-sbcl (b)
      c)

(list ; one
      2
      ;; three
      3)

(if* a
   then b
        c
 elseif d
   then e
   else f)

;;;; Macros of the image
(alexandria:if-let (a (f))
  (list a)
  (b))

(alexandria:when-let* ((a (f))
                       (b (g a)))
  (list a b))

(iterate:iter (for x in list)
  (collect x))

(alexandria:once-only (a
                       b)
  `(list ,a))
