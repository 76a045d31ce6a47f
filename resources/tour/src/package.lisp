(defpackage #:lisp-tour
  (:use #:cl)
  (:documentation "A basket of wares: their total price, and their average price.")
  (:export #:*basket*
           #:ware-name
           #:ware-price
           #:basket-total
           #:average-price))
