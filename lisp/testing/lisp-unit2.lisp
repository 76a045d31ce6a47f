;;;; lisp-unit2. It signals a condition for each assertion, passed or failed. An unhandled error reaches the image's debugger or ends the
;;;; test.

(in-package #:lisp-workbench/testing)

(defclass lisp-unit2 (framework) ()
  (:default-initargs :name "lisp-unit2" :package '#:lisp-unit2))

(add-framework (make-instance 'lisp-unit2))

(defmethod list-tests ((framework lisp-unit2))
  (let ((listed '()))
    (maphash (lambda (name test) (push (listed-as framework name :object test) listed))
             (slot-of (symbol-value (named framework "*TEST-DB*")) framework "NAME-INDEX"))
    (nreverse listed)))

(defmethod run-listed ((framework lisp-unit2) listed debug)
  (let ((record *record*))
    (flet ((note (condition)
             ;; This only observes the condition; lisp-unit2's own handlers decide what happens.
             (let ((passed (of-class-p condition framework "ASSERTION-PASS")))
               (when (or passed (of-class-p condition framework "ASSERTION-FAIL"))
                 (setf (record-checks record)
                       (append (record-checks record) (list (lisp-unit2-check framework condition passed))))))))
      (handler-bind ((condition #'note))
        (if debug
            (call framework "RUN-TEST" (listed-key listed)
                  :test-context-provider (named framework "WITH-FAILURE-DEBUGGING-CONTEXT"))
            (call framework "RUN-TEST" (listed-key listed)))))
    (list (cons listed record))))

(defun lisp-unit2-check (framework condition passed)
  (let ((form (slot-of condition framework "ASSERTION")) (failure (slot-of condition framework "FAILURE")))
    (make-check :outcome (if passed :passed :failed) :formp (and form t) :form form
                :expected (and failure (as-one-value (slot-of failure framework "EXPECTED")))
                :actual (and failure (as-one-value (slot-of failure framework "ACTUAL"))))))
