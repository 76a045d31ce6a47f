;;;; The authors of the definition that an event made, and the review that makes its code trusted.

(in-package #:lisp-workbench/definitions)

;;; Three facts are kept apart. *Seen* is the list's alone: the core takes an entry off it that needs no more looking. *Reviewed* is an event
;;; that the person marked. *Trusted* is an author all of whose events are reviewed. An undo marks nothing: it closes the authors of what it
;;; takes away, and what an undo brings back is as its author left it.

(defstruct (restored (:copier nil) (:predicate nil))
  "The definition that an undo puts back: the event EARLIER that had made it, NIL where it is not known, and the AUTHORS of what was evaluated
again for it."
  earlier authors)

(defun definition-authors (key state restored)
  "Return the authors of the code that STATE, the present definition of KEY, holds; RESTORED is what an undo put back there, or NIL. Without
the guard only those are asked for whom somebody else may have put there."
  (when (and (or *guard* restored)
             (not (and restored (null state)))
             (following-p))
    (when (and *guard* (eq :symbol-macro (state-kind state))) (keep-symbol-macro (cdr key)))
    (let ((authors (or (state-authors state) (union (authors-of-copied key) (if restored '() (form-authors key))))))
      (when restored
        (let ((earlier (restored-earlier restored)))
          (setf authors (union authors (union (restored-authors restored) (and earlier (event-authors earlier)))))))
      (when (and *guard* (eq :method (car key)) (eq 'sb-mop:compute-effective-method (second key)))
        (note-combining (state-fact state :method) authors))
      authors)))

(defun definition-digest (authors state)
  "Return the digest of the code of AUTHORS and of what is closed over in STATE, the present definition; NIL where it cannot be compared."
  (when authors
    (ignore-errors
      (apply #'code-digest authors (state-kind state)
             (case (state-kind state)
               ((:function :macro :compiler-macro) (closed-over (state-fact state :function)))
               (:method (closed-over (method-code (state-fact state :method))))
               ((:variable :constant) (list (state-fact state :bound) (state-fact state :value)))
               (:symbol-macro (list (own-expansion (state-fact state :expansion))))
               ((:type :setf-expander) (list (state-fact state :expander)))
               (:class (mapcar (lambda (slot) (list (getf slot :name) (getf slot :initfunction))) (state-fact state :slots))))))))

(defun restored-author (restored authors)
  "Return the actor whose code, which nobody has reviewed, an undo put back; NIL where there is none."
  (let ((author (find-if-not #'author-trusted authors)) (earlier (and restored (restored-earlier restored))))
    (cond ((null restored) nil)
          (author (author-actor author))
          ((and earlier (eq t (event-guarded earlier))) (or (event-author earlier) (event-actor earlier))))))

(defun unseen-author (state)
  "Return the actor whose code, which nobody has reviewed, STATE holds; NIL where there is none. The sweep takes the evaluation after which it
runs for the maker of what it finds, and it may have been a finalizer or a timer."
  (let ((author (find-if-not #'author-trusted (state-authors state))))
    (and author (author-actor author))))

(defun note-authors (event restored)
  "Note in the authors of EVENT, which was just kept, that they are not trusted until it is reviewed."
  (let ((authors (event-authors event)) (earlier (and restored (restored-earlier restored))))
    (if restored
        (setf authors (remove-if #'author-trusted authors))
        (keep-unnamed-untrusted authors))
    (note-definition authors (event-id event) (event-name event) (and earlier (event-id earlier)))
    (when authors (end-author-of-load))))

(defun close-authors (event)
  "The code that EVENT defined was taken away by an undo: the mark of EVENT goes, and its authors are trusted no more, whoever still holds their
functions. EVENT cannot be marked any more; an undo that brings its code back is an event of its own."
  (setf (event-undone event) t)
  (when (event-guarded event) (setf (event-guarded event) t))
  (close-definition (event-authors event) (event-id event) (event-name event)))

(defun form-authors (key)
  "Return the authors of the form that runs, if it is the definition of KEY itself and nothing more: reviewing that does not vouch for other
code of that form."
  (let ((form (and *evaluation* (null *loading*) (evaluation-form *evaluation*)))
        (name (cdr key)))
    (and (consp form) (consp (rest form))
         (symbolp (first form)) (defining-name-p (first form))
         (or (equal name (second form))
             (and (consp (second form)) (equal name (first (second form))))
             (and (symbolp name) (symbolp (second form)) (eq :package (car key))))
         *form-authors*)))

(defun call-as-made (event function)
  "Call FUNCTION, which reads, compiles or evaluates the text of EVENT again, so that it remains the agent's who made it, also where the
person has reviewed EVENT: the same text may be other code by now."
  (call-as-authors (or (event-authors event)
                       (and (event-guarded event)
                            (list (make-author :actor (or (event-author event) (event-actor event))
                                               :evaluation (event-evaluation event)))))
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

;;; Reviewing events: their code then runs without the guard when the person calls it.

(define-operation "review-definitions" (:control request)
  (map nil (lambda (mark)
             (let* ((id (field mark "id")) (event (find-event id)) (reviewed (field request "reviewed")))
               ;; An id may be another definition's by now, in an image that took the place of the one that the person saw.
               (when (and event (or (not reviewed) (and (not (event-undone event)) (equal (field mark "code") (event-code event)))))
                 (when (event-guarded event)
                   (setf (event-guarded event) (if reviewed :reviewed t)))
                 (review-authors (event-authors event) id reviewed))))
       (field request "events"))
  (object))
