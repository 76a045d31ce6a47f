;;;; The operation `test-system`. ASDF tells nothing of the outcome of tests. With FiveAM the results of its RUN are taken; of other
;;;; frameworks only errors are seen.

(in-package #:lisp-workbench/systems)

(defconstant +most-failures+ 200)
(defconstant +most-test-files+ 200)

(define-run "test-system" (evaluation request)
  (values (test-system evaluation (field request "system") :only (coerce (field request "only") 'list) :ends t)))

(defun test-system (evaluation system &key only ends)
  "Run the tests of SYSTEM as ASDF does, or of them ONLY those of these names. Return the outcome, an object of the wire, and FiveAM's results.
An error by which a system tells ASDF that checks have failed is part of the outcome; with ENDS it ends EVALUATION, which then tells the
outcome with it."
  (let* ((name (canonical-name system)) (watch (make-watch)))
    (flet ((told () (values (test-object name watch) (watch-results watch))))
      (when ends
        (setf (evaluation-partial-result evaluation)
              (lambda (status condition)
                (declare (ignore condition))
                (and (string= status "error") (failed-checks watch) (test-object name watch)))))
      (block tested
        (unwind-protect-without-interrupts
             (let ((*package* (find-package '#:common-lisp-user)))
               (watch-framework watch) ; when all is loaded already, the tests are ASDF's first action
               (call-with-progress evaluation name
                                   (lambda ()
                                     (call-telling-faults
                                      watch
                                      (lambda (condition) (if ends (end-with-error condition) (return-from tested (told))))
                                      (lambda () (if only (run-only only name watch) (asdf:test-system name)))))
                                   (lambda () (watch-framework watch)))
               (told))
          (stop-watching watch))))))

(defun tested-systems ()
  "Return the names of the project's systems that say how they are tested, as far as their definitions were read."
  (sort (loop for name in (asdf:registered-systems)
              for file = (ignore-errors (asdf:system-source-file (asdf:registered-system name)))
              when (and file (file-of-project-p (file-name file)) (ignore-errors (tests-defined-p name)))
                collect name)
        #'string<))

(defun files-of-loaded-systems (most)
  "Return native names of at most MOST Lisp files of the project's systems that are loaded."
  (let ((files '()) (count 0))
    (labels ((walk (component)
               (cond ((typep component 'asdf:parent-component) (mapc #'walk (asdf:component-children component)))
                     ((and (typep component 'asdf:cl-source-file) (< count most))
                      (let ((file (file-name (asdf:component-pathname component))))
                        (when (and file (file-of-project-p file))
                          (incf count)
                          (push file files)))))))
      (dolist (name (asdf:already-loaded-systems))
        (ignore-errors (walk (asdf:registered-system name)))))
    (nreverse files)))

(defun call-telling-faults (watch failed function)
  "Call FUNCTION, which has ASDF find, load and test systems. What is wrong with these themselves ends the evaluation, also where other errors
wait in the debugger: its message says what to do, and frames of ASDF say nothing. FAILED is called with the error by which a system tells
ASDF that checks have failed, which WATCH has seen."
  (handler-bind (((or asdf:system-definition-error asdf:operation-error uiop:compile-file-error) #'end-with-error)
                 (error (lambda (condition)
                          (when (and (zerop (watch-depth watch)) (failed-checks watch)) (funcall failed condition)))))
    (funcall function)))

(defun failed-checks (watch)
  (remove-if-not (lambda (result) (result-p result "TEST-FAILURE")) (watch-results watch)))

(defun run-only (names system watch)
  "Load SYSTEM and run those of its tests that are named, as the framework prints their names or without a package."
  (asdf:load-system system)
  (watch-framework watch)
  (unless (watch-function watch)
    (error "Single tests can be run of FiveAM only, which ~A does not load." system))
  (dolist (name names)
    (funcall (fiveam "EXPLAIN!") (funcall (watch-function watch) (test-named name)))))

(defun test-named (name)
  "The name of the test that NAME means."
  (let* ((bare (string-upcase (string-left-trim ":" (subseq name (1+ (or (position #\: name :from-end t) -1))))))
         (found (remove-if-not (fiveam "GET-TEST") (remove-duplicates (find-all-symbols bare)))))
    (case (length found)
      (1 (first found))
      (0 (error "No test is named ~A." name))
      (t (or (find-if (lambda (symbol) (string-equal name (prin1-to-string symbol))) found)
             (error "~A names ~D tests: ~{~S~^, ~}. Give its package too." name (length found) found))))))

(defstruct watch (function nil) (results '()) (depth 0))

(defun watch-framework (watch)
  "Look at what FIVEAM:RUN returns, as soon as there is one."
  (let* ((package (and (null (watch-function watch)) (find-package '#:it.bese.fiveam)))
         (run (and package (find-symbol "RUN" package))))
    (when (and run (fboundp run))
      (setf (watch-function watch) run)
      (encapsulate run 'lisp-workbench-tests (lambda (original &rest arguments) (watch-run watch original arguments))))))

(defun watch-run (watch original arguments)
  "Note the results of a run of FiveAM; a run within a run is part of the outer one's results."
  (incf (watch-depth watch))
  (unwind-protect-without-interrupts
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
         (failed (failed-checks watch))
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
            "reason" (let ((text (if (stringp reason) (told-in-lines reason) (print-short reason 2000))))
                       (subseq text 0 (min 4000 (length text))))
            "source" (and name (symbolp name) (test-source name texts)))))

(defun told-in-lines (reason)
  "Return REASON without the blank lines that FiveAM puts around its own words. Values that it printed stay as they are."
  (with-output-to-string (out)
    (loop with own = t
          for first = t then nil
          for paragraph in (paragraphs reason)
          for words = (string-trim " " paragraph)
          do (let ((next (member words '("evaluated to" "which is" "which is not" "to" "which satisfies" "which does not satisfy"
                                         "(it should not be)" "(it should not)" "was NIL.")
                                 :test #'string=)))
               (write-string (cond (first "") ((or own next) " ") (t (format nil "~2%"))) out)
               (write-string (if next words paragraph) out)
               (setf own (and next t))))))

(defun paragraphs (text)
  "The pieces of TEXT between blank lines, none of which is empty."
  (loop with end = (length text) and start = 0
        for break = (search (format nil "~2%") text :start2 start)
        for piece = (string-trim '(#\Newline) (subseq text start (or break end)))
        unless (string= "" (string-trim " " piece)) collect piece
        while break do (setf start (+ break 2))))

(defun test-source (name texts)
  "Return the place of the test NAME. FiveAM keeps none, so the test is searched in TEXTS, a list of (file . text)."
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
  "True when the system NAME says anywhere what testing it means."
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
