;;;; Facts about objects, kept as long as the objects live. A hash table of SBCL that is weak on its keys does that by itself, but older
;;;; versions, such as 2.2.9, now and then lose a value whose key lives: the collector frees it and leaves a dangling pointer, at which a
;;;; later collection ends the process. So the weak table here holds numbers alone, and an ordinary one has the values by their numbers.

(in-package #:lisp-workbench/evaluation)

(defstruct (weak-map (:copier nil) (:predicate nil))
  "A map from objects, compared by EQ, to values. A value must not refer to its object, which would live for ever."
  (numbers (make-hash-table :test #'eq :weakness :key :synchronized t)) ; object → number of its value
  (values (make-hash-table :synchronized t)) ; number → value
  (last 0)                                   ; the latest number
  (roomy 64)                                 ; the number of values at which those of dead objects are looked for
  (lock (sb-thread:make-mutex :name "lisp-workbench weak map")))

(defun associated (object map)
  "Return the value of OBJECT in MAP, and true when there is one."
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
  "Forget the values of objects that live no more. Called with the lock, when MAP has grown to twice what it had after the last time."
  (let ((living (make-hash-table)) (values (weak-map-values map)))
    (sb-ext:with-locked-hash-table ((weak-map-numbers map))
      (loop for number being the hash-values of (weak-map-numbers map)
            do (setf (gethash number living) t)))
    (sb-ext:with-locked-hash-table (values)
      (loop for number in (loop for number being the hash-keys of values collect number)
            unless (gethash number living) do (remhash number values)))
    (setf (weak-map-roomy map) (max 64 (* 2 (hash-table-count values))))))
