;;;; The operation `evaluate`: reads, evaluates and reports form by form.

(in-package #:lisp-workbench/evaluation)

(defmacro with-evaluation-streams ((evaluation interactive) &body body)
  "The stream variables as the evaluate-lisp contract has them. Not INTERACTIVE: reads see the end of file, and what is
written to the interactive streams vanishes."
  `(call-with-evaluation-streams ,evaluation ,interactive (lambda () ,@body)))

(defun call-with-evaluation-streams (evaluation interactive function)
  (let* ((sink (evaluation-sink evaluation))
         (*standard-output* (make-instance 'output-port :sink sink :kind :stdout))
         (*error-output* (make-instance 'output-port :sink sink :kind :stderr))
         (*trace-output* *error-output*)
         (*standard-input* (if interactive
                               (make-instance 'input-port :evaluation evaluation)
                               (make-concatenated-stream)))
         (*terminal-io* (make-two-way-stream *standard-input*
                                             (if interactive *standard-output* (make-broadcast-stream))))
         (*query-io* *terminal-io*)
         (*debug-io* *terminal-io*))
    (funcall function)))

(define-operation "evaluate" (:worker request)
  (enqueue-evaluation
   (make-evaluation :id (field request "evaluation")
                    :request-id (field request "id")
                    :actor (field request "actor")
                    :context (field request "context")
                    :request request
                    :sink (make-sink (field request "evaluation") (field request "outputLimit"))
                    :work #'evaluate-request
                    :fallback #'reply-with-condition)))

(defun evaluate-request (evaluation)
  "The reply to the request."
  (let* ((request (evaluation-request evaluation))
         (context (ensure-context (evaluation-context evaluation)))
         (given (field request "package"))
         (package (if given (designated-package given) (live-package (context-package context)))))
    (if package
        (evaluate-in-package evaluation context package)
        (reply-with-condition evaluation "error" (no-package-object given)))))

(defun no-package-object (name)
  (report-object "PACKAGE-ERROR" (format nil "The name ~S does not designate any package." name)
                 '() "evaluation" nil))

(defun evaluate-in-package (evaluation context package)
  (let ((values '()))
    (multiple-value-bind (status condition)
        (call-with-outcome
         evaluation
         (lambda ()
           (call-in-context
            context package
            (lambda ()
              (with-evaluation-streams (evaluation (field (evaluation-request evaluation) "interactive"))
                (setf values (evaluate-forms evaluation))
                (finish-sink (evaluation-sink evaluation))
                t)))))
      (if (string= status "ok")
          (evaluation-reply evaluation status values nil)
          (reply-with-condition evaluation status condition)))))

(defun evaluate-forms (evaluation)
  "Evaluate every form of the request's code; return the printed values of the last."
  (let* ((request (evaluation-request evaluation))
         (stream (make-string-input-stream (field request "code")))
         (end-marker (list nil))
         (last-values '()))
    (setf (evaluation-reader evaluation) stream)
    (handler-bind ((warning (lambda (condition) (record-warning evaluation condition))))
      (loop
        (let ((form (next-form evaluation stream end-marker)))
          (when (eq form end-marker) (return))
          (setf last-values (evaluate-next evaluation form stream))))
      (print-values last-values (field request "valueLimit")
                    (and (field request "keepValues") (evaluation-id evaluation))))))

(defun next-form (evaluation stream end-marker)
  "Read the next form in the package that the forms before it left; END-MARKER when there is none."
  (setf *package* (live-package *package*)
        (evaluation-phase evaluation) "reader")
  (let ((start (skip-to-form stream)))
    (setf (evaluation-position evaluation) start
          (evaluation-offset evaluation) (wire-offset evaluation start))
    (prog1 (if start (read-form stream end-marker) end-marker)
      (setf (evaluation-phase evaluation) "evaluation"))))

(defun wire-offset (evaluation position)
  (and position (utf-16-offset (field (evaluation-request evaluation) "code") position)))

(defun evaluate-next (evaluation form stream)
  "Evaluate FORM, which was just read from STREAM, and record it; return its values."
  (let ((start (evaluation-offset evaluation))
        (end (wire-offset evaluation (file-position stream)))
        (package (package-name *package*)))
    (setf (evaluation-form evaluation) form
          - form)
    (multiple-value-bind (operator name) (form-definition form)
      (let ((values (evaluate-form form (source-plist evaluation start))))
        (shift-history form values)
        (push (object "start" start "end" end "defines" operator "name" name "package" package)
              (evaluation-forms evaluation))
        values))))

(sb-ext:defglobal *evaluator* #'eval)   ; SBCL's, whatever becomes of the name

(defun evaluate-form (form source-plist)
  "The values of FORM. Backtraces end here."
  (let ((*source-plist* source-plist))
    (multiple-value-list (funcall *evaluator* (debuggable form)))))

(defun print-values (values limit holder)
  "VALUES as the wire has them, each with a handle when there is a HOLDER."
  (setf *package* (live-package *package*))
  (mapcar (lambda (value) (value-object value limit (and holder (hold value holder)))) values))

(defun shift-history (form values)
  (setf +++ ++ ++ + + form
        /// // // / / values
        *** ** ** * * (first values)))

(defun record-warning (evaluation condition)
  (let ((restart (find-restart 'muffle-warning condition)))
    (when restart
      (let ((note (note-warning condition)))
        (when (and note (< (length (evaluation-warnings evaluation)) 500))
          (push note (evaluation-warnings evaluation))))
      (invoke-restart restart))))

(defun source-plist (evaluation start)
  "What SBCL keeps with each definition of a form, so that it can be found again."
  (let ((source (field (evaluation-request evaluation) "source")))
    (list* :evaluation (evaluation-id evaluation)
           :actor (evaluation-actor evaluation)
           (and source
                (list :file (field source "file")
                      :offset (+ (field source "offset") start)
                      :line (+ (field source "line")
                               (count #\Newline (field (evaluation-request evaluation) "code")
                                      :end (evaluation-position evaluation))))))))

(defun evaluation-form-text (evaluation)
  "Position of the top-level form that EVALUATION is in the midst of, and a function that returns its text; NIL when this thread
does something else."
  (let ((start (evaluation-position evaluation)) (stream (evaluation-reader evaluation)))
    (when (and start stream
               (equal "evaluation" (evaluation-phase evaluation))
               (eq sb-thread:*current-thread* (evaluation-thread evaluation)))
      (values start (lambda ()
                      (subseq (field (evaluation-request evaluation) "code") start (file-position stream)))))))

;;; Replies

(defun evaluation-reply (evaluation status values condition)
  (object "status" status
          "values" (array-of values)
          "warnings" (warnings-array (evaluation-warnings evaluation))
          "condition" condition
          "forms" (array-of (reverse (evaluation-forms evaluation)))
          "package" (context-package-name (evaluation-context evaluation))
          "timing" (report-timing evaluation)
          "outputCut" (sink-cut (evaluation-sink evaluation))
          "effects" (effects-array evaluation)
          "effectsMore" (effects-more evaluation)))

(defun reply-with-condition (evaluation status condition)
  (when condition (keep-last-error evaluation condition))
  (evaluation-reply evaluation status '() condition))

(defun keep-last-error (evaluation condition)
  (let ((context (ensure-context (evaluation-context evaluation))))
    (setf (context-last-error context) condition
          (context-last-code context) (field (evaluation-request evaluation) "code"))))
