;;;; 1am. A test is a function, and its first failed check ends it with an error.

(in-package #:lisp-workbench/testing)

(defclass 1am (framework) ()
  (:default-initargs :name "1am" :package '#:1am))

(add-framework (make-instance '1am))

(defmethod list-tests ((framework 1am))
  (loop for name in (reverse (symbol-value (named framework "*TESTS*")))
        when (and (symbolp name) (fboundp name))
          collect (listed-as framework name :object (fdefinition name))))

(defmethod run-listed ((framework 1am) listed debug)
  ;; An error reaches the caller of the test, with or without a debugger.
  (declare (ignore debug))
  (let ((record *record*) (passed (named framework "PASSED")))
    (unwind-protect-without-interrupts
         (progn
           (encapsulate passed 'lisp-workbench-testing
                        (lambda (original)
                          (declare (ignore original))
                          (push (make-check :outcome :passed) (record-checks record))
                          (values)))
           (call-with-variables framework '(("*RUNNING*" t)) (lambda () (funcall (listed-key listed)))))
      (unencapsulate passed 'lisp-workbench-testing))
    (list (cons listed record))))
