(cl:defpackage #:lisp-workbench/tests
  (:use #:cl #:fiveam #:lisp-workbench/protocol)
  (:export #:run-all))

(cl:in-package #:lisp-workbench/tests)

(def-suite all)
(in-suite all)

(defparameter *tests-directory* (make-pathname :name nil :type nil :version nil :defaults *load-truename*))

(defvar *tests* '() "The names and descriptions of the tests, latest first.")

(defmacro deftest (description &body body)
  "Define a test whose name is a sentence. If the test proves requirements from docs/requirements.md, the sentence ends with their ids in
brackets."
  (let ((name (intern (string-upcase (substitute #\- #\Space description)))))
    `(progn
       (push (cons ',name ,description) *tests*)
       (test ,name ,description ,@body))))

(defun run-all ()
  "Run every test in the order of definition. Return true if all of them passed."
  (silence-runtime)
  (start-image)
  (let ((fine t))
    (loop for (name . description) in (reverse *tests*)
          for reason = (reason-of-failure name)
          do (format t "~:[pass ~A~;fail ~A: ~A~]~%" reason description reason)
             (finish-output)
             (when reason (setf fine nil)))
    fine))

(defun silence-runtime ()
  "Redirect file descriptor 2 to /dev/null, because SBCL's runtime prints a message to that descriptor each time the stack is exhausted."
  (finish-output *error-output*)
  (sb-posix:dup2 (sb-posix:open "/dev/null" sb-posix:o-wronly) 2))

(defun reason-of-failure (name)
  "Return the reason why the test NAME failed, or NIL if all its checks passed."
  (let* ((*test-dribble* (make-broadcast-stream))
         (*on-error* nil)
         (results (run name))
         (bad (find-if-not (lambda (result) (typep result 'it.bese.fiveam::test-passed)) results)))
    (when bad
      (substitute #\Space #\Newline (princ-to-string (it.bese.fiveam::reason bad))))))
