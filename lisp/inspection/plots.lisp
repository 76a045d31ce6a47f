;;;; Vectors and lists of real numbers as points of a plot. Long ones are reduced to as many points as the plot can resolve.

(in-package #:lisp-workbench/inspection)

(define-operation "inspect-plot" (:looking-up request)
  (multiple-value-bind (object found) (held-object (field request "handle"))
    (multiple-value-bind (points problem)
        (if found
            (with-page-time () (carefully (plot-points object (field request "points"))))
            (values nil nil))
      (object "expired" (json-boolean (not found))
              "points" (array-of (loop for (index . value) in (getf points :points)
                                       collect (object "index" index "value" value)))
              "total" (or (getf points :total) 0)
              "least" (getf points :least)
              "greatest" (getf points :greatest)
              "problem" problem))))

(defun plottable-p (object)
  "Return true if OBJECT is a vector or list whose first elements are real numbers."
  (typecase object
    (string nil)
    (vector (and (>= (length object) 2)
                 (loop for index below (min (length object) 100) always (realp (aref object index)))))
    (cons (and (consp (cdr object))
               (loop for (element . rest) on object repeat 100 always (realp element) while (consp rest))
               (eq :proper (nth-value 1 (list-shape object)))))))

(defun plot-points (object most)
  "Return a plist for OBJECT: :POINTS, a list of at most MOST (index . value), and :TOTAL, :LEAST and :GREATEST of all its numbers. If there
are more numbers than MOST, divide them into ranges and return the least and the greatest of each range. Omit values that are not finite
numbers."
  (let* ((total (length object))
         (stretch (max 1 (ceiling (* 2 total) most)))
         (points '()) (least nil) (greatest nil)
         (low nil) (high nil))
    (flet ((take (index value)
             (let ((value (plain-number value)))
               (when value
                 (when (or (null low) (< value (cdr low))) (setf low (cons index value)))
                 (when (or (null high) (> value (cdr high))) (setf high (cons index value))))))
           (end-stretch ()
             (when low
               (let ((pair (if (= (car low) (car high)) (list low)
                               (if (< (car low) (car high)) (list low high) (list high low)))))
                 (dolist (point pair) (push point points)))
               (setf least (if least (min least (cdr low)) (cdr low))
                     greatest (if greatest (max greatest (cdr high)) (cdr high))
                     low nil high nil))))
      (let ((index 0))
        (map nil (lambda (value)
                   (take index value)
                   (incf index)
                   (when (zerop (mod index stretch)) (end-stretch)))
             object))
      (end-stretch))
    (list :points (nreverse points) :total total :least least :greatest greatest)))

(defun plain-number (value)
  "Return VALUE as a number that the wire can represent, or NIL."
  (typecase value
    ((integer #.(- (expt 2 53)) #.(expt 2 53)) value)
    (float (and (finitep value) (float value 1d0)))
    (real (ignore-errors (coerce value 'double-float)))))
