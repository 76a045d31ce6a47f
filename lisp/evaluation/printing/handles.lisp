;;;; Handles: numbers by which the other end speaks of objects of the image. An object is held for a holder, a name that the
;;;; other end chose (an evaluation, an inspector, a debugger), until it releases the holder. So nothing is kept by accident:
;;;; there are at most +MOST-HANDLES+, the oldest holder goes first, and all of them go before the heap is exhausted.

(in-package #:lisp-workbench/evaluation)

(defconstant +most-handles+ 60000)

(sb-ext:defglobal *handles-lock* (sb-thread:make-mutex :name "lisp-workbench handles"))
(sb-ext:defglobal *held-objects* (make-hash-table)) ; handle → object
(sb-ext:defglobal *holders* '())        ; (name . handles), the latest first
(sb-ext:defglobal *last-handle* 0)

(defun hold (object holder)
  "Return a new handle for OBJECT, valid until HOLDER, a string, is released."
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
  "Return the object of HANDLE, and true when HANDLE is still valid."
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
  "Forget all held objects. Called after a collection, perhaps by the thread that has the lock; then nothing is done."
  (when (and (not (sb-thread:holding-mutex-p *handles-lock*))
             (sb-thread:grab-mutex *handles-lock* :waitp nil))
    (unwind-protect
         (progn (clrhash *held-objects*)
                (setf *holders* '()))
      (sb-thread:release-mutex *handles-lock*))))

(defun handle-tables ()
  "Return the tables by which handles keep objects alive, to be left out when somebody asks what else keeps an object."
  (list *held-objects*))

(defun begin-handles-anew ()
  "Release all handles, and go on with numbers that were never given, neither by this image nor by the one before it: what still shows
an old number must not show another object. Called when an image starts, and when a copy goes on, which does not know the handles given
since it was made. No image gives ten handles in each millisecond of its life."
  (release-everything)
  (setf *last-handle* (floor (microseconds) 100)))

(defun keep-held (handle holder)
  "Hold the object of HANDLE for HOLDER too; the new handle, or NIL when HANDLE is not valid any more."
  (multiple-value-bind (object found) (held-object handle)
    (and found (hold object holder))))

(defun forget-holder (entry)
  "Forget HOLDER and its handles. Call with the lock."
  (setf *holders* (delete entry *holders* :test #'eq))
  (dolist (handle (cdr entry)) (remhash handle *held-objects*)))
