;;;; Requests of the worker's lane other than `evaluate`. Each request runs one function as the user's code, with the same streams, limits,
;;;; interrupts and final report as an evaluation.

(in-package #:lisp-workbench/evaluation)

(defmacro define-run (name (evaluation request) &body body)
  "Define how requests whose op is NAME are served when their turn in the queue comes. BODY runs as the user's code; its value, an OBJECT,
is the reply's `result`. An unhandled error ends BODY, is reported in the reply, and becomes the context's last error."
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
  "Perform EVALUATION's request and return the reply."
  (let ((result nil))
    (multiple-value-bind (status condition)
        (call-with-outcome
         evaluation
         (lambda ()
           (with-evaluation-streams (evaluation (field (evaluation-request evaluation) "interactive"))
             (handler-bind ((warning (lambda (warning) (keep-warning evaluation warning))))
               (setf result (perform-run evaluation function)))
             (finish-output *standard-output*))))
      (run-reply evaluation status condition
                 (if (string= status "ok") result (partial-result evaluation status condition))))))

(defun partial-result (evaluation status condition)
  "Return the result that EVALUATION had reached when it ended early; NIL if there is none. The result is computed by a function that the
evaluation's run stored for this purpose."
  (let ((function (evaluation-partial-result evaluation)))
    (and function
         (handler-case (funcall function status condition)
           (serious-condition () nil)))))

(defun perform-run (evaluation function)
  "Call the run's function. Backtraces end at this frame."
  (let ((result (with-users-printing (funcall function evaluation (evaluation-request evaluation)))))
    result))

(defconstant +most-warnings+ 100)

(defun keep-warning (evaluation warning)
  "Record WARNING but do not muffle it: the compiler counts it, and ASDF uses that count to decide whether a file failed."
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
          "effects" (effects-array evaluation)
          "effectsMore" (effects-more evaluation)))

(defun fail-run (evaluation status condition)
  (run-reply evaluation status condition nil))

(defun context-environment (request)
  "Return the package and the readtable of the request's context; the package that the request names takes precedence."
  (let ((context (ensure-context (field request "context"))))
    (values (or (and (field request "package") (designated-package (field request "package")))
                (live-package (context-package context)))
            (first (context-values context)))))

;;; The code of a request

(defun evaluate-text (evaluation &optional (object nil objectp))
  "Read and evaluate the request's `code` in the request's package, and return the values of its last form. OBJECT, if given, is the value
of *. The context does not store the values or OBJECT."
  (call-with-text evaluation
                  (lambda (next)
                    (flet ((all ()
                             (loop with values = '()
                                   for (form . present) = (multiple-value-list (funcall next))
                                   while (first present)
                                   do (setf values (evaluate-form form (source-plist evaluation (evaluation-offset evaluation))))
                                   finally (return values))))
                      (if objectp
                          (let ((* object)) (all))
                          (all))))))

(defun call-with-last-form (evaluation function)
  "Evaluate all forms of the request's `code` except the last. Then call FUNCTION with a compiled function that returns the last form's
values as a list. FUNCTION must call that function through CALL-MEASURED."
  (call-with-text evaluation
                  (lambda (next)
                    (loop
                      (multiple-value-bind (form present last) (funcall next)
                        (let ((plist (and present (source-plist evaluation (evaluation-offset evaluation)))))
                          (cond ((not present) (return (funcall function (constantly '()))))
                                ;; MULTIPLE-VALUE-LIST prevents a tail call, because stacks must begin at the form's own frame.
                                (last (return (funcall function (first (evaluate-form `(lambda () (multiple-value-list ,form))
                                                                                      plist)))))
                                (t (evaluate-form form plist)))))))))

(declaim (notinline call-measured))
(defun call-measured (form)
  "Call FORM, a function, and return its list of values. Backtraces and sampled stacks end at this frame."
  (let ((values (funcall form)))
    values))

(defun call-with-text (evaluation function)
  "Call FUNCTION, in the request's context and package, with a function that reads the next form. That function returns three values: the
form, true if there was a form, and true if the form is the last."
  (let* ((request (evaluation-request evaluation))
         (context (ensure-context (field request "context")))
         (given (field request "package"))
         (stream (make-string-input-stream (field request "code")))
         (end-marker (list nil))
         (values '()))
    (setf (evaluation-reader evaluation) stream)
    (call-in-context
     context
     (or (if given (designated-package given) (live-package (context-package context)))
         (error 'simple-package-error :package given
                                      :format-control "The name ~S does not designate any package."
                                      :format-arguments (list given)))
     (lambda ()
       (handler-bind ((warning (lambda (condition) (record-warning evaluation condition))))
         (setf values (multiple-value-list
                       (funcall function
                                (lambda ()
                                  (let ((form (next-form evaluation stream end-marker)))
                                    (setf (evaluation-form evaluation) form)
                                    (if (eq form end-marker)
                                        (values nil nil t)
                                        (values form t (null (skip-to-form stream)))))))))
         nil)))
    (values-list values)))
