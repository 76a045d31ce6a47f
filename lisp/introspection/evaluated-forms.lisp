;;;; The form whose evaluation made a definition, for definitions that stand in no file: the record of definitions has its text.

(in-package #:lisp-workbench/introspection)

(defconstant +longest-evaluated-form+ 50000 "The longest form, in characters, that is sent with a definition.")

(defun evaluated-form (evaluation key symbol)
  "Return the form by which EVALUATION defined KEY, a key of SYMBOL's, and the package that it was read in, as an object; NIL when the record
has none."
  (let ((event (or (event-of-evaluation evaluation key)
                   (event-around evaluation key symbol))))
    (and event
         (<= (length (event-text event)) +longest-evaluated-form+)
         (object "text" (event-text event)
                 "package" (event-read-package event)))))

(defun event-of-evaluation (evaluation key)
  "Return the latest event of KEY when EVALUATION made it and its text is known."
  (let ((event (latest-event key)))
    (and event
         (equal evaluation (event-evaluation event))
         (event-text event)
         event)))

(defun event-around (evaluation key symbol)
  "Return the event of EVALUATION whose form defined KEY along with a name of its own: the accessors of a class, the functions of a structure
and the methods of a DEFGENERIC have no events. It has KEY among its parts, or mentions SYMBOL, or is the only one."
  (let ((events '()))
    (map-events (lambda (event)
                  (when (and (equal evaluation (event-evaluation event)) (event-text event))
                    (push event events))))
    (or (find-if (lambda (event) (assoc key (event-parts event) :test #'equal)) events)
        (find-if (lambda (event) (search (symbol-name symbol) (event-text event) :test #'char-equal)) events)
        (and (= 1 (length (remove-duplicates events :key #'event-text :test #'eq)))
             (first events)))))
