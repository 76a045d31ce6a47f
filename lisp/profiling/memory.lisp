;;;; The operations `memory-report`, `instances` and `gc`.

(in-package #:lisp-workbench/profiling)

(defconstant +most-types+ 100)

(define-operation "memory-report" (:looking-up request)
  (multiple-value-bind (types total) (usage-by-type)
    (object "used" (dynamic-usage)
            "size" (sb-ext:dynamic-space-size)
            "bytesConsed" (sb-ext:get-bytes-consed)
            "gcMs" (/ (* 1000 sb-ext:*gc-run-time*) internal-time-units-per-second)
            "betweenGcs" (sb-ext:bytes-consed-between-gcs)
            "generations" (array-of (loop for generation from 0 to +pseudo-static-generation+
                                          collect (object "generation" generation
                                                          "bytes" (sb-ext:generation-bytes-allocated generation)
                                                          "pseudoStatic" (json-boolean (= generation +pseudo-static-generation+)))))
            "types" (array-of types)
            "total" total)))

(defun usage-by-type ()
  "Records of what objects take in the dynamic space, the most bytes first, and how many types there are."
  (let ((usage (make-hash-table :test #'eq :size 4000)))
    (map-allocated-objects
     (lambda (object type size)
       (declare (ignore type) (type fixnum size))
       (let* ((class (class-of object))
              (entry (or (gethash class usage) (setf (gethash class usage) (cons 0 0)))))
         (incf (the fixnum (car entry)))
         (incf (the fixnum (cdr entry)) size)))
     :dynamic)
    (let ((all (sort (loop for class being the hash-keys of usage using (hash-value entry)
                           unless (engine-class-p class) collect (cons class entry))
                     #'> :key #'cddr)))
      (values (loop for (class count . bytes) in all
                    repeat +most-types+
                    collect (object "type" (let ((*package* (find-package '#:common-lisp-user))) (class-label-of class))
                                    "count" count
                                    "bytes" bytes))
              (length all)))))

(define-operation "instances" (:looking-up request)
  (with-request-package (package request)
    (multiple-value-bind (symbol status) (named-symbol (field request "class"))
      (let ((class (and status (find-class symbol nil))))
        (multiple-value-bind (instances total)
            (if class (instances-of class (min 1000 (field request "limit"))) (values '() 0))
          (object "found" (json-boolean class)
                  "total" total
                  "instances" (with-page-time ()
                                (array-of (loop for instance in instances
                                                collect (step-object instance (field request "holder")))))))))))

(defun step-object (object holder)
  (object "text" (value-text object)
          "type" (or (carefully (shown-type object)) "T")
          "handle" (hold object holder)))

(define-run "gc" (evaluation request)
  (let ((before (dynamic-usage)) (start (microseconds)))
    (sb-ext:gc :full (eq t (field request "full")))
    (object "before" before
            "after" (dynamic-usage)
            "ms" (/ (- (microseconds) start) 1000))))
