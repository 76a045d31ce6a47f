;;;; The look-up `definition-history`.

(in-package #:lisp-workbench/provenance)

(define-operation "definition-history" (:looking-up request)
  (sweep-pending)
  (let ((found '()) (total 0)
        (limit (field request "limit"))
        (package (field request "package")) (name (field request "name")) (evaluation (field request "evaluation")))
    (map-events (lambda (event)
                  (when (and (or (null package) (equalp package (event-package event)))
                             (or (null evaluation) (equal evaluation (event-evaluation event)))
                             (or (null name) (named-p event name)))
                    (incf total)
                    (when (<= total limit) (push (told event) found)))))
    (object "events" (array-of (nreverse found)) "total" total)))

(defun told (event)
  "Return the record of EVENT, including its text."
  (append (event-object event)
          (list "text" (event-text event) "unchanged" (json-boolean (event-unchanged event)) "readPackage" (event-read-package event))))

(defun named-p (event name)
  (let ((symbol (key-symbol (event-key event))))
    (or (and symbol (string-equal name (symbol-name symbol)))
        (equalp name (event-name event)))))
