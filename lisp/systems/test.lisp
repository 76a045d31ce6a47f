;;;; The operation `test-system`. ASDF tells nothing of how the tests went. What FiveAM's RUN returns meanwhile is looked at
;;;; where FiveAM is; of other frameworks only errors are seen.

(in-package #:lisp-workbench/systems)

(defconstant +most-failures+ 200)
(defconstant +most-test-files+ 200)

(define-run "test-system" (evaluation request)
  (let* ((name (canonical-name (field request "system")))
         (watch (make-watch)))
    (unwind-protect
         (let ((*package* (find-package '#:common-lisp-user)))
           (watch-framework watch) ; where all is loaded already, the tests are the first action
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
            "failures" (let ((texts (and failed (test-texts name))))
                         (array-of (loop for result in failed
                                         repeat +most-failures+
                                         collect (failed-check-object result texts)))))))

(defun fiveam (name)
  (let ((package (find-package '#:it.bese.fiveam)))
    (and package (find-symbol name package))))

(defun result-p (result class)
  (let ((symbol (fiveam class)))
    (and symbol (find-class symbol nil) (typep result symbol))))

(defun failed-check-object (result texts)
  (let* ((test (ignore-errors (funcall (fiveam "TEST-CASE") result)))
         (name (and test (ignore-errors (funcall (fiveam "NAME") test))))
         (reason (ignore-errors (funcall (fiveam "REASON") result))))
    (object "test" (print-short name 200)
            "reason" (let ((text (if (stringp reason) reason (print-short reason 2000))))
                       (subseq text 0 (min 4000 (length text))))
            "source" (and name (symbolp name) (test-source name texts)))))

(defun test-source (name texts)
  "Where the test NAME stands: FiveAM keeps no place, so it is looked for in TEXTS, (file . text) of each."
  (loop for (file . text) in texts
        for start = (place-of-test text (symbol-name name))
        when start
          return (object "file" file
                         "offset" (utf-16-offset text start)
                         "line" (1+ (count #\Newline text :end start)))))

(defun test-texts (name)
  "Files of the systems that are loaded and whose names begin like NAME, such as shop, shop/tests and shop-test."
  (let ((primary (asdf:primary-system-name name)) (texts '()))
    (labels ((walk (component)
               (cond ((typep component 'asdf:parent-component) (mapc #'walk (asdf:component-children component)))
                     ((and (typep component 'asdf:cl-source-file) (< (length texts) +most-test-files+))
                      (let* ((file (file-name (asdf:component-pathname component))) (text (text-of file)))
                        (when text (push (cons file text) texts)))))))
      (dolist (other (asdf:already-loaded-systems))
        (when (eql 0 (search primary other))
          (ignore-errors (walk (asdf:registered-system other))))))
    (nreverse texts)))

(defun place-of-test (text name)
  "The start of (TEST NAME …), (DEF-TEST NAME …) or (TEST (NAME …) …) in TEXT; NIL when there is none."
  (loop for at = (search name text :test #'char-equal) then (search name text :test #'char-equal :start2 (1+ at))
        while at
        do (let* ((before (position-if-not #'gap-p text :end at :from-end t))
                  (open (and before (position #\( text :end before :from-end t)))
                  (after (+ at (length name))))
             (when (and open
                        (< before (1- at))
                        (or (= after (length text)) (gap-p (char text after)) (char= #\) (char text after)))
                        (eql (search "test" text :test #'char-equal :start2 open :end2 (1+ before) :from-end t)
                             (- before 3))
                        (notany #'gap-p (subseq text (1+ open) before)))
               (return open)))))

(defun gap-p (char)
  (find char '(#\Space #\Newline #\Tab #\Return #\()))

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
