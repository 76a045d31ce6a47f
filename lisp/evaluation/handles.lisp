;;;; Handles: numbers by which the other end speaks of objects of the image. An object is held for a holder, a name that the
;;;; other end chose (an evaluation, an inspector, a debugger), until it releases the holder. So nothing is kept by accident:
;;;; there are at most +MOST-HANDLES+, the oldest holder goes first, and all of them go before the heap is exhausted.

(in-package #:lisp-workbench/evaluation)

(defconstant +most-handles+ 20000)

(sb-ext:defglobal *handles-lock* (sb-thread:make-mutex :name "lisp-workbench handles"))
(sb-ext:defglobal *held-objects* (make-hash-table)) ; handle → object
(sb-ext:defglobal *holders* '())        ; (name . handles), the latest first
(sb-ext:defglobal *last-handle* 0)

(defun hold (object holder)
  "A new handle for OBJECT, valid until HOLDER, a string, is released."
  (sb-thread:with-mutex (*handles-lock*)
    (let ((handle (incf *last-handle*))
          (entry (assoc holder *holders* :test #'equal)))
      (unless entry
        (setf entry (list holder))
        (push entry *holders*))
      (push handle (cdr entry))
      (setf (gethash handle *held-objects*) object)
      (loop while (and (> (hash-table-count *held-objects*) +most-handles+) (rest *holders*))
            do (forget-holder (first (last *holders*))))
      handle)))

(defun held-object (handle)
  "The object, and whether HANDLE is still valid."
  (sb-thread:with-mutex (*handles-lock*)
    (gethash handle *held-objects*)))

(defun release-holder (holder)
  "Forget what is held for HOLDER; false when there was nothing."
  (sb-thread:with-mutex (*handles-lock*)
    (let ((entry (assoc holder *holders* :test #'equal)))
      (when entry
        (forget-holder entry)
        t))))

(defun release-everything ()
  "Called after a collection, maybe by the thread that has the lock: then nothing is done."
  (when (and (not (sb-thread:holding-mutex-p *handles-lock*))
             (sb-thread:grab-mutex *handles-lock* :waitp nil))
    (unwind-protect
         (progn (clrhash *held-objects*)
                (setf *holders* '()))
      (sb-thread:release-mutex *handles-lock*))))

(defun handle-tables ()
  "What keeps the held objects: to be left out where somebody asks what else does."
  (list *held-objects*))

(defun begin-handles-anew ()
  "Called when a copy of the image goes on: what was held since is unknown to it, and no number is given twice."
  (release-everything)
  (setf *last-handle* (* 1000 (floor (microseconds) 1000))))

(defun forget-holder (entry)
  "Call with the lock."
  (setf *holders* (delete entry *holders* :test #'eq))
  (dolist (handle (cdr entry)) (remhash handle *held-objects*)))
