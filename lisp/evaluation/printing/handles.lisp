;;;; Handles: numbers with which the core refers to objects of the image. An object is retained for a holder, a name that the core chose
;;;; (for an evaluation, an inspector or a debugger), until the core releases the holder. To limit memory use, there are at most
;;;; +MOST-HANDLES+ handles, and the oldest holder is released first. All holders are released before the heap is exhausted.

(in-package #:lisp-workbench/evaluation)

(defconstant +most-handles+ 60000)

(sb-ext:defglobal *handles-lock* (sb-thread:make-mutex :name "lisp-workbench handles"))
(sb-ext:defglobal *held-objects* (make-hash-table)) ; handle → object
(sb-ext:defglobal *holders* '())        ; (name . handles), latest first
(sb-ext:defglobal *last-handle* 0)

(defun hold (object holder)
  "Return a new handle for OBJECT. The handle is valid until HOLDER, a string, is released."
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
  "Return two values: the object of HANDLE, and true if HANDLE is still valid."
  (sb-thread:with-mutex (*handles-lock*)
    (gethash handle *held-objects*)))

(defun release-holder (holder)
  "Release the handles of HOLDER. Return false if it had no handles."
  (sb-thread:with-mutex (*handles-lock*)
    (let ((entry (assoc holder *holders* :test #'equal)))
      (when entry
        (forget-holder entry)
        t))))

(defun release-everything ()
  "Release all objects. This is called after a garbage collection, perhaps in a thread that already holds the lock; in that case do nothing."
  (when (and (not (sb-thread:holding-mutex-p *handles-lock*))
             (sb-thread:grab-mutex *handles-lock* :waitp nil))
    (unwind-protect
         (progn (clrhash *held-objects*)
                (setf *holders* '()))
      (sb-thread:release-mutex *handles-lock*))))

(defun handle-tables ()
  "Return the tables in which handles keep objects alive. A search for references to an object skips these tables."
  (list *held-objects*))

(defun begin-handles-anew ()
  "Release all handles. Restart the numbers above all numbers that this image or the previous one has used, because an old number that is
still displayed must not refer to another object. Called when an image starts, and when a checkpoint's process continues, which does not
know the handles assigned since the checkpoint. An image assigns fewer than ten handles per millisecond of its life."
  (release-everything)
  (setf *last-handle* (floor (microseconds) 100)))

(defun keep-held (handle holder)
  "Retain the object of HANDLE for HOLDER, in addition to its current holder. Return the new handle, or NIL if HANDLE is no longer valid."
  (multiple-value-bind (object found) (held-object handle)
    (and found (hold object holder))))

(defun forget-holder (entry)
  "Release the holder of ENTRY and its handles. The caller must hold the lock."
  (setf *holders* (delete entry *holders* :test #'eq))
  (dolist (handle (cdr entry)) (remhash handle *held-objects*)))
