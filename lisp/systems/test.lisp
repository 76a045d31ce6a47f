;;;; The operation `test-system`. ASDF tells nothing of how the tests went. What FiveAM's RUN returns meanwhile is looked at
;;;; where FiveAM is; of other frameworks only errors are seen.

(in-package #:lisp-workbench/systems)

(defconstant +most-failures+ 200)

(define-run "test-system" (evaluation request)
  (let* ((name (canonical-name (field request "system")))
         (watch (make-watch)))
    (unwind-protect
         (let ((*package* (find-package '#:common-lisp-user)))
           (call-with-progress evaluation name
                               (lambda () (asdf:test-system name))
                               (lambda () (watch-framework watch)))
           (test-object name watch))
      (stop-watching watch))))

(defstruct watch (function nil) (results '()) (depth 0))

(defun watch-framework (watch)
  "Look at what FIVEAM:RUN returns, as soon as there is one."
  (let* ((package (and (null (watch-function watch)) (find-package '#:it.bese.fiveam)))
         (run (and package (find-symbol "RUN" package))))
    (when (and run (fboundp run))
      (setf (watch-function watch) run)
      (encapsulate run 'lisp-workbench-tests (lambda (original &rest arguments) (watch-run watch original arguments))))))

(defun watch-run (watch original arguments)
  "A run within a run is part of the outer one's results."
  (incf (watch-depth watch))
  (unwind-protect
       (let ((results (apply original arguments)))
         (when (and (= 1 (watch-depth watch)) (listp results))
           (setf (watch-results watch) (append (watch-results watch) results)))
         results)
    (decf (watch-depth watch))))

(defun stop-watching (watch)
  (when (watch-function watch)
    (ignore-errors (unencapsulate (watch-function watch) 'lisp-workbench-tests))))

(defun test-object (name watch)
  (let* ((framework (and (watch-results watch) "fiveam"))
         (failed (remove-if-not (lambda (result) (result-p result "TEST-FAILURE")) (watch-results watch)))
         (skipped (count-if (lambda (result) (result-p result "TEST-SKIPPED")) (watch-results watch)))
         (passed (count-if (lambda (result) (result-p result "TEST-PASSED")) (watch-results watch))))
    (object "name" name
            "hasTests" (json-boolean (or framework (tests-defined-p name)))
            "success" (json-boolean (null failed))
            "framework" framework
            "passed" (and framework passed)
            "failed" (and framework (length failed))
            "skipped" (and framework skipped)
            "total" (and framework (length (watch-results watch)))
            "failures" (array-of (mapcar #'failure-object
                                         (subseq failed 0 (min +most-failures+ (length failed))))))))

(defun fiveam (name)
  (let ((package (find-package '#:it.bese.fiveam)))
    (and package (find-symbol name package))))

(defun result-p (result class)
  (let ((symbol (fiveam class)))
    (and symbol (find-class symbol nil) (typep result symbol))))

(defun failure-object (result)
  (let* ((test (ignore-errors (funcall (fiveam "TEST-CASE") result)))
         (name (and test (ignore-errors (funcall (fiveam "NAME") test))))
         (reason (ignore-errors (funcall (fiveam "REASON") result))))
    (object "test" (print-short name 200)
            "reason" (let ((text (if (stringp reason) reason (print-short reason 2000))))
                       (subseq text 0 (min 4000 (length text))))
            "source" (and test (ignore-errors (test-source test name))))))

(defun test-source (test name)
  "Where the test stands, by its function."
  (let* ((function (funcall (fiveam "TEST-LAMBDA") test))
         (file (sb-introspect:definition-source-pathname (sb-introspect:find-definition-source function)))
         (text (text-of file)))
    (multiple-value-bind (offset line) (and text (place-of-test text (symbol-name name)))
      (object "file" (file-name (truename file)) "offset" offset "line" line))))

(defun place-of-test (text name)
  "Offset and line of (TEST NAME …) in TEXT; NIL when there is none."
  (loop for start = (search "(test" text :test #'char-equal)
          then (search "(test" text :test #'char-equal :start2 (1+ start))
        while start
        do (let* ((at (position-if-not (lambda (char) (find char '(#\Space #\Newline #\Tab #\()))
                                       text :start (+ start 5)))
                  (end (and at (position-if (lambda (char) (find char '(#\Space #\Newline #\Tab #\( #\))))
                                            text :start at))))
             (when (and end (string-equal name (subseq text at end)))
               (return (values (utf-16-offset text start) (1+ (count #\Newline text :end start))))))))

(defun tests-defined-p (name)
  "Whether the system says anywhere what testing it means."
  (let ((system (asdf:registered-system name)))
    (or (find 'asdf:test-op (component-in-order-to system) :key #'first)
        (some (lambda (method)
                (destructuring-bind (operation component &rest rest) (sb-mop:method-specializers method)
                  (declare (ignore rest))
                  (and (eq operation (find-class 'asdf:test-op))
                       (or (and (typep component 'sb-mop:eql-specializer)
                                (eq system (sb-mop:eql-specializer-object component)))
                           (and (typep component 'class)
                                (not (member (class-name component) '(asdf:component asdf:system)))
                                (typep system component))))))
              (sb-mop:generic-function-methods #'asdf:perform)))))
