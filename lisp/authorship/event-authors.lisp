;;;; The authors of the definition that an event records, and the review that makes the authors' code trusted.

(in-package #:lisp-workbench/definitions)

;;; Three states are distinguished. *Seen* applies only to the list of changes: the core removes an entry that needs no more attention.
;;; *Reviewed* applies to an event that the person marked. *Trusted* applies to an author whose events are all reviewed. An undo marks
;;; nothing as reviewed: it permanently withdraws trust from the authors of the code that it removes. Code that an undo restores keeps its
;;; author's trust.

(defstruct (restored (:copier nil) (:predicate nil))
  "The definition that an undo restores. EARLIER is the event that originally created the definition, or NIL if unknown; AUTHORS are the
authors of the code that was evaluated again to restore it."
  earlier authors)

(defun definition-authors (key state restored)
  "Return the authors of the code in STATE, the present definition of KEY. RESTORED describes the definition that an undo has restored for
KEY; it is NIL if there was no undo. If the guard is off and there was no undo, skip the search and return NIL."
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
  "Return the digest of the code of AUTHORS and the values in STATE, the present definition; NIL if they cannot be compared."
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
  "Return the actor whose unreviewed code an undo restored, or NIL."
  (let ((author (find-if-not #'author-trusted authors)) (earlier (and restored (restored-earlier restored))))
    (cond ((null restored) nil)
          (author (author-actor author))
          ((and earlier (eq t (event-guarded earlier))) (or (event-author earlier) (event-actor earlier))))))

(defun unseen-author (state)
  "Return the actor whose unreviewed code STATE contains, or NIL. The sweep for changes attributes each change to the evaluation before it,
but a finalizer or a timer may have made the change."
  (let ((author (find-if-not #'author-trusted (state-authors state))))
    (and author (author-actor author))))

(defun note-authors (event restored)
  "Mark the authors of EVENT, which was just recorded, as untrusted until EVENT is reviewed."
  (let ((authors (event-authors event)) (earlier (and restored (restored-earlier restored))))
    (if restored
        (setf authors (remove-if #'author-trusted authors))
        (keep-unnamed-untrusted authors))
    (note-definition authors (event-id event) (event-name event) (and earlier (event-id earlier)))
    (when authors (end-author-of-load))))

(defun close-authors (event)
  "Withdraw the review of EVENT, whose code an undo has removed. The authors of EVENT are no longer trusted, even if other code still refers
to their functions. EVENT cannot be reviewed again; if an undo restores its code, that is a new event."
  (setf (event-undone event) t)
  (when (event-guarded event) (setf (event-guarded event) t))
  (close-definition (event-authors event) (event-id event) (event-name event)))

(defun form-authors (key)
  "If the running form consists only of the definition of KEY, return the form's authors. Otherwise return NIL, because a review of the
definition does not vouch for other code in the form."
  (let ((form (and *evaluation* (null *loading*) (evaluation-form *evaluation*)))
        (name (cdr key)))
    (and (consp form) (consp (rest form))
         (symbolp (first form)) (defining-name-p (first form))
         (or (equal name (second form))
             (and (consp (second form)) (equal name (first (second form))))
             (and (symbolp name) (symbolp (second form)) (eq :package (car key))))
         *form-authors*)))

(defun call-as-made (event function)
  "Call FUNCTION, which reads, compiles or evaluates the text of EVENT again. The result remains the agent's even if the person has reviewed
EVENT, because the same text may now produce other code."
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
  "Return the function that contains the code of METHOD."
  (let ((function (sb-mop:method-function method)))
    (if (lacking "who-calls and other cross references")
        function
        (handler-case (or (%method-function-fast-function function) function)
          (error () function)))))       ; a generic function created by MAKE-INSTANCE

;;; Reviewing events: the code of reviewed events runs without the guard when the person calls it.

(define-operation "review-definitions" (:control request)
  (map nil (lambda (mark)
             (let* ((id (field mark "id")) (event (find-event id)) (reviewed (field request "reviewed")))
               ;; The person may have seen an earlier image, in which the id belonged to another definition.
               (when (and event (or (not reviewed) (and (not (event-undone event)) (equal (field mark "code") (event-code event)))))
                 (when (event-guarded event)
                   (setf (event-guarded event) (if reviewed :reviewed t)))
                 (review-authors (event-authors event) id reviewed))))
       (field request "events"))
  (object))
