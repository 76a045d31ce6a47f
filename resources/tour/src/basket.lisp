(in-package #:lisp-tour)

(defclass ware ()
  ((name :initarg :name
         :reader ware-name
         :type string
         :documentation "What the ware is called.")
   (price :initarg :price
          :accessor ware-price
          :type (rational 0)
          :documentation "What one of it costs."))
  (:documentation "Something that can be bought."))

(defmethod print-object ((ware ware) stream)
  (print-unreadable-object (ware stream :type t)
    (format stream "~A ~A" (ware-name ware) (ware-price ware))))

(defun make-ware (name price)
  "Return a new ware called NAME, a string, that costs PRICE."
  (make-instance 'ware :name name :price price))

(defvar *basket*
  (list (make-ware "apples" 4)
        (make-ware "bread" 3)
        (make-ware "tea" 8))
  "The wares that the tour looks at.")

(defun basket-total (basket)
  "Return what the wares of BASKET, a list, cost together."
  (reduce #'+ basket :key #'ware-price))

(defun average-price (basket)
  "Return what a ware of BASKET costs on average; 0 when there is none in it."
  (/ (basket-total basket) (length basket)))
