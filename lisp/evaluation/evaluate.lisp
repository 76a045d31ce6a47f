;;;; The operation `evaluate`: reads, evaluates and reports form by form.

(in-package #:lisp-workbench/evaluation)

(defmacro with-evaluation-streams ((evaluation interactive) &body body)
  "The stream variables as plain SBCL has them. Not INTERACTIVE: reads see the end of file, and what is written to *QUERY-IO* and
*DEBUG-IO* is for the person alone, since the contract of evaluate-lisp leaves it out of the reply."
  `(call-with-evaluation-streams ,evaluation ,interactive (lambda () ,@body)))

(defun call-with-evaluation-streams (evaluation interactive function)
  (multiple-value-bind (output error-output) (make-output-ports (evaluation-sink evaluation))
    (let* ((*standard-output* output)
           (*error-output* error-output)
           (*trace-output* error-output)
           (*standard-input* (make-input-port :evaluation (and interactive evaluation)))
           (*terminal-io* (make-two-way-stream *standard-input* output))
           (*query-io* (if interactive (make-synonym-stream '*terminal-io*) (make-aside-stream (evaluation-sink evaluation))))
           (*debug-io* *query-io*))
      (with-session-values () (funcall function)))))

(defun make-aside-stream (sink)
  "Return a stream that writes as an ASIDE-PORT does and reads as *TERMINAL-IO* does."
  (make-two-way-stream (make-synonym-stream '*terminal-io*)
                       (make-aside-port :home *terminal-io* :output (make-output-port :sink sink :kind :terminal))))

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

(defvar *keep-locals* (constantly (constantly nil))
  "Function called with names of functions whose frames are to keep their locals; returns a function that ends this.")

(defun evaluate-request (evaluation)
  "The reply to the request."
  (let* ((request (evaluation-request evaluation))
         (context (ensure-context (evaluation-context evaluation)))
         (given (field request "package"))
         (package (if given (designated-package given) (live-package (context-package context)))))
    (when (looked-into-p evaluation context)
      (push (funcall *keep-locals* (context-last-functions context)) (evaluation-restorers evaluation)))
    (if package
        (evaluate-in-package evaluation context package)
        (reply-with-condition evaluation "error" (no-package-object given)))))

(defun looked-into-p (evaluation context)
  "True when the code of EVALUATION is the one that failed last in CONTEXT, evaluated again where its frames can be looked at."
  (and (or (held-on-error-p evaluation) (debugged-p evaluation))
       (equal (context-last-code context) (field (evaluation-request evaluation) "code"))))

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
                (when (field (evaluation-request evaluation) "packageStays") (setf *package* package))
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
      (let ((*prints-as-set* (if (field request "printsAsSet") :wholly (field request "interactive"))))
        (print-values last-values (field request "valueLimit")
                      (and (field request "keepValues") (evaluation-id evaluation)))))))

(defun next-form (evaluation stream end-marker)
  "Read the next form in the package that the forms before it left; END-MARKER when there is none."
  (setf *package* (live-package *package*)
        (evaluation-phase evaluation) "reader")
  (let ((start (skip-to-form stream)))
    (setf (evaluation-position evaluation) start
          (evaluation-offset evaluation) (wire-offset evaluation start))
    (prog1 (cond ((null start) end-marker)
                 ((crlf-text-p (field (evaluation-request evaluation) "code"))
                  (let ((form (read-with-retry evaluation stream end-marker)))
                    (if (eq form end-marker) form (plain-line-ends form))))
                 (t (read-with-retry evaluation stream end-marker)))
      (setf (evaluation-phase evaluation) "evaluation"))))

(defun read-with-retry (evaluation stream end-marker)
  "Read the next form as READ-FORM does. Where an error would wait in the debugger, the restart RETRY reads it again."
  (if (debugged-p evaluation)
      (loop with start = (file-position stream)
            do (restart-case (return (read-form stream end-marker))
                 (retry ()
                   :report "Read the form again, with the local variables of the reader's frames."
                   (file-position stream start)
                   (push (funcall *keep-locals* (evaluation-failed-functions evaluation)) (evaluation-restorers evaluation)))))
      (read-form stream end-marker)))

(defun wire-offset (evaluation position)
  (and position (utf-16-offset (field (evaluation-request evaluation) "code") position)))

(defun evaluate-next (evaluation form stream)
  "Evaluate FORM, which was just read from STREAM, and record it; return its values."
  (let ((start (evaluation-offset evaluation))
        (end (wire-offset evaluation (file-position stream)))
        (package (package-name *package*)))
    (setf (evaluation-form evaluation) form
          - form)
    (multiple-value-bind (operator name) (form-definition form (field (evaluation-request evaluation) "source"))
      (let ((values (evaluate-with-retry evaluation form (source-plist evaluation start))))
        (tell-put-back evaluation (put-back-essentials))
        (shift-history form values)
        (push (object "start" start "end" end "defines" operator "name" name "package" package)
              (evaluation-forms evaluation))
        values))))

(defun evaluate-with-retry (evaluation form plist)
  "Evaluate FORM; return its values. Where an error would wait in the debugger, the restart RETRY evaluates it again, with the
functions of the failed frames compiled so that they keep their locals."
  (if (debugged-p evaluation)
      (loop
        (restart-case (return (evaluate-form form plist))
          (retry ()
            :report "Evaluate the form again, so that its frames keep their locals."
            (push (funcall *keep-locals* (evaluation-failed-functions evaluation)) (evaluation-restorers evaluation)))))
      (evaluate-form form plist)))

(sb-ext:defglobal *evaluator* #'eval)   ; SBCL's, whatever becomes of the name

(defvar *given-plist* nil
  "(plist . copy) of the source plist that the engine gave the form that runs. The code can bind SBCL's variable, and change the
list that is in it; of the copy it knows nothing.")

(defvar *given-namestring* nil "The namestring that the engine gave as the source of the form it compiles now; NIL otherwise.")

(defun given-plist ()
  "The source plist of the form that runs, where SBCL's variable still holds it; else NIL."
  (and *given-plist* (tailp (car *given-plist*) *source-plist*) (cdr *given-plist*)))

(defun evaluate-form (form source-plist)
  "The values of FORM. Backtraces end here."
  (let ((*source-plist* source-plist) (*given-plist* (cons source-plist (copy-list source-plist))) (*form-authors* '()))
    (multiple-value-list (funcall *evaluator* form))))

(defun print-values (values limit holder)
  "VALUES as the wire has them, each with a handle when there is a HOLDER."
  (setf *package* (live-package *package*))
  (mapcar (lambda (value) (value-object value limit (and holder (hold value holder)))) values))

(defun shift-history (form values)
  (setf +++ ++ ++ + + form
        /// // // / / values
        *** ** ** * * (first values)))

(defvar *verdict-wanted* nil
  "True while the code itself has something compiled or loaded: then SBCL counts and prints warnings, for the code's own use.")

(sb-ext:defglobal *replaced-file* (constantly nil))
(setf (documentation '*replaced-file* 'variable)
      "Function of a warning about a redefinition that returns the file which has the definition of before, as a native name; NIL when none has it.")

(defun note-replaced (condition)
  "A WARNING-NOTE for CONDITION, about a redefinition, where an agent replaces what a file has; else NIL."
  (let ((file (and *guard* (not *verdict-wanted*) (ignore-errors (funcall *replaced-file* condition)))))
    (when file
      (make-warning-note
       :type "STYLE-WARNING"
       :message (format nil "~A is replaced in the image only; ~A still has the old definition."
                        (print-short (redefinition-warning-name condition) 200) file)))))

(defun record-warning (evaluation condition)
  "Note a warning for the reply, and muffle it where nobody but the reply's reader could see it. What the code compiles by itself
has the verdict and the text that SBCL gives, and a stream that the code bound gets what is written to it."
  (let ((restart (find-restart 'muffle-warning condition)))
    (when restart                       ; without this restart it was signalled, but not by WARN
      (let ((note (and (< (length (evaluation-warnings evaluation)) 500) (if (typep condition 'redefinition-warning)
                           (note-replaced condition)
                           (note-warning condition)))))
        (when note
          (setf (warning-note-place note) (warning-place evaluation condition))
          (push note (evaluation-warnings evaluation))))
      (when (and (not *verdict-wanted*) (own-error-output-p evaluation))
        (invoke-restart restart)))))

(defun warning-place (evaluation condition)
  "Return (start . end) of what CONDITION is about in the code of EVALUATION, as the wire counts; NIL when that is not known."
  (let ((code (field (evaluation-request evaluation) "code")) (start (evaluation-position evaluation)))
    (when (and *warning-placer* code start)
      (multiple-value-bind (from to)
          (ignore-errors (funcall *warning-placer* code start (evaluation-form evaluation) condition))
        (when from (cons (wire-offset evaluation from) (wire-offset evaluation to)))))))

(defun own-error-output-p (evaluation)
  "True when *ERROR-OUTPUT* is still the stream with which EVALUATION began."
  (let ((stream *error-output*))
    (and (output-port-p stream)
         (eq (output-port-kind stream) :stderr)
         (eq (output-port-sink stream) (evaluation-sink evaluation)))))

(defun source-plist (evaluation start)
  "Return the plist that SBCL keeps with each definition of a form, by which the definition's place is found again."
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
          "redoable" (json-boolean (and (redoable-p evaluation) (string= status "ok")))
          "effects" (effects-array evaluation)
          "effectsMore" (effects-more evaluation)))

(defun reply-with-condition (evaluation status condition)
  (when condition (keep-last-error evaluation condition))
  (evaluation-reply evaluation status '() condition))

(defun keep-last-error (evaluation condition)
  (note-last-error (ensure-context (evaluation-context evaluation)) condition (evaluation-failed-functions evaluation)
                   (shiftf (evaluation-failed-locations evaluation) '()) (field (evaluation-request evaluation) "code")))

(defun note-last-error (context condition functions locations code)
  (setf (context-last-error context) condition
        (context-last-functions context) functions
        (context-last-locations context) locations
        (context-last-code context) code))
