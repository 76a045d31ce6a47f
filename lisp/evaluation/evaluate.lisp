;;;; The operation `evaluate`: reads a text form by form, evaluates the forms, and reports the results.

(in-package #:lisp-workbench/evaluation)

(defmacro with-evaluation-streams ((evaluation interactive) &body body)
  "Run BODY with the stream variables bound as in plain SBCL. If INTERACTIVE is false, reads return end of file. Output to *QUERY-IO* and
*DEBUG-IO* is then visible only to the person, because the contract of evaluate-lisp excludes it from the reply."
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
  "Return a stream whose output goes to an ASIDE-PORT of SINK, and whose input comes from *TERMINAL-IO*."
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
  "A function that is called with the names of functions whose frames must retain their locals. It returns a function that restores the
originals.")

(defun evaluate-request (evaluation)
  "Evaluate the request of EVALUATION and return the reply."
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
  "Return true if EVALUATION evaluates again the code that failed last in CONTEXT. In that case, the code's frames must be inspectable."
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
  "Evaluate every form of the request's code. Return the printed values of the last form."
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
  "Read and return the next form in the package that is current after the previous forms. Return END-MARKER if there are no more forms."
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
  "Read the next form like READ-FORM. If a read error waits in the debugger, the restart RETRY reads the form again."
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
  "Evaluate FORM, which was just read from STREAM, and record it. Return its values."
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
  "Evaluate FORM and return its values. If an error in it waits in the debugger, the restart RETRY evaluates the form again. Before that, it
recompiles the functions of the failed frames so that they retain their locals."
  (if (debugged-p evaluation)
      (loop
        (restart-case (return (evaluate-form form plist))
          (retry ()
            :report "Evaluate the form again, so that its frames keep their locals."
            (push (funcall *keep-locals* (evaluation-failed-functions evaluation)) (evaluation-restorers evaluation)))))
      (evaluate-form form plist)))

(sb-ext:defglobal *evaluator* #'eval)   ; SBCL's function, which is used even if code redefines the name

(defvar *given-plist* nil
  "(plist . copy) of the source plist that the engine set for the running form. Code can rebind SBCL's variable and change the list in it,
but cannot access the copy.")

(defvar *given-namestring* nil "The namestring that the engine set as the source of the form that it is compiling; otherwise NIL.")

(defun given-plist ()
  "Return the source plist of the running form if SBCL's variable still contains it; otherwise NIL."
  (and *given-plist* (tailp (car *given-plist*) *source-plist*) (cdr *given-plist*)))

(defun evaluate-form (form source-plist)
  "Return the values of FORM as a list. Backtraces end at this function."
  (let ((*source-plist* source-plist) (*given-plist* (cons source-plist (copy-list source-plist))) (*form-authors* '()))
    (multiple-value-list (funcall *evaluator* form))))

(defun print-values (values limit holder)
  "Return VALUES in wire format. With HOLDER, each value has a handle."
  (setf *package* (live-package *package*))
  (mapcar (lambda (value) (value-object value limit (and holder (hold value holder)))) values))

(defun shift-history (form values)
  (setf +++ ++ ++ + + form
        /// // // / / values
        *** ** ** * * (first values)))

(defvar *verdict-wanted* nil
  "True while user code compiles or loads code. SBCL then counts and prints warnings for the user code.")

(sb-ext:defglobal *replaced-file* (constantly nil))
(setf (documentation '*replaced-file* 'variable)
      "Function of a redefinition warning. It returns the native name of the file that contains the previous definition, or NIL.")

(defun note-replaced (condition)
  "CONDITION is a redefinition warning. If an agent replaces a definition that is in a file, return a WARNING-NOTE about this; otherwise
NIL."
  (let ((file (and *guard* (not *verdict-wanted*) (ignore-errors (funcall *replaced-file* condition)))))
    (when file
      (make-warning-note
       :type "STYLE-WARNING"
       :message (format nil "~A is replaced in the image only; ~A still has the old definition."
                        (print-short (redefinition-warning-name condition) 200) file)))))

(defun record-warning (evaluation condition)
  "Record a warning for the reply. Muffle it if its output would only go to the reply, which already contains the warning. Do not muffle it
if the code itself calls the compiler, because the code then needs the compiler's verdict and text, or if the code has bound *ERROR-OUTPUT*
to another stream."
  (let ((restart (find-restart 'muffle-warning condition)))
    (when restart                       ; without this restart, a function other than WARN has signaled the condition
      (let ((note (and (< (length (evaluation-warnings evaluation)) 500) (if (typep condition 'redefinition-warning)
                           (note-replaced condition)
                           (note-warning condition)))))
        (when note
          (setf (warning-note-place note) (warning-place evaluation condition))
          (push note (evaluation-warnings evaluation))))
      (when (and (not *verdict-wanted*) (own-error-output-p evaluation))
        (invoke-restart restart)))))

(defun warning-place (evaluation condition)
  "Return (start . end), in wire units, of the code in EVALUATION that CONDITION is about; NIL if unknown."
  (let ((code (field (evaluation-request evaluation) "code")) (start (evaluation-position evaluation)))
    (when (and *warning-placer* code start)
      (multiple-value-bind (from to)
          (ignore-errors (funcall *warning-placer* code start (evaluation-form evaluation) condition))
        (when from (cons (wire-offset evaluation from) (wire-offset evaluation to)))))))

(defun own-error-output-p (evaluation)
  "Return true if *ERROR-OUTPUT* is still the stream that EVALUATION started with."
  (let ((stream *error-output*))
    (and (output-port-p stream)
         (eq (output-port-kind stream) :stderr)
         (eq (output-port-sink stream) (evaluation-sink evaluation)))))

(defun source-plist (evaluation start)
  "Return the plist that SBCL stores with each definition in a form. The plist is used to find the place of the definition."
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
  "Return two values: the position of EVALUATION's running top-level form, and a function that returns the form's text. Return NIL if this
thread is doing other work."
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
