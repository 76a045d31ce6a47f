;;;; The operations to which the control thread replies directly, because they neither wait nor run user code. Also the operation for the
;;;; last error, which looks up source places.

(in-package #:lisp-workbench/control)

(define-operation "ping" (:control request)
  (let ((evaluation (first (last (running-evaluations)))))
    (object "heapUsed" (dynamic-usage)
            "heapSize" (sb-ext:dynamic-space-size)
            "threads" (length (sb-thread:list-all-threads))
            "evaluating" (and evaluation (evaluation-id evaluation)))))

(defmacro define-evaluation-operation (name (evaluation request) &body body)
  "Define an operation on a running evaluation. The reply's field `found` is true if the evaluation is running and BODY returns true."
  `(define-operation ,name (:control ,request)
     (let ((,evaluation (find-evaluation (field ,request "evaluation"))))
       (object "found" (json-boolean (and ,evaluation (progn ,@body)))))))

(define-evaluation-operation "interrupt" (evaluation request)
  (if (field request "hold") (hold-or-interrupt evaluation) (interrupt-evaluation evaluation))
  t)

(define-evaluation-operation "terminate" (evaluation request)
  (terminate-evaluation evaluation)
  t)

(define-evaluation-operation "give-up" (evaluation request)
  (give-up evaluation)
  t)

(define-evaluation-operation "discard-output" (evaluation request)
  (discard-output (evaluation-sink evaluation))
  t)

(define-evaluation-operation "input" (evaluation request)
  (give-input evaluation (field request "text")))

(define-operation "forget-context" (:control request)
  (give-up-held (field request "context"))
  (object "found" (json-boolean (forget-context (field request "context")))))

(define-operation "current-package" (:control request)
  (object "package" (context-package-name (field request "context"))))

(define-operation "enter-package" (:control request)
  (object "package" (enter-package (ensure-context (field request "context")) (field request "package"))))

(define-operation "reset-reader" (:control request)
  (reset-reader-and-printer (ensure-context (field request "context")))
  (object))

(define-operation "last-error" (:looking-up request)
  (let ((context (find-context (field request "context"))))
    (object "condition" (and context (context-last-error context))
            "code" (and context (context-last-code context))
            "places" (array-of (loop for (name . location) in (and context (context-last-locations context))
                                     collect (multiple-value-bind (file line)
                                                 ;; SBCL's own frames, such as the frame of an undefined function, have no place.
                                                 (handler-case (and location (line-of-frame name location))
                                                   (error () nil))
                                               (and line (object "file" file "line" line))))))))

(define-operation "release" (:control request)
  (object "found" (json-boolean (release-holder (field request "holder")))))
