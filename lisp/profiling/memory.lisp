;;;; The operations `memory-report`, `instances` and `gc`.

(in-package #:lisp-workbench/profiling)

;; Walking the whole heap takes a long time if the heap is large or the machine is slow.
(defconstant +heap-walk-seconds+ 60)

;; As in INSTANCES-OF, a small garbage collection comes first; otherwise objects that threads have just allocated would not be counted.
(define-operation "memory-report" (:looking-up request :seconds +heap-walk-seconds+)
  (let ((since-gc (since-collection)))
    (sb-ext:gc :gen 0)
    (report-of-memory since-gc (field request "limit"))))

(defun report-of-memory (since-gc limit)
  (multiple-value-bind (types total) (usage-by-type limit)
    (object "used" (dynamic-usage)
            "sinceGc" since-gc
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

(defun since-collection ()
  "Return the number of bytes allocated since the last collection. Return NIL if SBCL's runtime does not report when the next one is due."
  (let ((trigger (sb-sys:find-foreign-symbol-address "auto_gc_trigger")))
    (and trigger
         (max 0 (- (dynamic-usage)
                   (- (sb-sys:sap-ref-word (sb-sys:int-sap trigger) 0) (sb-ext:bytes-consed-between-gcs)))))))

(defun usage-by-type (most)
  "Return two values: records of the memory that each type uses in the dynamic space, largest first and at most MOST; and the number of
types."
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
                    repeat most
                    collect (object "type" (let ((*package* (find-package '#:common-lisp-user))) (class-label-of class))
                                    "count" count
                                    "bytes" bytes))
              (length all)))))

(define-operation "instances" (:looking-up request :seconds +heap-walk-seconds+)
  (with-request-package (package request)
    (multiple-value-bind (symbol status) (named-symbol (field request "class"))
      (let ((class (and status (find-class symbol nil))))
        (multiple-value-bind (instances total)
            (if class (instances-of class (min 1000 (field request "limit")) :exactly t) (values '() 0))
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
