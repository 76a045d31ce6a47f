;;;; Fiasco. A test is a function. Its results are in the context of its run, together with the results of the tests that it called.

(in-package #:lisp-workbench/testing)

(defclass fiasco (framework) ()
  (:default-initargs :name "fiasco" :package '#:fiasco))

(add-framework (make-instance 'fiasco))

(defmethod list-tests ((framework fiasco))
  (let ((root (symbol-value (named framework "*ROOT-SUITE*"))) (listed '()))
    (maphash (lambda (name test)
               (when (and (symbolp name) (symbol-package name) (not (eq test root)))
                 (let ((parent (slot-of test framework "PARENT")))
                   (push (listed-as framework name
                                    ;; Redefining a test replaces only the function, not the test object.
                                    :object (and (fboundp name) (fdefinition name))
                                    :suite (plusp (hash-table-count (slot-of test framework "CHILDREN")))
                                    :parent (and parent (not (eq parent root))
                                                 (symbol-test-id framework (slot-of parent framework "NAME"))))
                         listed))))
             (symbol-value (named framework "*TESTS*")))
    (nreverse listed)))

(defmethod run-listed ((framework fiasco) listed debug)
  (let ((conditions '()) (record-failure (named framework "RECORD-FAILURE")) (run nil))
    (flet ((note (original type &rest arguments)
             (let ((condition (and (eq type (named framework "UNEXPECTED-ERROR")) (getf arguments :error))))
               (when condition (push (cons condition (condition-here condition framework)) conditions))
               (apply original type arguments))))
      (unwind-protect-without-interrupts
           (progn
             (encapsulate record-failure 'lisp-workbench-testing #'note)
             (call-with-variables framework
                                  `(("*DEBUG-ON-UNEXPECTED-ERROR*" ,debug) ("*DEBUG-ON-ASSERTION-FAILURE*" ,debug)
                                    ("*PRINT-TEST-RUN-PROGRESS*" nil))
                                  (lambda ()
                                    (funcall (listed-key listed))
                                    (setf run (symbol-value (named framework "*LAST-TEST-RESULT*"))))))
        (unencapsulate record-failure 'lisp-workbench-testing)))
    (records-of-run framework listed run conditions)))

(defun records-of-run (framework listed run conditions)
  "Return (LISTED . RECORD) for the test of RUN and for each test that it called."
  (cons (cons listed (record-of-run framework run conditions))
        (loop for inner in (reverse (slot-of run framework "CHILDREN-CONTEXTS"))
              for name = (slot-of (slot-of inner framework "TEST") framework "NAME")
              append (records-of-run framework (or (find-listed framework name) listed) inner conditions))))

(defun find-listed (framework name)
  (find name (list-tests framework) :key #'listed-key))

(defun record-of-run (framework run conditions)
  (let* ((failures (reverse (slot-of run framework "SELF-FAILURES")))
         (errors (remove-if-not (lambda (failure) (of-class-p failure framework "UNEXPECTED-ERROR")) failures))
         (failed (set-difference failures errors)) (error (and errors (slot-of (first errors) framework "ERROR"))))
    (make-record
     :checks (append (checks-of-assertions framework (reverse (slot-of run framework "SELF-ASSERTIONS")) failed)
                     (mapcar (lambda (failure) (failed-fiasco-check framework failure))
                             (remove-if-not (lambda (failure) (member failure failed)) failures))
                     (mapcar (lambda (failure) (declare (ignore failure)) (make-check :outcome :error)) errors)
                     (and (slot-of run framework "SELF-SKIPPED") (list (make-check :outcome :skipped))))
     :condition (and error (or (cdr (assoc error conditions)) (condition-alone error))))))

(defun checks-of-assertions (framework assertions failed)
  "Return a passed check for each of ASSERTIONS that is not among FAILED. The forms in FAILED are whole assertions."
  (let ((left (copy-list failed)))
    (loop for assertion in assertions
          for form = (slot-of assertion framework "FORM")
          for failure = (find-if (lambda (each)
                                   (let ((whole (slot-of each framework "FORM")))
                                     (or (null form) (equal form (and (consp whole) (second whole))))))
                                 left)
          if failure do (setf left (remove failure left :count 1))
          else collect (make-check :outcome :passed :formp (and form t) :form form))))

(defun failed-fiasco-check (framework failure)
  (let* ((whole (slot-of failure framework "FORM"))
         (simple (typep failure 'simple-condition))
         (control (and simple (simple-condition-format-control failure)))
         (arguments (and simple (simple-condition-format-arguments failure)))
         (check (make-check :outcome :failed :formp (and whole t) :form whole
                            :reason (with-output-to-string (stream) (ignore-errors (describe-object failure stream))))))
    ;; The arguments are (predicate form value form value). According to Fiasco's documentation, the first form is the expected one.
    (when (and (stringp control) (eql 0 (search "Binary predicate" control)) (= 5 (length arguments)))
      (setf (check-expected check) (list (third arguments))
            (check-actual check) (list (fifth arguments))
            (check-reason check) nil))
    check))
