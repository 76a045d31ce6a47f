;;;; Definition events as the wire has them.

(in-package #:lisp-workbench/definitions)

(defun event-object (event)
  (object "id" (event-id event)
          "kind" (kind-label (event-kind event))
          "name" (event-name event)
          "package" (event-package event)
          "operation" (event-operation event)
          "actor" (event-actor event)
          "evaluation" (event-evaluation event)
          "time" (event-time event)
          "source" (and (event-file event)
                        (object "file" (event-file event) "offset" (event-offset event) "line" (event-line event)))
          "hasText" (json-boolean (event-text event))
          "undoes" (event-undoes event)))

(defun event-name (event)
  (or (event-name-text event) (event-name-text-of (event-key event))))

(defun event-name-text-of (key)
  "Like the names of definition records: as PRIN1 prints them in their own package, methods with qualifiers and specializers."
  (if (eq (car key) :package)
      (cdr key)
      (let* ((symbol (key-symbol key))
             (*package* (or (and symbol (symbol-package symbol)) (find-package '#:common-lisp-user))))
        (if (eq (car key) :method)
            (destructuring-bind (name qualifiers specializers) (cdr key)
              (let ((*package* (or (find-package (key-package key)) *package*)))
                (format nil "~A~{ ~A~} ~A" (print-short name 300)
                        (mapcar (lambda (qualifier) (print-short qualifier 100)) qualifiers)
                        (print-short specializers 300))))
            (print-short (cdr key) 300)))))

(defun tell-events (evaluation)
  "Send what happened since the last time."
  (multiple-value-bind (events more) (take-untold)
    (when (or events (plusp more))
      (send-event "definition-events"
                  "evaluation" (and evaluation (evaluation-id evaluation))
                  "events" (array-of (mapcar #'event-object events))
                  "more" more))))
