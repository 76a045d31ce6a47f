;;;; The authors of definitions: those of what is there after an event, and the review that makes it trusted.

(in-package #:lisp-workbench/definitions)

(defun keep-authors (event state)
  "Note in EVENT, and return it, who compiled what is now there, where the guard follows them; STATE is what is there."
  (when (and *guard* (not (lacking "keeping the guard on what agents defined")))
    (when (eq :symbol-macro (state-kind state)) (keep-symbol-macro (cdr (event-key event))))
    (let ((authors (or (state-authors state) (union (taken-over-authors (event-key event)) (form-authors event)))))
      (when (and (eq :method (car (event-key event))) (eq 'sb-mop:compute-effective-method (second (event-key event))))
        (note-combining (state-fact state :method) authors))
      (when authors
        (setf (event-authors event) authors)
        (note-definition authors (event-id event) (event-name event))
        (end-author-of-load))))
  event)

(defun form-authors (event)
  "Return the authors of the form that runs, if it is the definition of EVENT itself and nothing more: reviewing EVENT does not vouch for
other code of that form."
  (let ((form (and *evaluation* (null *load-truename*) (evaluation-form *evaluation*)))
        (name (cdr (event-key event))))
    (and (consp form) (consp (rest form))
         (symbolp (first form)) (defining-name-p (first form))
         (or (equal name (second form))
             (and (consp (second form)) (equal name (first (second form))))
             (and (symbolp name) (symbolp (second form)) (eq :package (car (event-key event)))))
         *form-authors*)))

(defun call-as-made (event function)
  "Call FUNCTION, which reads, compiles or evaluates the text of EVENT again, so that it remains the agent's who made it."
  (call-for-authors (or (event-authors event)
                        (and (eq t (event-guarded event))
                             (list (make-author :actor (event-actor event) :evaluation (event-evaluation event)))))
                    function))

(defun state-authors (state)
  (case (state-kind state)
    ((:function :macro :compiler-macro) (function-authors (state-fact state :function)))
    (:method (function-authors (method-code (state-fact state :method))))
    (:variable (let ((value (state-fact state :value))) (and (functionp value) (function-authors value))))))

(defun method-code (method)
  "The function with the code of METHOD."
  (let ((function (sb-mop:method-function method)))
    (if (lacking "who-calls and other cross references")
        function
        (handler-case (or (%method-function-fast-function function) function)
          (error () function)))))       ; a generic function made by MAKE-INSTANCE

;;; Reviewed: what the events defined runs without the guard where the person calls it.

(define-operation "review-definitions" (:control request)
  (map nil (lambda (id)
             (let ((event (find-event id)))
               (when (and event (event-guarded event))
                 (setf (event-guarded event) (if (field request "reviewed") :reviewed t)))
               (when event (review-authors (event-authors event) id (field request "reviewed")))))
       (field request "events"))
  (object))
