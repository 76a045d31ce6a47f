;;;; RT, the regression tester from MIT, and SB-RT, the version that comes with SBCL. A test consists of a form and its expected values.

(in-package #:lisp-workbench/testing)

(defclass rt (framework) ()
  (:default-initargs :name "rt" :package '#:regression-test))

(add-framework (make-instance 'rt))
(add-framework (make-instance 'rt :name "sb-rt" :package '#:sb-rt))

(sb-ext:defglobal *copies* (make-hash-table :test #'equal :synchronized t)) ; package name → the adapter for its copy of RT

(defun copies-of-rt ()
  "Return adapters for the packages that contain their own copy of RT, for example in the tests of named-readtables."
  (loop for package in (list-all-packages)
        for name = (package-name package)
        when (and name (not (member name '("REGRESSION-TEST" "SB-RT") :test #'string=)) (copy-of-rt-p package))
          collect (or (gethash name *copies*)
                      (setf (gethash name *copies*) (make-instance 'rt :name "rt" :package name)))))

(defun copy-of-rt-p (package)
  (flet ((own (name)
           (multiple-value-bind (symbol status) (find-symbol name package)
             (and (member status '(:internal :external)) (eq package (symbol-package symbol)) symbol))))
    (and (loop for name in '("DO-ENTRIES" "DO-ENTRY" "EQUALP-WITH-CASE" "PENDING-TESTS")
               always (let ((symbol (own name))) (and symbol (fboundp symbol))))
         (let ((entries (own "*ENTRIES*"))) (and entries (boundp entries))))))

(defmethod list-tests ((framework rt))
  (loop for entry in (rest (symbol-value (named framework "*ENTRIES*")))
        for name = (call framework "NAME" entry)
        collect (multiple-value-bind (package shown) (name-of-entry name)
                  (make-listed :framework framework :key entry :object entry :name shown :package package))))

(defun name-of-entry (name)
  "Return the package and the name of the RT test NAME, as strings."
  (if (symbolp name)
      (values (if name (symbol-package-name name) "") (symbol-name name))
      (values "" (print-short name 200))))

(defmethod run-listed ((framework rt) listed debug)
  ;; A test has a single form, and an error ends it. Therefore the error ends the test with or without a debugger.
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
    (list (cons listed (entry-record framework entry (not pending) seen nil)))))

(defun expected-to-fail-p (framework entry)
  (let ((names (named framework "*EXPECTED-FAILURES*")))
    (and names (boundp names) (listp (symbol-value names))
         (member (call framework "NAME" entry) (symbol-value names) :test #'equal)
         t)))

(defun entry-record (framework entry passed seen condition)
  "Return the RECORD for ENTRY. SEEN contains the list of ENTRY's values if they were compared. CONDITION is the error that ended ENTRY, or
NIL."
  (cond ((and (not passed) (expected-to-fail-p framework entry))
         (make-record :checks (list (make-check :outcome :skipped :reason "The test failed, as expected." :expected-failure t))))
        ((and condition (not passed)) (make-record :condition condition))
        (t (make-record :checks (list (entry-check framework entry passed seen))))))

(defun entry-check (framework entry passed seen)
  "Return the single check of ENTRY. SEEN contains the list of ENTRY's values if they were compared."
  (make-check :outcome (if passed :passed :failed) :formp t :form (call framework "FORM" entry)
              :expected (and (not passed) (as-one-value (expected-values framework entry)))
              :actual (and (not passed) seen (as-one-value (first seen)))))

(defun expected-values (framework entry)
  "Return the list of ENTRY's expected values. In SB-RT, VALS is a macro, and an entry is a list that ends with these values."
  (if (macro-function (named framework "VALS"))
      (nthcdr 3 entry)
      (call framework "VALS" entry)))

(defun as-one-value (values)
  "Return a list of one value: the element of VALUES if there is exactly one, otherwise the list VALUES itself."
  (if (and (consp values) (null (rest values))) values (list values)))
