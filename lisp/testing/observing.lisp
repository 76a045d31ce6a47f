;;;; Observes the results of tests that were not started by the workbench's test runner, for example those run by ASDF. The frameworks'
;;;; functions are encapsulated during the run.

(in-package #:lisp-workbench/testing)

(defgeneric observe (framework tell)
  (:documentation "From now on, call TELL for each test of FRAMEWORK that runs. TELL's arguments are the names of the package and of the
test, both strings, and the RECORD. Suppress the framework's output about passing tests if possible. Return a function that ends the
observation, or NIL if the framework cannot be observed.")
  (:method (framework tell) (declare (ignore framework tell)) nil))

(defvar *outermost* t "False within an observed call, because tests that run inside it are parts of the observed test.")

(defun seeing-calls (&rest advice)
  "Encapsulate functions. ADVICE contains three values for each function: a framework, the function's name, and a replacement function,
which receives the original as its first argument. Return a function that removes the encapsulations. Return NIL if one of the functions
does not exist (yet)."
  (let ((symbols (loop for (framework name) on advice by #'cdddr collect (named framework name))))
    (when (every (lambda (symbol) (and symbol (fboundp symbol) (not (macro-function symbol)))) symbols)
      (loop for symbol in symbols
            for (nil nil function) on advice by #'cdddr
            do (encapsulate symbol 'lisp-workbench-observing function))
      (lambda ()
        (dolist (symbol symbols)
          (ignore-errors (unencapsulate symbol 'lisp-workbench-observing)))))))

(defun silence () (make-broadcast-stream))

(defun error-record (condition framework &optional checks)
  "Return the RECORD of a test that CONDITION ends. Call this in a handler of CONDITION."
  (make-record :checks checks :condition (condition-here condition framework)))

;;; FiveAM

(defmethod observe ((framework fiveam) tell)
  (flet ((quietly (original &rest arguments)
           (call-with-variables framework `(("*TEST-DRIBBLE*" ,(silence))) (lambda () (apply original arguments)))))
    (seeing-calls framework "RUN"
            (lambda (original &rest arguments)
              (if *outermost*
                  (let ((results (let ((*outermost* nil)) (apply #'quietly original arguments))))
                    (when (listp results)
                      (loop for (listed . record) in (records-of-fiveam framework results)
                            do (funcall tell (listed-package listed) (listed-name listed) record)))
                    results)
                  (apply original arguments)))
            framework "EXPLAIN!" #'quietly)))

(defun records-of-fiveam (framework results)
  "Return (LISTED . RECORD) for each FiveAM test that has a result in RESULTS."
  (loop for listed in (remove-if #'listed-suite (list-tests framework))
        for record = (record-of-results framework listed results (make-seen))
        when (record-checks record) collect (cons listed record)))

;;; RT

(defmethod observe ((framework rt) tell)
  (let ((seen nil))
    (seeing-calls framework "DO-ENTRIES" (lambda (original stream) (declare (ignore stream)) (funcall original (silence)))
            framework "EQUALP-WITH-CASE" (lambda (original actual expected)
                                           (unless seen (setf seen (list actual)))
                                           (funcall original actual expected))
            framework "DO-ENTRY"
            (lambda (original entry &rest more)
              (declare (ignore more))
              (setf seen nil)
              (multiple-value-bind (passed condition) (call-entry framework (lambda () (funcall original entry (silence))))
                (multiple-value-bind (package name) (name-of-entry (call framework "NAME" entry))
                  (funcall tell package name (entry-record framework entry passed seen condition)))
                passed)))))

(defun call-entry (framework function)
  "Call FUNCTION, which runs an entry of RT. Return two values: the value of FUNCTION, and the error that ended it, in its wire form. RT
itself does not record the error. An entry is pending until it has passed."
  (let ((condition nil))
    (values (block run
              (handler-bind ((style-warning #'muffle-warning)
                             (error (lambda (error)
                                      (setf condition (condition-here error framework))
                                      (return-from run nil))))
                (call-with-variables framework '(("*CATCH-ERRORS*" nil)) function)))
            condition)))

;;; 1am. A test ends with the first failed check

(defmethod observe ((framework 1am) tell)
  (let ((passed 0))
    (seeing-calls framework "REPORT" (constantly nil)
            framework "PASSED" (lambda (original)
                                 (incf passed)
                                 (let ((*standard-output* (silence))) (funcall original)))
            framework "CALL-TEST"
            (lambda (original name function)
              (let ((before passed) (out *standard-output*))
                (flet ((checks () (loop repeat (- passed before) collect (make-check :outcome :passed))))
                  (handler-bind ((error (lambda (condition)
                                          (funcall tell (symbol-package-name name) (symbol-name name)
                                                   (error-record condition framework (checks))))))
                    (let ((*standard-output* (silence)))
                      (funcall original name (lambda () (let ((*standard-output* out)) (funcall function))))))
                  (funcall tell (symbol-package-name name) (symbol-name name) (make-record :checks (checks)))))))))

;;; Rove

(defmethod observe ((framework rove) tell)
  (let ((names '()) (owner nil) (checks '()) (condition nil))
    (flet ((own (name) (setf owner (cons name (length names)) checks '() condition nil))
           (testp (name)
             (let ((symbol (and (stringp name) (find-symbol (string-upcase name) *package*))))
               (and symbol (call framework "GET-TEST" symbol)))))
      (seeing-calls *rove-stats* "TEST-BEGIN" (lambda (original stats name &rest more)
                                          (push name names)
                                          (when (and (null owner) (testp name)) (own name))
                                          (apply original stats name more))
              *rove-stats* "RECORD" (lambda (original stats object)
                                      (when (and names (of-class-p object *rove-results* "ASSERTION"))
                                        (unless owner (own (first names)))
                                        (let ((check (rove-check object)) (reason (slot-of object *rove-results* "REASON"))
                                              (within (ldiff names (last names (cdr owner)))))
                                          (when (and within (not (eq :passed (check-outcome check))))
                                            (setf (check-reason check) (format nil "~{~A~^: ~}~@[: ~A~]" (reverse within) (check-reason check))))
                                          (when (and (typep reason 'condition) (null condition))
                                            (setf condition (condition-here reason framework)))
                                          (push check checks)))
                                      (funcall original stats object))
              *rove-stats* "TEST-FINISH" (lambda (original stats name &rest more)
                                           (when (and owner (= (cdr owner) (length names)))
                                             (funcall tell (package-name *package*) (string-upcase (car owner))
                                                      (make-record :checks (reverse checks) :condition condition))
                                             (setf owner nil))
                                           (pop names)
                                           (apply original stats name more))))))

;;; Parachute

(defmethod observe ((framework parachute) tell)
  (seeing-calls framework "TEST"
          (lambda (original &rest arguments)
            (let ((report (let ((*outermost* nil)) (apply original arguments))))
              (when (and *outermost* (of-class-p report framework "REPORT"))
                (loop for result across (slot-of report framework "RESULTS")
                      when (of-class-p result framework "TEST-RESULT")
                        do (let ((listed (parachute-listed framework (slot-of result framework "EXPRESSION"))))
                             (funcall tell (listed-package listed) (listed-name listed) (parachute-record framework result)))))
              report))))

;;; Prove. A test is a check with a description, with or without subtests

(defmethod observe ((framework prove) tell)
  (seeing-calls framework "ADD-REPORT"
          (lambda (original report suite)
            (unless (of-class-p report *prove-reports* "COMPOSED-TEST-REPORT")
              (flet ((part (name) (slot-of report *prove-reports* name)))
                (let* ((error (of-class-p report *prove-reports* "ERROR-TEST-REPORT"))
                       (failed (call *prove-reports* "FAILED-REPORT-P" report))
                       (skipped (of-class-p report *prove-reports* "SKIPPED-TEST-REPORT"))
                       (description (part "DESCRIPTION")) (got (part "GOT")))
                  (when (or failed (of-class-p report *prove-reports* "TEST-REPORT"))
                    (funcall tell "" (if (stringp description) description (print-short got 80))
                             (make-record
                              :checks (list (make-check :outcome (cond (error :error) (failed :failed) (skipped :skipped) (t :passed))
                                                        :expected (and failed (not error) (list (part "EXPECTED")))
                                                        :actual (and failed (list got))))))))))
            (funcall original report suite))))

;;; Fiasco

(defmethod observe ((framework fiasco) tell)
  (let ((conditions '()))
    (seeing-calls framework "RECORD-FAILURE"
            (lambda (original type &rest arguments)
              (let ((condition (and (eq type (named framework "UNEXPECTED-ERROR")) (getf arguments :error))))
                (when condition (push (cons condition (condition-here condition framework)) conditions))
                (apply original type arguments)))
            framework "RUN-TEST-BODY-IN-HANDLERS"
            (lambda (original test function)
              (multiple-value-prog1 (funcall original test function)
                (let ((run (symbol-value (named framework "*CONTEXT*"))))
                  (when (and run (zerop (hash-table-count (slot-of test framework "CHILDREN"))))
                    (let ((name (slot-of test framework "NAME")))
                      (funcall tell (symbol-package-name name) (symbol-name name) (record-of-run framework run conditions))))))))))

;;; lisp-unit2. It signals the results of its assertions. If a debugger is available, lisp-unit2 does not handle errors

(defmethod observe ((framework lisp-unit2) tell)
  (seeing-calls framework "%RUN-TEST"
                (lambda (original test &rest more)
                  (let* ((checks '()) (name (slot-of test framework "NAME"))
                         (result (handler-bind ((condition
                                                  (lambda (condition)
                                                    (let ((passed (of-class-p condition framework "ASSERTION-PASS")))
                                                      (when (or passed (of-class-p condition framework "ASSERTION-FAIL"))
                                                        (push (lisp-unit2-check framework condition passed) checks))))))
                                   (let ((*debugger-hook* nil)) (apply original test more))))
                         (error (find-if (lambda (each) (typep each 'condition))
                                         (collected-errors result framework))))
                    (funcall tell (symbol-package-name name) (symbol-name name)
                             (make-record :checks (reverse checks) :condition (and error (condition-alone error))))
                    result))))

(defun collected-errors (result framework)
  "Return the errors of RESULT, which are in a list or in lisp-unit2's own collector."
  (let ((errors (slot-of result framework "ERRORS")))
    (cond ((typep errors 'sequence) (coerce errors 'list))
          (errors (slot-of errors framework "HEAD")))))
