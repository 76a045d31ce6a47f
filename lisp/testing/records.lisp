;;;; The outcome of a test: its checks with their values, and the condition that ended it.

(in-package #:lisp-workbench/testing)

(defconstant +most-checks+ 200 "The most checks of a test that are told one by one. Those that did not pass come first.")
(defconstant +value-text+ 10000 "The longest text of an expected or an actual value, in characters.")
(defconstant +form-text+ 2000)
(defconstant +most-reason+ 4000)
(defconstant +deepest-search+ 300 "The most frames that are looked at for those of the user's code.")

(defstruct check
  "OUTCOME is :PASSED, :FAILED, :ERROR or :SKIPPED. EXPECTED and ACTUAL are lists of one value, NIL where the framework does not tell."
  outcome (form nil) (formp nil) (reason nil) (expected nil) (actual nil)
  (expected-failure nil))               ; true when it failed as its author says that it does; it is told as skipped

(defstruct record
  "OUTCOME is set where the checks do not tell it. CONDITION is an object of the wire; MICROSECONDS is NIL where nobody has measured."
  (outcome nil) (checks '()) (condition nil) (microseconds nil))

(defvar *record* nil "The RECORD of the test that runs, for what is to be told of it even when an error ends it.")

(defun record-result (record)
  "Return the outcome of RECORD as the wire has it."
  (flet ((some-check (outcome) (find outcome (record-checks record) :key #'check-outcome)))
    (string-downcase
     (cond ((record-outcome record))
           ((or (record-condition record) (some-check :error)) :error)
           ((some-check :failed) :failed)
           ((and (some-check :skipped) (not (some-check :passed))) :skipped)
           (t :passed)))))

(defun told-first (checks)
  "CHECKS with those that did not pass first where not all of them are told; else in their order."
  (if (<= (length checks) +most-checks+)
      checks
      (let ((sorted (stable-sort (copy-list checks) #'> :key (lambda (check) (if (eq :passed (check-outcome check)) 0 1)))))
        (subseq sorted 0 +most-checks+))))

(defun send-result (evaluation listed record)
  "Tell what came of LISTED. Values are held until it runs again, for whoever wants to inspect them."
  (let* ((id (listed-id listed)) (holder (format nil "test ~A" id)) (checks (record-checks record))
         ;; Forms and values are printed as they stand in the test's text.
         (*package* (or (find-package (listed-package listed)) *package*)))
    (release-holder holder)
    (flet ((counted (outcome) (count outcome checks :key #'check-outcome)))
      (send-event "test-finished"
                  "evaluation" (evaluation-id evaluation)
                  "test" id
                  "version" (version-of (listed-object listed))
                  "outcome" (record-result record)
                  "ms" (and (record-microseconds record) (/ (record-microseconds record) 1000))
                  "passed" (counted :passed)
                  "failed" (+ (counted :failed) (counted :error))
                  "skipped" (counted :skipped)
                  "checks" (array-of (mapcar (lambda (check) (check-object check holder)) (told-first checks)))
                  "condition" (record-condition record)))))

(defun check-object (check holder)
  (flet ((value (cell) (and cell (value-object (first cell) +value-text+ (hold (first cell) holder)))))
    (object "outcome" (string-downcase (check-outcome check))
            "form" (and (check-formp check) (values (print-value (check-form check) +form-text+)))
            "reason" (let ((reason (check-reason check)))
                       (and reason (subseq reason 0 (min +most-reason+ (length reason)))))
            "expected" (value (check-expected check))
            "actual" (value (check-actual check)))))

;;; Conditions

(defun condition-here (condition framework)
  "Return CONDITION as the wire has it, with the frames of the user's code on the stack of this thread. For call in a handler."
  (condition-object condition (frames-here framework) "evaluation" nil))

(defun condition-alone (condition)
  "Return CONDITION as the wire has it, where its stack is gone."
  (condition-object condition '() "evaluation" nil))

(defun frames-here (framework)
  "Return the calls of the user's code on the stack of a handler that runs now, innermost first."
  (let ((calls '()) (count 0) (signalled nil))
    (map-code-frames (lambda (frame name arguments)
                       (declare (ignore frame))
                       (when (and (not signalled) (member name '(error cerror signal warn)))
                         ;; The frames so far are those of the handler.
                         (setf calls '() count 0 signalled t))
                       (when (and (< count 20) (relevant-name-p name) (not (name-of-framework-p name framework)))
                         (incf count)
                         (push (call-text (shown-name name) arguments nil) calls)))
                     (lambda () (setf calls '() count 0))
                     +deepest-search+)
    (nreverse calls)))

(defun shown-name (name)
  "Return NAME, of a function, without the file that SBCL adds to one that is named within no other."
  (if (and (consp name) (member (first name) '(lambda flet labels)) (symbolp (second name)) (stringp (getf (cddr name) :in)))
      (second name)
      name))

(defun name-of-framework-p (name framework)
  "True when NAME, of a function, is one of FRAMEWORK's own, or of a function within one."
  (cond ((null name) nil)
        ((symbolp name) (package-of-framework-p (symbol-package name) framework))
        ((atom name) nil)
        ((member (first name) '(lambda flet labels)) (name-of-framework-p (getf (cddr name) :in) framework))
        (t (and (ignore-errors (list-length name)) (name-of-framework-p (second name) framework)))))

(defun package-of-framework-p (package framework)
  "True when PACKAGE is that of FRAMEWORK, or one of its packages where it has several, such as ROVE/CORE/TEST."
  (let* ((own (find-package (framework-package-name framework)))
         (root (and own (subseq (package-name own) 0 (or (position #\/ (package-name own)) (length (package-name own)))))))
    (and package own
         (or (eq package own)
             (prefixed-p (concatenate 'string root "/") (package-name package))))))
