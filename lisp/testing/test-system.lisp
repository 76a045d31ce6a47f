;;;; The operations `tested-systems`, which finds the project's systems that have tests, and `test-system`, which makes ASDF run a system's tests in the manner that the system defines. If a framework has an adapter, the
;;;; results of individual tests are observed. For other frameworks, only an error or an exit shows that tests failed.

(in-package #:lisp-workbench/testing)

(defconstant +most-failures+ 200)

(define-run "test-system" (evaluation request)
  (values (test-system evaluation (field request "system") :only (coerce (field request "only") 'list) :ends t)))

(defstruct watch
  "An observed test run. SEEN contains (FRAMEWORK PACKAGE NAME . RECORD), latest first. ENDS contains a function for each observed framework
that ends its observation. EXIT is the exit code with which a test tried to end the process."
  (seen '()) (ends '()) (exit nil))

(defun test-system (evaluation system &key only ends)
  "Make ASDF run the tests of SYSTEM; with ONLY, run just the tests with these names. Return two values: the outcome in its wire form, and
the list SEEN. If a system signals an error because tests failed, that error is part of the outcome. With ENDS, the error also ends
EVALUATION, whose report then includes the outcome."
  (let* ((name (canonical-name system)) (watch (make-watch)))
    (flet ((told () (values (test-object name watch) (reverse (watch-seen watch)))))
      (when ends
        (setf (evaluation-partial-result evaluation)
              (lambda (status condition)
                (declare (ignore condition))
                (and (string= status "error") (failed-p watch) (test-object name watch)))))
      (block tested
        (unwind-protect-without-interrupts
             (let ((*package* (find-package '#:common-lisp-user)))
               (observe-frameworks watch) ; if everything is already loaded, running the tests is ASDF's first action
               (call-with-progress evaluation name
                                   (lambda ()
                                     (call-telling-faults
                                      watch
                                      (lambda (condition) (if ends (end-with-error condition) (return-from tested (told))))
                                      (lambda ()
                                        (mapc #'install-missing (list* name (tests-of-system (found-system name))))
                                        (require-files name)
                                        (if only (run-only evaluation only name watch) (call-noting-exit watch #'asdf:test-system name)))))
                                   (lambda () (observe-frameworks watch)))
               (told))
          (stop-observing watch)
          (when ends (ignore-errors (send-seen-results evaluation watch))))))))

(defun send-seen-results (evaluation watch)
  "Report the result of each test that WATCH has seen and that is listed, so that the person sees the results of all runs in the image."
  (when (watch-seen watch)
    (loop with known = (tests-by-id)
          for (framework package name . record) in (once-each (reverse (watch-seen watch)))
          for listed = (gethash (test-id framework package name) known)
          when listed do (send-result evaluation listed record))))

(defun observe-frameworks (watch)
  "Observe each framework as soon as it is loaded."
  (dolist (framework (loaded-frameworks))
    (unless (assoc framework (watch-ends watch))
      (let ((end (ignore-errors
                  (observe framework (lambda (package name record)
                                       (push (list* framework package name record) (watch-seen watch)))))))
        (when end (push (cons framework end) (watch-ends watch)))))))

(defun stop-observing (watch)
  (loop for (nil . end) in (watch-ends watch) do (funcall end))
  (setf (watch-ends watch) '()))

(defun call-noting-exit (watch function &rest arguments)
  "Call FUNCTION. If its tests try to exit the process, as tests written for a shell do, end only the run and keep the image running."
  (let ((thread sb-thread:*current-thread*) (tag (list nil)))
    (unwind-protect-without-interrupts
         (progn
           (encapsulate 'sb-ext:exit 'lisp-workbench-observing
                        (lambda (original &rest options)
                          (when (eq thread sb-thread:*current-thread*)
                            (setf (watch-exit watch) (or (getf options :code) (if (getf options :abort) 1 0)))
                            (throw tag nil))
                          (apply original options)))
           (catch tag (apply function arguments)))
      (unencapsulate 'sb-ext:exit 'lisp-workbench-observing))))

(defun call-telling-faults (watch failed function)
  "Call FUNCTION, which makes ASDF find, load and test systems. An error in the systems themselves ends the evaluation, even if other errors
would wait in the debugger, because its message says what to do and frames of ASDF do not help. If a system signals an error because tests
have failed, which WATCH has recorded, call FAILED with that error."
  (handler-bind (((or asdf:system-definition-error asdf:operation-error uiop:compile-file-error) #'end-with-error)
                 (error (lambda (condition)
                          (let ((place (place-of-fault condition)))
                            (when place (end-with-error condition place)))
                          (when (and *outermost* (failed-p watch)) (funcall failed condition)))))
    (funcall function)))

(defun run-only (evaluation names system watch)
  "Load SYSTEM and run the tests in NAMES. A name may have a package prefix, as the framework prints it, or none."
  (load-with-tests system)
  (stop-observing watch)
  (let ((all (remove-if #'of-asdf-p (all-listed))))
    (unless all
      (error "Tests cannot be run by name, because ~A loads no test framework that lists its tests~@[ (~{~A~^, ~})~]."
             system (remove "asdf" (mapcar #'framework-name (loaded-frameworks)) :test #'string=)))
    (dolist (listed (remove-duplicates (loop for name in names append (with-parts (test-named name all system) all)) :from-end t))
      (loop for (each . record) in (let ((*record* (make-record))) (records-of-one evaluation listed nil))
            do (push (list* (listed-framework each) (listed-package each) (listed-name each) record) (watch-seen watch))))))

(defun load-with-tests (system)
  "Load SYSTEM and the systems whose tests are also its tests."
  (asdf:load-system system)
  (mapc #'load-with-tests (tests-of-system (asdf:find-system system))))

(define-run "tested-systems" (evaluation request)
  (declare (ignore evaluation) (ignorable request))
  (call-telling-faults
   (make-watch)
   #'end-with-error
   (lambda ()
     (read-project-systems)
     (let* ((names (tested-systems))
            (parts (loop for name in names append (tests-of-system (asdf:find-system name)))))
       (object "systems" (array-of (loop for name in names
                                         unless (member name parts :test #'equal)
                                           collect (object "name" name
                                                           "tests" (array-of (tests-of-system (asdf:find-system name)))
                                                           "lists" (json-boolean (lists-tests-p name))))))))))

(defun lists-tests-p (system)
  "Return true if SYSTEM or its tests need a loaded framework that lists its tests."
  (some (lambda (framework) (and (not (typep framework 'asdf-systems)) (needed-p (framework-name framework) system)))
        (loaded-frameworks)))

(defun with-parts (listed all)
  "Return the tests that LISTED represents: LISTED itself or, if it is a suite, all tests in the suite."
  (if (listed-suite listed)
      (loop for each in all
            when (equal (listed-parent each) (listed-id listed)) append (with-parts each all))
      (list listed)))

(defun test-named (name all system)
  "Return the test in ALL that NAME refers to. If there are several, return the one that belongs to SYSTEM."
  (let* ((colon (position #\: name :from-end t))
         (bare (string-left-trim ":" (if colon (subseq name (1+ colon)) name)))
         (prefix (and colon (string-right-trim ":" (subseq name 0 colon))))
         (home (and prefix (plusp (length prefix)) (find-package (string-upcase prefix))))
         (found (remove-if-not (lambda (listed)
                                 (and (string-equal bare (listed-name listed))
                                      (or (null home) (string= (package-name home) (listed-package listed)))))
                               all)))
    (when (rest found)
      (let ((own (remove-if-not (lambda (listed) (of-system-p listed system)) found)))
        (when own (setf found own))))
    (case (length found)
      (1 (first found))
      (0 (error "No test is named ~A.~@[ The first ones are: ~{~A~^, ~}.~]" name
                (mapcar #'listed-name (subseq all 0 (min 5 (length all))))))
      (t (error "~A names ~D tests: ~{~A~^, ~}. Give its package too." name (length found)
                (mapcar (lambda (listed) (shown-test (listed-package listed) (listed-name listed))) found))))))

(defun of-system-p (listed system)
  "Return true if LISTED may belong to SYSTEM: a form that may define LISTED is in the files of SYSTEM, or of systems whose names start with
SYSTEM, and one of these files mentions LISTED's package."
  (let ((package (find-package (listed-package listed))))
    (and package
         (gethash (string-upcase (listed-name listed)) (test-places system))
         (some (lambda (file) (search (format nil "~A" (package-name package)) (string-upcase (or (file-text file) ""))))
               (files-of-loaded-systems +most-files+ system)))))

(defun shown-test (package name)
  (if (string= package "") name (format nil "~A::~A" package name)))

;;; The outcome

(defun result-of-seen (seen) (record-result (cdddr seen)))

(defun failed-result-p (seen) (member (result-of-seen seen) '("failed" "error" "stopped") :test #'string=))

(defun expected-failure-p (seen) (some #'check-expected-failure (record-checks (cdddr seen))))

(defun failed-p (watch) (some #'failed-result-p (watch-seen watch)))

(defun test-object (name watch)
  (let* ((seen (once-each (reverse (watch-seen watch))))
         (failed (remove-if-not #'failed-result-p seen))
         (framework (cond (seen (framework-name (first (first seen))))
                          ;; The tests could have been observed, because the system needs a framework with an adapter, but no tests ran.
                          ((find-if (lambda (end) (needed-p (framework-name (first end)) name)) (watch-ends watch))
                           "none")))
         (places (and failed (test-places name))))
    (flet ((checks (&rest outcomes)
             (loop for (nil nil nil . record) in seen
                   sum (max (count-if (lambda (check) (member (check-outcome check) outcomes)) (record-checks record))
                            (if (and (member :error outcomes)
                                     (record-condition record)
                                     (notany (lambda (check) (member (check-outcome check) '(:error :failed))) (record-checks record)))
                                1
                                0)))))
      (let ((passed (checks :passed)) (expected (count-if #'expected-failure-p seen)) (faults (checks :failed :error)) (skipped (checks :skipped)))
        (object "name" name
                "hasTests" (json-boolean (or seen (tests-defined-p name)))
                "success" (json-boolean (and (null failed) (member (watch-exit watch) '(nil 0))))
                "framework" (and seen framework)
                "ran" (and (or seen (null (watch-exit watch))) framework (length seen))
                "failing" (and framework (length failed))
                "exit" (watch-exit watch)
                "passed" (and seen passed)
                "failed" (and seen faults)
                "skipped" (and seen (- skipped expected))
                "expected" (and seen expected)
                "total" (and seen (+ passed faults skipped))
                "failures" (array-of (loop for each in failed
                                           for (nil package test . record) = each
                                           repeat +most-failures+
                                           append (failure-objects package test record (place-object test places)))))))))

(defun once-each (seen)
  "Return SEEN without repeated tests, which occur because some systems run all their tests twice, the second time interpreted. If a test
failed in one of the runs, use that result."
  (let ((table (make-hash-table :test #'equal)) (once '()))
    (dolist (each seen (mapcar #'first (nreverse once)))
      (destructuring-bind (framework package name . record) each
        (declare (ignore record))
        ;; If there is no package, the name is a description, which several tests may share.
        (let* ((key (list (framework-name framework) package name)) (cell (and (string/= package "") (gethash key table))))
          (cond ((null cell) (push (setf (gethash key table) (list each)) once))
                ((and (failed-result-p each) (not (failed-result-p (first cell)))) (setf (first cell) each))))))))

(defun needed-p (wanted system)
  "Return true if WANTED is SYSTEM or a system that SYSTEM or its tests need, directly or indirectly."
  (let ((seen (make-hash-table :test #'equal)))
    (labels ((visit (name)
               (or (string= name wanted)
                   (let ((system (and (not (gethash name seen)) (ignore-errors (asdf:registered-system name)))))
                     (setf (gethash name seen) t)
                     (and system
                          (some #'visit (append (dependency-names (asdf:system-depends-on system)) (tests-of-system system))))))))
      (ignore-errors (visit system)))))

(defun failure-objects (package test record source)
  "Return an object for each failed check or error in RECORD."
  (let ((*package* (or (find-package package) *package*)) (condition (record-condition record)))
    (flet ((fault (reason)
             (object "test" (shown-test package test)
                     "reason" (subseq reason 0 (min 4000 (length reason)))
                     "source" source)))
      (append (and condition
                   (list (fault (format nil "~A: ~A" (field condition "type") (field condition "message")))))
              (loop for check in (record-checks record)
                    when (or (eq :failed (check-outcome check)) (and (null condition) (eq :error (check-outcome check))))
                      collect (fault (check-text check)))
              (and (null condition)
                   (notany (lambda (check) (member (check-outcome check) '(:failed :error))) (record-checks record))
                   (list (fault (format nil "It ~A." (record-result record)))))))))

(defun check-text (check)
  (let ((reason (check-reason check)))
    ;; FiveAM's own text only repeats the form and the values, so it is left out.
    (when (and reason (check-formp check) (check-expected check) (check-actual check) (search "evaluated to" reason)) (setf reason nil))
    (if (and reason (null (check-expected check)))
        reason
        (format nil "~{~A~^, ~}"
                (remove nil (list (if (check-formp check)
                                      (format nil "~@[~A: ~]~A" reason (print-value (check-form check) +form-text+))
                                      reason)
                                  (and (check-expected check) (format nil "expected ~A" (print-short (first (check-expected check)) 1000)))
                                  (and (check-actual check) (format nil "got ~A" (print-short (first (check-actual check)) 1000)))))))))
