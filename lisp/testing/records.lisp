;;;; The outcome of a test: its checks with their values, and the condition that ended it.

(in-package #:lisp-workbench/testing)

(defconstant +most-checks+ 200 "The maximum number of checks that are reported individually for a test. Checks that did not pass have
priority.")
(defconstant +value-text+ 10000 "The maximum length of the text of an expected or an actual value, in characters.")
(defconstant +form-text+ 2000)
(defconstant +most-reason+ 4000)
(defconstant +deepest-search+ 300 "The maximum number of frames that are searched for frames of the user's code.")

(defstruct check
  "One check in a test. OUTCOME is :PASSED, :FAILED, :ERROR or :SKIPPED. EXPECTED and ACTUAL are lists of one value, or NIL if the framework
does not report the value."
  outcome (form nil) (formp nil) (reason nil) (expected nil) (actual nil)
  (expected-failure nil))               ; true if the check failed and its author expected the failure; it is reported as skipped

(defstruct record
  "The outcome of a test. OUTCOME is set only if the checks do not determine the outcome. CONDITION is in its wire form. MICROSECONDS is NIL
if the time was not measured."
  (outcome nil) (checks '()) (condition nil) (microseconds nil))

(defvar *record* nil "The RECORD of the running test, for results that must be reported even if an error ends the test.")

(defun record-result (record)
  "Return the outcome of RECORD in its wire form."
  (flet ((some-check (outcome) (find outcome (record-checks record) :key #'check-outcome)))
    (string-downcase
     (cond ((record-outcome record))
           ((or (record-condition record) (some-check :error)) :error)
           ((some-check :failed) :failed)
           ((and (some-check :skipped) (not (some-check :passed))) :skipped)
           (t :passed)))))

(defun told-first (checks)
  "Return CHECKS in order. If there are more than the limit, put the checks that did not pass first, and return only as many as the limit
allows."
  (if (<= (length checks) +most-checks+)
      checks
      (let ((sorted (stable-sort (copy-list checks) #'> :key (lambda (check) (if (eq :passed (check-outcome check)) 0 1)))))
        (subseq sorted 0 +most-checks+))))

(defun send-result (evaluation listed record)
  "Report the result of LISTED. The result's values are retained for inspection until the test runs again."
  (let* ((id (listed-id listed)) (holder (format nil "test ~A" id)) (checks (record-checks record))
         ;; Print forms and values in the package of the test, so that they look as they do in its source.
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
  "Return CONDITION in its wire form, with the frames of the user's code on this thread's stack. Call this in a handler."
  (condition-object condition (frames-here framework) "evaluation" nil))

(defun condition-alone (condition)
  "Return CONDITION in its wire form, without frames. Used if the stack of CONDITION no longer exists."
  (condition-object condition '() "evaluation" nil))

(defun frames-here (framework)
  "Return the calls of the user's code on the stack of a running handler, innermost first."
  (let ((calls '()) (count 0) (signalled nil))
    (map-code-frames (lambda (frame name arguments)
                       (declare (ignore frame))
                       (when (and (not signalled) (member name '(error cerror signal warn)))
                         ;; The frames so far belong to the signalling of the condition and to its handler.
                         (setf calls '() count 0 signalled t))
                       (when (and (< count 20) (relevant-name-p name) (not (name-of-framework-p name framework)))
                         (incf count)
                         (push (call-text (shown-name name) arguments nil) calls)))
                     (lambda () (setf calls '() count 0))
                     +deepest-search+)
    (nreverse calls)))

(defun shown-name (name)
  "Return NAME, the name of a function, without the file name that SBCL adds to a function outside any named function."
  (if (and (consp name) (member (first name) '(lambda flet labels)) (symbolp (second name)) (stringp (getf (cddr name) :in)))
      (second name)
      name))

(defun name-of-framework-p (name framework)
  "Return true if NAME, the name of a function, belongs to FRAMEWORK or refers to a function inside one of FRAMEWORK's functions."
  (cond ((null name) nil)
        ((symbolp name) (package-of-framework-p (symbol-package name) framework))
        ((atom name) nil)
        ((member (first name) '(lambda flet labels)) (name-of-framework-p (getf (cddr name) :in) framework))
        (t (and (ignore-errors (list-length name)) (name-of-framework-p (second name) framework)))))

(defun package-of-framework-p (package framework)
  "Return true if PACKAGE is the package of FRAMEWORK, or another package of it, such as ROVE/CORE/TEST."
  (let* ((own (find-package (framework-package-name framework)))
         (root (and own (subseq (package-name own) 0 (or (position #\/ (package-name own)) (length (package-name own)))))))
    (and package own
         (or (eq package own)
             (prefixed-p (concatenate 'string root "/") (package-name package))))))
