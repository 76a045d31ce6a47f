;;;; The operation `load-system`.

(in-package #:lisp-workbench/systems)

(define-operation "load-system" (:worker request)
  (enqueue-evaluation
   (make-evaluation :id (field request "evaluation")
                    :request-id (field request "id")
                    :actor (field request "actor")
                    :context (field request "context")
                    :request request
                    :sink (make-sink (field request "evaluation") (field request "outputLimit"))
                    :work #'load-system-request
                    :fallback #'load-reply)))

(defun load-system-request (evaluation)
  (let ((name (canonical-name (field (evaluation-request evaluation) "system"))))
    (multiple-value-bind (status condition)
        (call-with-outcome
         evaluation
         (lambda ()
           (with-evaluation-streams (evaluation nil)
             (handler-bind ((warning (lambda (warning) (keep-warning evaluation warning))))
               (perform-load name))
             (finish-output *standard-output*))))
      (load-reply evaluation status condition))))

(defun canonical-name (text)
  "The name of the system that TEXT means: \"Alexandria\", :alexandria and #:alexandria are alexandria."
  (let ((name (string-trim '(#\Space #\Tab #\Newline #\" #\' #\# #\:) text)))
    (cond ((zerop (length name)) text)
          ((asdf:registered-system name) name)
          (t (string-downcase name)))))

(defun perform-load (name)
  "Backtraces end here."
  (let ((*package* (find-package '#:common-lisp-user)))
    (if (find-package '#:ql)
        (funcall (find-symbol "QUICKLOAD" '#:ql) name)
        (asdf:load-system name))
    nil))

(defconstant +most-warnings+ 100)

(defun keep-warning (evaluation warning)
  "Record WARNING but let it pass: the compiler counts it, and ASDF decides by that whether a file failed."
  (when (< (length (evaluation-warnings evaluation)) +most-warnings+)
    (let ((note (note-warning warning)))
      (when note (push note (evaluation-warnings evaluation))))))

(defun load-reply (evaluation status condition)
  (let ((name (canonical-name (field (evaluation-request evaluation) "system"))))
    (when condition (keep-last-error evaluation condition))
    (object "status" status
            "name" name
            "version" (and (string= status "ok") (system-version name))
            "warnings" (warnings-array (evaluation-warnings evaluation))
            "condition" condition
            "timing" (report-timing evaluation)
            "outputCut" (sink-cut (evaluation-sink evaluation)))))
