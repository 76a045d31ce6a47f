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
  "Send what happened since the last time. What nobody listed is counted as EVALUATION's."
  (multiple-value-bind (events more) (take-untold)
    (let ((id (and evaluation (evaluation-id evaluation))))
      (loop for (maker . own) in (events-by-evaluation events id (plusp more))
            do (send-event "definition-events"
                           "evaluation" maker
                           "events" (array-of (mapcar #'event-object own))
                           "more" (if (equal maker id) more 0))))))

(defun events-by-evaluation (events id always)
  "List of (evaluation . EVENTS of it in their order), since one that waits may have defined before another one ran. Events of none
belong to ID, which is among them where ALWAYS is true."
  (let ((groups (and always (list (list id)))))
    (dolist (event events)
      (let* ((evaluation (or (event-evaluation event) id))
             (group (assoc evaluation groups :test #'equal)))
        (unless group (push (setf group (list evaluation)) groups))
        (push event (rest group))))
    (loop for (evaluation . own) in (reverse groups) collect (cons evaluation (reverse own)))))
