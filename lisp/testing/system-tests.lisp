;;;; Systems that define how they are tested. Each is listed as a test, like the tests of frameworks. ASDF runs it, and the results of the
;;;; frameworks that it uses are observed.

(in-package #:lisp-workbench/testing)

(defclass asdf-systems (framework) ()
  (:default-initargs :name "asdf" :package '#:asdf))

(add-framework (make-instance 'asdf-systems))

(defmethod list-tests ((framework asdf-systems))
  (loop for name in (tested-systems)
        collect (make-listed :framework framework :name name :package "" :key name)))

(defmethod run-listed ((framework asdf-systems) listed debug)
  (declare (ignore debug))
  (multiple-value-bind (outcome seen) (test-system *evaluation* (listed-key listed))
    (cons (cons listed (record-of-system outcome))
          (let ((known (tests-by-id)))
            (loop for (framework package name . record) in seen
                  for test = (gethash (test-id framework package name) known)
                  when test collect (cons test record))))))

(defun record-of-system (outcome)
  "Return the RECORD for the result of `test-system`: its failures, or its success."
  (make-record
   :outcome (cond ((not (eq t (field outcome "hasTests"))) :skipped)
                  ((eq t (field outcome "success")) :passed)
                  (t :failed))
   :checks (append (loop for failure across (field outcome "failures")
                         collect (make-check :outcome :failed
                                             :reason (format nil "~A: ~A" (field failure "test") (field failure "reason"))))
                   (loop repeat (or (field outcome "passed") 0) collect (make-check :outcome :passed))
                   (loop repeat (or (field outcome "skipped") 0) collect (make-check :outcome :skipped)))))
