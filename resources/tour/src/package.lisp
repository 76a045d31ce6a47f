(defpackage #:lisp-tour
  (:use #:cl)
  (:documentation "A basket of wares: what they cost together, and on average.")
  (:export #:*basket*
           #:ware-name
           #:ware-price
           #:basket-total
           #:average-price))
