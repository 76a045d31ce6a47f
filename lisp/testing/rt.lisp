;;;; RT, the regression tester of MIT, also as SB-RT, in which SBCL brings it along. A test is a form, and the values that it is to have.

(in-package #:lisp-workbench/testing)

(defclass rt (framework) ()
  (:default-initargs :name "rt" :package '#:regression-test))

(add-framework (make-instance 'rt))
(add-framework (make-instance 'rt :name "sb-rt" :package '#:sb-rt))

(defmethod list-tests ((framework rt))
  (loop for entry in (rest (symbol-value (named framework "*ENTRIES*")))
        for name = (call framework "NAME" entry)
        collect (multiple-value-bind (package shown) (name-of-entry name)
                  (make-listed :framework framework :key entry :object entry :name shown :package package))))

(defun name-of-entry (name)
  "Return the package and the name of the test of RT that NAME names, as strings."
  (if (symbolp name)
      (values (if name (symbol-package-name name) "") (symbol-name name))
      (values "" (print-short name 200))))

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
                 :checks (list (entry-check framework entry (not pending) seen)))))))

(defun entry-check (framework entry passed seen)
  "Return the check that ENTRY is. SEEN has the list of its values, where they were compared."
  (make-check :outcome (if passed :passed :failed) :formp t :form (call framework "FORM" entry)
              :expected (and (not passed) (as-one-value (expected-values framework entry)))
              :actual (and (not passed) seen (as-one-value (first seen)))))

(defun expected-values (framework entry)
  "Return the list of the values that ENTRY is to have. In SB-RT an entry is a list that ends in them, which VALS, a macro there, takes apart."
  (if (macro-function (named framework "VALS"))
      (nthcdr 3 entry)
      (call framework "VALS" entry)))

(defun as-one-value (values)
  "Return a list of one value: that of VALUES, or the list of them where there is not exactly one."
  (if (and (consp values) (null (rest values))) values (list values)))
