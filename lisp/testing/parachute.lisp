;;;; Parachute. A test may contain other tests, which run with it. A run's report has the results of all of them.

(in-package #:lisp-workbench/testing)

(defclass parachute (framework) ()
  (:default-initargs :name "parachute" :package '#:parachute))

(add-framework (make-instance 'parachute))

(defmethod list-tests ((framework parachute))
  (loop for package in (call framework "TEST-PACKAGES")
        when (and (packagep package) (package-name package))
          append (loop for test in (call framework "PACKAGE-TESTS" package)
                       collect (parachute-listed framework test))))

(defun parachute-listed (framework test)
  (let ((parent (slot-of test framework "PARENT")))
    (make-listed :framework framework :key test :name (string (slot-of test framework "NAME"))
                 :package (parachute-home framework test)
                 ;; Redefining a test replaces only its list of forms, not the test object.
                 :object (slot-of test framework "TESTS")
                 :parent (and parent (test-id framework (parachute-home framework parent) (string (slot-of parent framework "NAME")))))))

(defun parachute-home (framework test)
  (let ((home (slot-of test framework "HOME"))) (if (packagep home) (or (package-name home) "") "")))

(defmethod run-listed ((framework parachute) listed debug)
  (let ((report (if debug
                    (call framework "TEST" (listed-key listed) :report (named framework "INTERACTIVE"))
                    (call framework "TEST" (listed-key listed) :report (named framework "PLAIN") :stream (make-broadcast-stream)))))
    (loop for result across (slot-of report framework "RESULTS")
          when (of-class-p result framework "TEST-RESULT")
            collect (let ((test (slot-of result framework "EXPRESSION")))
                      (cons (if (eq test (listed-key listed)) listed (parachute-listed framework test))
                            (parachute-record framework result))))))

(defun parachute-record (framework result)
  (let* ((checks (loop for each across (slot-of result framework "RESULTS")
                       unless (of-class-p each framework "TEST-RESULT") collect (parachute-check framework each)))
         (status (slot-of result framework "STATUS")) (duration (slot-of result framework "DURATION"))
         (error (find-if (lambda (check) (typep (first (check-actual check)) 'condition))
                         (remove :error checks :key #'check-outcome :test-not #'eq))))
    (make-record
     :outcome (cond ((eq status :skipped) :skipped)
                    ;; The test failed, but all its checks and inner tests passed. Therefore the code between them failed.
                    ((and (eq status :failed) (null error)) :failed))
     :checks checks
     :condition (and error (condition-alone (first (check-actual error))))
     :microseconds (and (realp duration) (round (* 1000000 duration))))))

(defun parachute-check (framework result)
  (flet ((value (name) (slot-of result framework name)))
    (let* ((status (value "STATUS")) (actual (value "VALUE"))
           (comparison (of-class-p result framework "COMPARISON-RESULT"))
           (failed (eq status :failed)) (error (and failed (typep actual 'condition))))
      (make-check :outcome (cond (error :error) (failed :failed) ((eq status :skipped) :skipped) (t :passed))
                  :formp t :form (value "EXPRESSION")
                  :reason (and failed (stringp (value "DESCRIPTION")) (value "DESCRIPTION"))
                  :expected (and failed comparison (not error) (list (value "EXPECTED")))
                  :actual (and failed (slot-boundp result (named framework "VALUE")) (list actual))))))
