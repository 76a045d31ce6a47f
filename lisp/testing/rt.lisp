;;;; RT, the regression tester of MIT, also as SB-RT, in which SBCL brings it along. A test is a form, and the values that it is to have.

(in-package #:lisp-workbench/testing)

(defclass rt (framework) ()
  (:default-initargs :name "rt" :package '#:regression-test))

(add-framework (make-instance 'rt))
(add-framework (make-instance 'rt :name "sb-rt" :package '#:sb-rt))

(defmethod list-tests ((framework rt))
  (loop for entry in (rest (symbol-value (named framework "*ENTRIES*")))
        for name = (call framework "NAME" entry)
        collect (make-listed :framework framework :key entry :object entry
                             :name (if (symbolp name) (symbol-name name) (print-short name 200))
                             :package (if (and (symbolp name) name) (symbol-package-name name) ""))))

(defmethod run-listed ((framework rt) listed debug)
  ;; An error ends the one form that a test is: it leaves the test with or without a debugger.
  (declare (ignore debug))
  (let* ((entry (listed-key listed)) (compare (named framework "EQUALP-WITH-CASE")) (seen nil) (pending nil))
    (unwind-protect-without-interrupts
         (progn
           (encapsulate compare 'lisp-workbench-testing
                        (lambda (original actual expected)
                          (unless seen (setf seen (list actual)))
                          (funcall original actual expected)))
           (call-with-variables framework '(("*CATCH-ERRORS*" nil))
                                (lambda () (setf pending (null (call framework "DO-ENTRY" entry (make-broadcast-stream)))))))
      (unencapsulate compare 'lisp-workbench-testing))
    (list (cons listed
                (make-record
                 :checks (list (make-check :outcome (if pending :failed :passed) :formp t :form (call framework "FORM" entry)
                                           :expected (and pending (as-one-value (expected-values framework entry)))
                                           :actual (and pending seen (as-one-value (first seen))))))))))

(defun expected-values (framework entry)
  "Return the list of the values that ENTRY is to have. In SB-RT an entry is a list that ends in them, which VALS, a macro there, takes apart."
  (if (macro-function (named framework "VALS"))
      (nthcdr 3 entry)
      (call framework "VALS" entry)))

(defun as-one-value (values)
  "Return a list of one value: that of VALUES, or the list of them where there is not exactly one."
  (if (and (consp values) (null (rest values))) values (list values)))
