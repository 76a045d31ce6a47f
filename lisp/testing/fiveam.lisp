;;;; FiveAM. Its results contain only text. Therefore, while a test runs, advice on FiveAM's functions records the values of a failed check
;;;; and the stack of an error.

(in-package #:lisp-workbench/testing)

(defclass fiveam (framework) ()
  (:default-initargs :name "fiveam" :package '#:it.bese.fiveam))

(add-framework (make-instance 'fiveam))

(defmethod list-tests ((framework fiveam))
  (let* ((table (symbol-value (named framework "*TEST*"))) (parents (suites-of-names framework table)) (listed '()))
    (maphash (lambda (name test)
               (when (and name (symbolp name))
                 (push (listed-as framework name :object test :suite (of-class-p test framework "TEST-SUITE")
                                                 :parent (gethash name parents))
                       listed)))
             table)
    (nreverse listed)))

(defun suites-of-names (framework table)
  "Return a table that maps the names of tests and suites to the id of the suite that contains each. Leave out the global suite, which
contains everything that was defined outside other suites."
  (let ((parents (make-hash-table :test #'eq)))
    (maphash (lambda (suite object)
               (when (and suite (of-class-p object framework "TEST-SUITE"))
                 (loop for name being the hash-keys of (call framework "TESTS" object)
                       do (setf (gethash name parents) (symbol-test-id framework suite)))))
             table)
    parents))

;;; Running

(defvar *seen* nil "A SEEN object while a test of FiveAM runs in this thread; otherwise NIL.")

(defstruct seen
  "Facts about results, recorded when FiveAM created the results. ARGUMENTS are the arguments of the failed check in progress; the first is
a format control."
  (arguments nil) (of-results '()) (conditions '()))

(defmethod run-listed ((framework fiveam) listed debug)
  (let ((action (and debug :debug)) (seen (make-seen)) (silence (make-broadcast-stream)) (results '()))
    (call-seeing-results
     framework
     (lambda ()
       (call-with-variables framework
                            `(("*TEST-DRIBBLE*" ,silence) ("*PRINT-NAMES*" nil) ("*ON-ERROR*" ,action) ("*ON-FAILURE*" ,action)
                              ("*DEBUG-ON-ERROR*" ,debug) ("*DEBUG-ON-FAILURE*" ,debug))
                            (lambda ()
                              (let ((*seen* seen))
                                (setf results (call framework "RUN" (listed-key listed))))))))
    (list (cons listed (record-of-results framework listed (reverse results) seen)))))

(defun call-seeing-results (framework function)
  (let ((add (named framework "ADD-RESULT")) (fail (named framework "PROCESS-FAILURE")))
    (unwind-protect-without-interrupts
         (progn
           (encapsulate add 'lisp-workbench-testing
                        (lambda (original type &rest arguments) (note-result framework original type arguments)))
           (encapsulate fail 'lisp-workbench-testing #'note-failed-check)
           (funcall function))
      (unencapsulate add 'lisp-workbench-testing)
      (unencapsulate fail 'lisp-workbench-testing))))

(defun note-failed-check (original form &rest arguments)
  "Record the values that a failed check of FORM prints."
  (when *seen* (setf (seen-arguments *seen*) arguments))
  (unwind-protect (apply original form arguments)
    (when *seen* (setf (seen-arguments *seen*) nil))))

(defun note-result (framework original type arguments)
  (let ((condition (and *seen* (eq type (named framework "UNEXPECTED-TEST-FAILURE")) (getf arguments :condition)))
        (values '()))
    (when (typep condition 'condition)
      (push (cons condition (condition-here condition framework)) (seen-conditions *seen*)))
    (setf values (multiple-value-list (apply original type arguments)))
    (when (and *seen* (seen-arguments *seen*) (consp (first values)))
      ;; FiveAM has already added the result to its list when this runs.
      (push (cons (first (first values)) (seen-arguments *seen*)) (seen-of-results *seen*)))
    (values-list values)))

(defun record-of-results (framework listed results seen)
  (let ((own (remove-if-not (lambda (result) (eq (listed-object listed) (ignore-errors (call framework "TEST-CASE" result)))) results))
        (condition nil))
    (make-record
     :checks (loop for result in own
                   for error = (and (of-class-p result framework "UNEXPECTED-TEST-FAILURE")
                                    (ignore-errors (call framework "ACTUAL-CONDITION" result)))
                   when (and (typep error 'condition) (null condition))
                     do (setf condition (or (cdr (assoc error (seen-conditions seen))) (condition-alone error)))
                   collect (fiveam-check framework result (cdr (assoc result (seen-of-results seen)))))
     :condition condition)))

(defun fiveam-check (framework result arguments)
  (let* ((outcome (cond ((of-class-p result framework "UNEXPECTED-TEST-FAILURE") :error)
                        ((of-class-p result framework "TEST-FAILURE") :failed)
                        ((of-class-p result framework "TEST-SKIPPED") :skipped)
                        (t :passed)))
         (formp (and (not (eq outcome :error)) (slot-boundp result (named framework "TEST-EXPR"))))
         (reason (and (not (eq outcome :passed)) (ignore-errors (call framework "REASON" result))))
         (check (make-check :outcome outcome :formp formp
                            :form (and formp (call framework "TEST-EXPR" result))
                            ;; Leave out the reason of an error. It is only the condition, which is reported separately.
                            :reason (and (stringp reason) (not (eq outcome :error)) (told-in-lines reason)))))
    (when (stringp (first arguments)) (take-values check (first arguments) (rest arguments)))
    check))

(defun take-values (check control arguments)
  "Set the actual and expected values of a failed check from ARGUMENTS, which FiveAM's own format CONTROL prints. If the user wrote CONTROL,
the meaning of the arguments is unknown, and no value is set."
  (flet ((says (words) (search words control)))
    (cond ((and (says "which is not") (= 4 (length arguments)))
           (destructuring-bind (form actual predicate expected) arguments
             (declare (ignore form predicate))
             (setf (check-actual check) (list actual) (check-expected check) (list expected))))
          ((or (and (says "which is ~2&") (= 4 (length arguments)))
               (and (says "which satisfies") (= 3 (length arguments)))
               (and (says "which does not satisfy") (= 3 (length arguments)))
               (and (says "returned the value") (= 2 (length arguments))))
           (setf (check-actual check) (list (second arguments)))))))
