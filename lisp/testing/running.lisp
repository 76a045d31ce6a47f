;;;; The operations `tests`, which lists the image's tests, and `run-tests`, which runs some of them. Each result is reported immediately by
;;;; an event. An error, a limit or an abort ends only the test in which it occurs; an interrupt ends the whole run.

(in-package #:lisp-workbench/testing)

(defconstant +most-listed+ 10000)

(define-operation "tests" (:looking-up request)
  (declare (ignorable request))
  (let* ((all (all-listed)) (shown (subseq all 0 (min +most-listed+ (length all)))) (places (if (every #'of-asdf-p all) (make-hash-table) (test-places))))
    (object "frameworks" (array-of (remove "asdf" (mapcar #'framework-name (loaded-frameworks)) :test #'string=))
            "tests" (array-of (mapcar (lambda (listed) (listed-object-of-wire listed places)) shown))
            "more" (- (length all) (length shown)))))

(defun of-asdf-p (listed)
  (typep (listed-framework listed) 'asdf-systems))

(defun listed-object-of-wire (listed places)
  (object "id" (listed-id listed)
          "framework" (framework-name (listed-framework listed))
          "name" (listed-name listed)
          "package" (listed-package listed)
          "parent" (listed-parent listed)
          "suite" (json-boolean (listed-suite listed))
          "version" (version-of (listed-object listed))
          "source" (place-object (listed-name listed) places)))

;; Runs the tests with the given ids, in that order. A test that already ran as part of another test is not run again.
(define-run "run-tests" (evaluation request)
  (let ((done (make-hash-table :test #'equal)) (counts (make-hash-table :test #'equal)) (missing '()) (debug (field request "debug")))
    (flet ((told (listed record)
             (setf (gethash (listed-id listed) done) t)
             (incf (gethash (record-result record) counts 0))
             (send-result evaluation listed record)))
      (loop with known = (tests-by-id)
            for id across (field request "tests")
            for listed = (gethash id known)
            do (cond ((gethash id done))
                     ((or (null listed) (listed-suite listed)) (push id missing))
                     (t (run-one evaluation listed (eq t debug) #'told)))))
    (object "missing" (array-of (nreverse missing))
            "counts" (array-of (loop for outcome being the hash-keys of counts using (hash-value count)
                                     collect (object "outcome" outcome "count" count))))))

(defun tests-by-id ()
  (let ((table (make-hash-table :test #'equal)))
    (dolist (listed (all-listed) table)
      (setf (gethash (listed-id listed) table) listed))))

(defun run-one (evaluation listed debug told)
  "Run LISTED and call TOLD with each test that ran and the test's record. If the run is stopped, report the test as stopped."
  (let ((*record* (make-record)) (start (microseconds)) (ended nil))
    (unwind-protect-without-interrupts
         (let* ((records (progn
                           (send-event "test-started" "evaluation" (evaluation-id evaluation) "test" (listed-id listed))
                           (records-of-one evaluation listed debug)))
                (elapsed (- (microseconds) start)))
           (finish-output-of evaluation) ; a test's output must be sent before its result
           (loop for (each . record) in records
                 do (when (eq each listed) (setf (record-microseconds record) elapsed ended t))
                    (funcall told each record)))
      (unless ended
        (funcall told listed (make-record :outcome :stopped :microseconds (- (microseconds) start)))))))

(defun records-of-one (evaluation listed debug)
  "Run LISTED and return (LISTED . RECORD) for each test that ran. An interrupt ends the evaluation."
  (let ((records '()))
    (multiple-value-bind (status condition)
        (call-nested-with-outcome evaluation
                                  (lambda ()
                                    (setf records (run-listed (listed-framework listed) listed debug))
                                    (finish-output *standard-output*)
                                    (finish-output *error-output*)))
      (cond ((string= status "ok") records)
            ((string= status "interrupted") (throw (evaluation-tag evaluation) '(:interrupted)))
            (t (setf (record-condition *record*) condition)
               (list (cons listed *record*)))))))
