;;;; The open connections of Emacs.

(in-package #:lisp-workbench/swank)

(defstruct (served (:copier nil) (:predicate nil))
  "A connection of Emacs. THREADS are the threads that SWANK created for it, and other threads that currently evaluate for it."
  evaluation connection (count 0) (threads '()))

(sb-ext:defglobal *served* '())         ; open connections, latest first
(sb-ext:defglobal *served-lock* (sb-thread:make-mutex :name "lisp-workbench SWANK"))

(defun served-by (connection)
  (find connection *served* :key #'served-connection))

(defun serving (evaluation)
  "Return the open connection whose threads work for EVALUATION; NIL if there is none, or if it is not established yet."
  (let ((served (and evaluation (find evaluation *served* :key #'served-evaluation))))
    (and served (served-connection served) served)))

(defun call-in-thread-of (served function)
  "Call FUNCTION in this thread, which becomes part of the connection SERVED and ends with it. If the connection has already ended, do not
call FUNCTION."
  (let ((thread sb-thread:*current-thread*))
    (unwind-protect
         (when (sb-thread:with-mutex (*served-lock*)
                 (and (member served *served*) (push thread (served-threads served))))
           (funcall function))
      (sb-thread:with-mutex (*served-lock*)
        (setf (served-threads served) (remove thread (served-threads served) :count 1))))))

(defun forget (served)
  "Remove the connection SERVED from the open connections, and return its remaining threads. After this, no other thread can join it."
  (sb-thread:with-mutex (*served-lock*)
    (setf *served* (remove served *served*))
    (remove-duplicates (served-threads served))))
