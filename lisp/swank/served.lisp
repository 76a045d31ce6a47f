;;;; The connections of Emacs that are open.

(in-package #:lisp-workbench/swank)

(defstruct (served (:copier nil) (:predicate nil))
  "A connection of Emacs. THREADS are those that evaluate for it now."
  evaluation connection (count 0) (threads '()))

(sb-ext:defglobal *served* '())         ; connections that are open, the latest first
(sb-ext:defglobal *served-lock* (sb-thread:make-mutex :name "lisp-workbench SWANK"))

(defun served-by (connection)
  (find connection *served* :key #'served-connection))

(defun forget (served)
  (sb-thread:with-mutex (*served-lock*) (setf *served* (remove served *served*))))
