;;;; Requests of the worker's lane beside `evaluate`: each runs one function as the user's code, with the same streams, limits,
;;;; interrupts and report of how it ended.

(in-package #:lisp-workbench/evaluation)

(defmacro define-run (name (evaluation request) &body body)
  "Serve the requests whose op is NAME in a worker's turn. BODY runs as the user's code; its value, an OBJECT, is the reply's
`result`. What it signals and nobody handles ends it, is told in the reply, and becomes the context's last error."
  `(define-operation ,name (:worker request)
     (enqueue-evaluation
      (make-evaluation :id (field request "evaluation")
                       :request-id (field request "id")
                       :actor (field request "actor")
                       :context (field request "context")
                       :request request
                       :sink (make-sink (field request "evaluation") (field request "outputLimit"))
                       :work (lambda (evaluation)
                               (work-run evaluation
                                         (lambda (,evaluation ,request)
                                           (declare (ignorable ,evaluation ,request))
                                           ,@body)))
                       :fallback #'fail-run))))

(defun work-run (evaluation function)
  "The reply to the request."
  (let ((result nil))
    (multiple-value-bind (status condition)
        (call-with-outcome
         evaluation
         (lambda ()
           (with-evaluation-streams (evaluation nil)
             (handler-bind ((warning (lambda (warning) (keep-warning evaluation warning))))
               (setf result (perform-run evaluation function)))
             (finish-output *standard-output*))))
      (run-reply evaluation status condition
                 (if (string= status "ok") result (partial-result evaluation status condition))))))

(defun partial-result (evaluation status condition)
  "What there was before it ended, when the run left a function that tells it."
  (let ((function (evaluation-partial-result evaluation)))
    (and function
         (handler-case (funcall function status condition)
           (serious-condition () nil)))))

(defun perform-run (evaluation function)
  "Backtraces end here."
  (let ((result (with-users-printing (funcall function evaluation (evaluation-request evaluation)))))
    result))

(defconstant +most-warnings+ 100)

(defun keep-warning (evaluation warning)
  "Record WARNING but let it pass: the compiler counts it, and ASDF decides by that whether a file failed."
  (when (< (length (evaluation-warnings evaluation)) +most-warnings+)
    (let ((note (note-warning warning)))
      (when note (push note (evaluation-warnings evaluation))))))

(defun run-reply (evaluation status condition result)
  (when condition (keep-last-error evaluation condition))
  (object "status" status
          "result" result
          "warnings" (warnings-array (evaluation-warnings evaluation))
          "condition" condition
          "timing" (report-timing evaluation)
          "outputCut" (sink-cut (evaluation-sink evaluation))))

(defun fail-run (evaluation status condition)
  (run-reply evaluation status condition nil))

(defun context-environment (request)
  "Package and readtable of the request's context, or the package that the request names."
  (let ((context (ensure-context (field request "context"))))
    (values (or (and (field request "package") (designated-package (field request "package")))
                (live-package (context-package context)))
            (first (context-values context)))))
