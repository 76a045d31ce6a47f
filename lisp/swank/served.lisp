;;;; The connections of Emacs that are open.

(in-package #:lisp-workbench/swank)

(defstruct (served (:copier nil) (:predicate nil))
  "A connection of Emacs. THREADS are those that SWANK made for it, and any others that evaluate for it now."
  evaluation connection (count 0) (threads '()))

(sb-ext:defglobal *served* '())         ; connections that are open, the latest first
(sb-ext:defglobal *served-lock* (sb-thread:make-mutex :name "lisp-workbench SWANK"))

(defun served-by (connection)
  (find connection *served* :key #'served-connection))

(defun serving (evaluation)
  "Return the connection whose own threads work for EVALUATION; NIL where there is none, or it has not been made yet."
  (let ((served (and evaluation (find evaluation *served* :key #'served-evaluation))))
    (and served (served-connection served) served)))

(defun call-in-thread-of (served function)
  "Call FUNCTION in this thread as one of those that end with the connection SERVED; not at all when that has ended."
  (let ((thread sb-thread:*current-thread*))
    (unwind-protect
         (when (sb-thread:with-mutex (*served-lock*)
                 (and (member served *served*) (push thread (served-threads served))))
           (funcall function))
      (sb-thread:with-mutex (*served-lock*)
        (setf (served-threads served) (remove thread (served-threads served) :count 1))))))

(defun forget (served)
  "Take the connection SERVED from those that are open; return the threads that are left of it. No other comes to be one of them."
  (sb-thread:with-mutex (*served-lock*)
    (setf *served* (remove served *served*))
    (remove-duplicates (served-threads served))))
