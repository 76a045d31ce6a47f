;;;; The evaluated form that made a definition, used for definitions that are not in a file. The record of definitions contains the form's
;;;; text.

(in-package #:lisp-workbench/introspection)

(defconstant +longest-evaluated-form+ 50000 "The maximum length, in characters, of a form that is sent with a definition.")

(defun evaluated-form (evaluation key symbol)
  "Return an object with the form by which EVALUATION defined KEY, a key of SYMBOL, and the package in which the form was read. Return NIL
if the record does not contain the form."
  (let ((event (or (event-of-evaluation evaluation key)
                   (event-around evaluation key symbol))))
    (and event
         (<= (length (event-text event)) +longest-evaluated-form+)
         (object "text" (event-text event)
                 "package" (event-read-package event)))))

(defun event-of-evaluation (evaluation key)
  "Return the latest event of KEY if EVALUATION caused it and its text is known."
  (let ((event (latest-event key)))
    (and event
         (equal evaluation (event-evaluation event))
         (event-text event)
         event)))

(defun event-around (evaluation key symbol)
  "Return the event of EVALUATION whose form defined KEY together with another name. This is necessary because a class's accessors, a
structure's functions and methods in a DEFGENERIC have no events. Prefer an event that has KEY among its parts, then one that mentions
SYMBOL, then the only event."
  (let ((events '()))
    (map-events (lambda (event)
                  (when (and (equal evaluation (event-evaluation event)) (event-text event))
                    (push event events))))
    (or (find-if (lambda (event) (assoc key (event-parts event) :test #'equal)) events)
        (find-if (lambda (event) (search (symbol-name symbol) (event-text event) :test #'char-equal)) events)
        (and (= 1 (length (remove-duplicates events :key #'event-text :test #'eq)))
             (first events)))))
