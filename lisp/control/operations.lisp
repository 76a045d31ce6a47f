;;;; What the control thread answers by itself. Nothing here waits or runs code of the user's.

(in-package #:lisp-workbench/control)

(define-operation "ping" (:control request)
  (let ((evaluation (running-evaluation)))
    (object "heapUsed" (dynamic-usage)
            "heapSize" (sb-ext:dynamic-space-size)
            "threads" (length (sb-thread:list-all-threads))
            "evaluating" (and evaluation (evaluation-id evaluation)))))

(defmacro define-evaluation-operation (name (evaluation request) &body body)
  "An operation on an evaluation under way. BODY's value tells whether it could be done; so does its absence."
  `(define-operation ,name (:control ,request)
     (let ((,evaluation (find-evaluation (field ,request "evaluation"))))
       (object "found" (json-boolean (and ,evaluation (progn ,@body)))))))

(define-evaluation-operation "interrupt" (evaluation request)
  (interrupt-evaluation evaluation)
  t)

(define-evaluation-operation "terminate" (evaluation request)
  (terminate-evaluation evaluation)
  t)

(define-evaluation-operation "input" (evaluation request)
  (give-input evaluation (field request "text")))

(define-operation "forget-context" (:control request)
  (give-up-held (field request "context"))
  (object "found" (json-boolean (forget-context (field request "context")))))

(define-operation "current-package" (:control request)
  (object "package" (context-package-name (field request "context"))))

(define-operation "reset-reader" (:control request)
  (reset-reader-and-printer (ensure-context (field request "context")))
  (object))

(define-operation "last-error" (:control request)
  (let ((context (find-context (field request "context"))))
    (object "condition" (and context (context-last-error context))
            "code" (and context (context-last-code context)))))

(define-operation "release" (:control request)
  (object "found" (json-boolean (release-holder (field request "holder")))))
