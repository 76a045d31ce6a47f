;;;; Rove. Its tests are functions in a package's suite. Their results are stored in the statistics object that is bound while they run.

(in-package #:lisp-workbench/testing)

(defclass rove (framework) ()
  (:default-initargs :name "rove" :package '#:rove/core/suite/package))

(defclass rove-part (framework) ()
  (:documentation "An adapter for another package of Rove, used only to look up its names."))

(defvar *rove-results* (make-instance 'rove-part :name "rove" :package '#:rove/core/result))
(defvar *rove-stats* (make-instance 'rove-part :name "rove" :package '#:rove/core/stats))
(defvar *rove-assertion* (make-instance 'rove-part :name "rove" :package '#:rove/core/assertion))

(add-framework (make-instance 'rove))

(defmethod list-tests ((framework rove))
  (loop for suite in (call framework "ALL-SUITES")
        append (loop for name in (call framework "SUITE-TESTS" suite)
                     for function = (call framework "GET-TEST" name)
                     when function collect (listed-as framework name :object function))))

(defmethod run-listed ((framework rove) listed debug)
  (let* ((name (listed-key listed)) (stats (make-instance (named *rove-stats* "STATS")))
         (suite (call framework "FIND-SUITE" (symbol-package name)))
         (record-it (named *rove-stats* "RECORD")) (condition nil))
    (flet ((note (original into object)
             ;; Rove records an error in its handler, so the error's stack still exists here.
             (let ((reason (slot-of object *rove-results* "REASON")))
               (when (and (typep reason 'condition) (null condition))
                 (setf condition (condition-here reason framework))))
             (funcall original into object)))
      (unwind-protect-without-interrupts
           (progn
             (encapsulate record-it 'lisp-workbench-testing #'note)
             (call-with-variables *rove-stats* `(("*STATS*" ,stats))
                                  (lambda ()
                                    (call-with-variables *rove-assertion* `(("*DEBUG-ON-ERROR*" ,debug))
                                                         (lambda () (call-in-suite framework suite (call framework "GET-TEST" name)))))))
        (unencapsulate record-it 'lisp-workbench-testing)))
    (list (cons listed (make-record :checks (checks-of-stats stats) :condition condition)))))

(defun call-in-suite (framework suite function)
  "Call FUNCTION, a test, between the set-up and the clean-up of its suite."
  (flet ((part (name) (and suite (slot-of suite framework name)))
         (run-hooks (hooks) (dolist (hook (reverse hooks)) (funcall (cdr hook)))))
    (let ((*package* (or (part "PACKAGE") *package*)))
      (when (part "SETUP") (funcall (part "SETUP")))
      (unwind-protect
           (progn (run-hooks (part "BEFORE-HOOKS"))
                  (unwind-protect (funcall function) (run-hooks (part "AFTER-HOOKS"))))
        (when (part "TEARDOWN") (funcall (part "TEARDOWN")))))))

(defun checks-of-stats (stats)
  (flet ((part (name) (coerce (slot-of stats *rove-stats* name) 'list)))
    (checks-of-rove (append (part "PASSED") (part "FAILED") (part "PENDING")))))

(defun checks-of-rove (results)
  "Return the checks in RESULTS, which contains assertions and tests. A test contains further assertions and tests."
  (loop for result in results
        append (if (of-class-p result *rove-results* "TEST")
                   (checks-of-rove (append (slot-of result *rove-results* "PASSED") (slot-of result *rove-results* "FAILED")
                                           (slot-of result *rove-results* "PENDING")))
                   (list (rove-check result)))))

(defun rove-check (assertion)
  (flet ((part (name) (slot-of assertion *rove-results* name)))
    (let* ((form (part "FORM")) (reason (part "REASON")) (values (part "VALUES")) (arguments (part "ARGS"))
           (description (ignore-errors (call *rove-results* "ASSERTION-DESCRIPTION" assertion)))
           (outcome (cond ((typep reason 'condition) :error)
                          ((of-class-p assertion *rove-results* "FAILED-ASSERTION") :failed)
                          ((of-class-p assertion *rove-results* "PENDING-ASSERTION") :skipped)
                          (t :passed)))
           (check (make-check :outcome outcome :formp (not (member form '(t nil))) :form form
                              :reason (and (not (eq outcome :passed)) (stringp description) description))))
      (when (and (eq outcome :failed) (listp values) (= (length values) (length arguments)))
        (case (length values)
          (1 (setf (check-actual check) (list (first values))))
          (2 (destructuring-bind (one other) values
               ;; Rove does not report which of the two values is the expected one. Take the constant one, otherwise the last one.
               (let ((first-p (and (constantp (first arguments)) (not (constantp (second arguments))))))
                 (setf (check-expected check) (list (if first-p one other))
                       (check-actual check) (list (if first-p other one))))))))
      check)))
