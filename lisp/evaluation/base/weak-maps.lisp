;;;; Facts about objects, stored as long as the objects live. A hash table with weak keys has the same purpose, but in older versions of
;;;; SBCL, such as 2.2.9, it sometimes loses a value whose key is alive. The garbage collector frees the value and leaves a dangling
;;;; pointer, which crashes the process at a later collection. Therefore the weak table here contains only numbers, and an ordinary table
;;;; maps the numbers to values.

(in-package #:lisp-workbench/evaluation)

(defstruct (weak-map (:copier nil) (:predicate nil))
  "A map from objects, compared by EQ, to values. A value must not refer to its object, because the object would then never be freed."
  (numbers (make-hash-table :test #'eq :weakness :key :synchronized t)) ; object → number of its value
  (values (make-hash-table :synchronized t)) ; number → value
  (last 0)                                   ; the last number assigned
  (roomy 64)                                 ; the number of values at which the values of dead objects must be removed
  (lock (sb-thread:make-mutex :name "lisp-workbench weak map")))

(defun associated (object map)
  "Return two values: the value of OBJECT in MAP, and true if there is one."
  (let ((number (gethash object (weak-map-numbers map))))
    (if number (gethash number (weak-map-values map)) (values nil nil))))

(defun (setf associated) (value object map)
  (without-interrupts
    (sb-thread:with-mutex ((weak-map-lock map))
      (let ((number (or (gethash object (weak-map-numbers map)) (incf (weak-map-last map)))))
        (setf (gethash number (weak-map-values map)) value
              (gethash object (weak-map-numbers map)) number)
        (when (> (hash-table-count (weak-map-values map)) (weak-map-roomy map))
          (forget-dead map)))))
  value)

(defun forget-dead (map)
  "Remove the values of dead objects. Called with the lock held, whenever MAP has doubled in size."
  (let ((living (make-hash-table)) (values (weak-map-values map)))
    (sb-ext:with-locked-hash-table ((weak-map-numbers map))
      (loop for number being the hash-values of (weak-map-numbers map)
            do (setf (gethash number living) t)))
    (sb-ext:with-locked-hash-table (values)
      (loop for number in (loop for number being the hash-keys of values collect number)
            unless (gethash number living) do (remhash number values)))
    (setf (weak-map-roomy map) (max 64 (* 2 (hash-table-count values))))))
