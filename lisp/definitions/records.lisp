;;;; Definition events in wire format.

(in-package #:lisp-workbench/definitions)

(defun event-object (event)
  (object "id" (event-id event)
          "kind" (kind-label (event-kind event))
          "name" (event-name event)
          "package" (event-package event)
          "operation" (event-operation event)
          "actor" (event-actor event)
          "author" (event-author event)
          "code" (event-code event)
          "evaluation" (event-evaluation event)
          "time" (event-time event)
          "source" (and (event-file event)
                        (object "file" (event-file event) "offset" (event-offset event) "line" (event-line event)))
          "hasText" (json-boolean (event-text event))
          "undoes" (event-undoes event)))

(defun event-name (event)
  (or (event-name-text event) (event-name-text-of (event-key event))))

(defun event-name-text-of (key)
  "Return the name of KEY for definition records, as PRIN1 prints it in its own package. A method's name includes its qualifiers and
specializers."
  (case (car key)
    ((:package :logical-host) (cdr key))
    (:package-name (package-name (cdr key)))
    (t
      (let* ((symbol (key-symbol key))
             (*package* (or (and symbol (symbol-package symbol)) (find-package '#:common-lisp-user))))
        (if (eq (car key) :method)
            (destructuring-bind (name qualifiers specializers) (cdr key)
              (let ((*package* (or (find-package (key-package key)) *package*)))
                (format nil "~A~{ ~A~} ~A" (print-short name 300)
                        (mapcar (lambda (qualifier) (print-short qualifier 100)) qualifiers)
                        (print-short specializers 300))))
            (print-short (cdr key) 300))))))

(defun tell-events (evaluation)
  "Send the events since the last call. Count the events that must only be counted, for EVALUATION."
  (multiple-value-bind (events more) (take-untold)
    (let ((id (and evaluation (evaluation-id evaluation))))
      (loop for (maker . own) in (events-by-evaluation events id (plusp more))
            do (send-event "definition-events"
                           "evaluation" maker
                           "events" (array-of (mapcar #'event-object own))
                           "more" (if (equal maker id) more 0))))))

(defun events-by-evaluation (events id always)
  "Return EVENTS grouped by evaluation, as a list of (evaluation . events in order). There may be several groups, because a waiting
evaluation may have made definitions before another evaluation ran. Events without an evaluation are in the group of ID; if ALWAYS is true,
this group is included even if it is empty."
  (let ((groups (and always (list (list id)))))
    (dolist (event events)
      (let* ((evaluation (or (event-evaluation event) id))
             (group (assoc evaluation groups :test #'equal)))
        (unless group (push (setf group (list evaluation)) groups))
        (push event (rest group))))
    (loop for (evaluation . own) in (reverse groups) collect (cons evaluation (reverse own)))))
