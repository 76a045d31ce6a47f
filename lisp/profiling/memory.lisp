;;;; The operations `memory-report`, `instances`, `why-alive` and `gc`.

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
                  "instances" (array-of (loop for instance in instances
                                              collect (step-object instance (field request "holder"))))))))))

(defun step-object (object holder)
  (object "text" (print-short object 200)
          "type" (type-label object)
          "handle" (hold object holder)))

(define-run "gc" (evaluation request)
  (let ((before (dynamic-usage)) (start (microseconds)))
    (sb-ext:gc :full (eq t (field request "full")))
    (object "before" before
            "after" (dynamic-usage)
            "ms" (/ (- (microseconds) start) 1000))))

;;; Why an object is kept

;; Ways from a root to the object: what holds what, the root first. Our own table of handles does not count.
(define-operation "why-alive" (:looking-up request)
  (multiple-value-bind (object found) (held-object (field request "handle"))
    (let ((paths (and found (root-paths object))))
      (object "expired" (json-boolean (not found))
              "paths" (array-of (loop for (root . nodes) in paths
                                      repeat 10
                                      collect (path-object root nodes (field request "holder"))))))))

(defun root-paths (object)
  "(root . nodes) for each way that SBCL finds."
  (let ((pointer (sb-ext:make-weak-pointer object)))
    (setf object nil)
    (mapcar #'rest (sb-ext:search-roots pointer :criterion :pseudo-static :print nil :ignore (handle-tables)))))

(defun path-object (root nodes holder)
  "What is ours on the way is left out: the results that a REPL remembers are kept by it."
  (let* ((ours (position-if (lambda (node) (engine-class-p (class-of (car node)))) nodes :from-end t))
         (shown (if ours (nthcdr (1+ ours) nodes) nodes)))
    (object "root" (if ours "the results that a REPL remembers" (root-text root))
            "steps" (array-of (loop for (object . slot) in shown
                                    repeat 100
                                    collect (list* :object "slot" (slot-text object slot)
                                                   (rest (step-object object holder))))))))

(defun root-text (root)
  (cond ((eq root :static) "a static object")
        ((eq root :pinned) "the stack of a thread")
        ((and (consp root) (symbolp (second root)))
         (format nil "the binding of ~A in the thread ~A" (name-text (second root)) (thread-text (first root))))
        ((consp root) (format nil "a local variable in the thread ~A" (thread-text (first root))))
        (t (print-short root 200))))

(defun thread-text (thread)
  (cond ((stringp thread) thread)
        ((typep thread 'sb-thread:thread) (or (sb-thread:thread-name thread) "without a name"))
        (t (print-short thread 100))))

(defun slot-text (object slot)
  "What the SLOT-th word of OBJECT is called."
  (typecase object
    (cons (if (eql slot 0) "CAR" "CDR"))
    (simple-vector (princ-to-string slot))
    (t (print-short slot 100))))
