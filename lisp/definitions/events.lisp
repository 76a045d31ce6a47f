;;;; Definition events: what was defined, by whom, and what was there before. The latest ones are kept, so that any of them
;;;; can be told and undone. What files brought has a ring of its own: a big system must not push out what people did.

(in-package #:lisp-workbench/definitions)

(defvar *recording* t
  "True where definitions are recorded; NIL within a definition that is being recorded, and in the engine's own definitions.")

(defvar *after-definition* (constantly nil) "Function of a key, called when what it names was defined, changed or removed.")

(defmacro without-recording (&body body)
  `(let ((*recording* nil)) ,@body))

(defconstant +own-events+ 3000 "The number of events of evaluated definitions that are kept.")
(defconstant +file-events+ 2000 "The number of events of definitions from files that are kept.")
(defconstant +text-characters+ 4000000 "The most characters of all source texts together; above it the oldest texts are forgotten.")
(defconstant +longest-text+ 200000 "The longest text, in characters, that is recorded; a longer form is recorded without its text.")

(defstruct (definition-event (:conc-name event-) (:constructor make-event) (:copier nil) (:predicate nil))
  "A definition that was made, changed or removed. KEY is (facet . name), see states.lisp."
  (id 0) kind key package operation actor evaluation (time 0)
  file offset line                      ; the place of the form; in a file that is loaded, FILE alone
  text read-package                     ; the top-level form, and the package in which it was read
  before                                ; state of KEY before it
  (parts '())                           ; (key . state before) of other definitions made by the same form
  earlier                               ; id of the event before it for the same key
  (unchanged nil)                       ; true when the definition was the same before, as where a file is loaded again
  compiling                             ; true when a file was compiled that defines it, which loading that file does again
  undoes                                ; id of the event that this one undid
  undone                                ; true once an undo took away the code that it defined
  guarded                               ; true when guarded code made it; :REVIEWED once the person has reviewed it
  author                                ; actor whose code, not reviewed, somebody else put there: by an undo, or unseen by the tracker
  code                                  ; digest of that code, to which the person's mark is bound; NIL where it cannot be compared
  (authors '())                         ; authors of the code that it defined, which the guard follows
  name-text                             ; the printed name, when it cannot be printed later any more
  (text-cost 0))                        ; characters of text that are freed with this event

(defstruct (ring (:copier nil) (:predicate nil)) events (next 0))

(sb-ext:defglobal *events-lock* (sb-thread:make-mutex :name "lisp-workbench definition events"))
(sb-ext:defglobal *own-ring* (make-ring :events (make-array +own-events+ :initial-element nil)))
(sb-ext:defglobal *file-ring* (make-ring :events (make-array +file-events+ :initial-element nil)))
(sb-ext:defglobal *event-count* 0)                              ; equal to the latest event's id
(sb-ext:defglobal *events-by-id* (make-hash-table))
(sb-ext:defglobal *latest-events* (make-hash-table :test #'equal)) ; key → event
(sb-ext:defglobal *all-text* 0)
(sb-ext:defglobal *inlined-changes* '()) ; events that changed what compiled code contains, latest first
(defconstant +inlined-changes+ 200 "The number of them that are kept.")
(sb-ext:defglobal *touched* (make-hash-table :test #'equal))    ; keys that events told since the last sweep
(sb-ext:defglobal *untold* '())         ; events for the next `definition-events`, latest first
(sb-ext:defglobal *untold-count* 0)     ; all untold events, also those not in the list

(defconstant +most-told+ 500 "The most records in one `definition-events`.")

(defconstant +first-moment+ 1735689600000 "The beginning of 2025, in Unix milliseconds: so ids stay small enough for the wire.")

(defun begin-ids-anew ()
  "Go on with ids that were never given. Called when a copy of the image goes on as the live one."
  (sb-thread:with-mutex (*events-lock*)
    (setf *event-count* (max (1+ *event-count*) (* 1000 (- (unix-milliseconds) +first-moment+))))))

(defun find-event (id)
  "Return the event ID; NIL when it is no longer kept."
  (sb-thread:with-mutex (*events-lock*) (gethash id *events-by-id*)))

(defun latest-event (key)
  "The event that made KEY what it is, as far as one is known."
  (sb-thread:with-mutex (*events-lock*) (gethash key *latest-events*)))

(defun map-events (function)
  "Call FUNCTION with each event that is kept, latest first. It may return from here."
  (mapc function (sort (sb-thread:with-mutex (*events-lock*)
                         (loop for event being the hash-values of *events-by-id* collect event))
                       #'> :key #'event-id))
  nil)

(defun keep-event (event tell)
  "Give EVENT its id and keep it. TELL is false for what is only counted on the wire."
  (sb-thread:with-mutex (*events-lock*)
    (let* ((key (event-key event)) (earlier (gethash key *latest-events*)))
      (setf (event-id event) (incf *event-count*)
            (event-earlier event) (or (event-earlier event) (and earlier (event-id earlier)))
            (gethash (event-id event) *events-by-id*) event
            (gethash key *latest-events*) event
            (gethash key *touched*) t)
      (when (inlined-change-p event)
        (push event *inlined-changes*)
        (when (nthcdr +inlined-changes+ *inlined-changes*)
          (setf *inlined-changes* (subseq *inlined-changes* 0 (floor +inlined-changes+ 2)))))
      (put-into-ring event (if (and (event-file event) (null (event-text event))) *file-ring* *own-ring*))
      (incf *all-text* (event-text-cost event))
      (loop while (and (> *all-text* +text-characters+) (drop-oldest)))
      (incf *untold-count*)
      (when (and tell (<= *untold-count* +most-told+)) (push event *untold*))))
  (when (eq (car (event-key event)) :function) (keep-type-of-encapsulated (cdr (event-key event))))
  (funcall *after-definition* (event-key event))
  event)

(defun inlined-change-p (event)
  "True when EVENT replaced what the compiler puts into the code that uses it."
  (let ((kinds (list (event-kind event) (first (event-before event)))))
    (and (event-before event)
         (not (event-unchanged event))
         (or (intersection kinds '(:macro :compiler-macro :type :constant :symbol-macro :setf-expander :structure))
             (getf (rest (event-before event)) :inlining)))))

(defun inlined-changes (evaluation)
  "Return the events of EVALUATION that replaced what is in compiled code, oldest first."
  (reverse (remove-if (lambda (event) (or (event-unchanged event) (not (equal evaluation (event-evaluation event)))))
                      (sb-thread:with-mutex (*events-lock*) *inlined-changes*))))

(defun note-touched (key)
  "Note that an event told the change of KEY, so that the sweep does not tell it again."
  (sb-thread:with-mutex (*events-lock*) (setf (gethash key *touched*) t)))

(defun forget-touched (key)
  (sb-thread:with-mutex (*events-lock*) (remhash key *touched*)))

(defun take-touched ()
  "Take the table of the keys that events have told since the last sweep."
  (sb-thread:with-mutex (*events-lock*)
    (if (zerop (hash-table-count *touched*))
        *touched*
        (shiftf *touched* (make-hash-table :test #'equal)))))

(defun untold-packages ()
  "Return the names of the packages of the events that nobody was told yet, sorted."
  (sort (remove-duplicates (remove nil (sb-thread:with-mutex (*events-lock*) (mapcar #'event-package *untold*)))
                           :test #'string=)
        #'string<))

(defun take-untold ()
  "Events that nobody was told yet, oldest first, and how many more there were."
  (sb-thread:with-mutex (*events-lock*)
    (let ((events (reverse (shiftf *untold* '()))))
      (values events (- (shiftf *untold-count* 0) (length events))))))

(defun drop-variable-values ()
  "Forget the values in states of variables, which may be huge. Called when the heap is nearly full, in any thread, perhaps with the lock
held."
  (loop for event across (ring-events *own-ring*) do (drop-value event))
  (loop for event across (ring-events *file-ring*) do (drop-value event)))

(defun drop-value (event)
  (when event
    (let ((before (event-before event)))
      (when (member (first before) '(:variable :constant))
        (setf (event-before event) (list* (first before) :dropped t (rest before))
              (getf (rest (event-before event)) :value) nil)))))

(defun forget-events ()
  "Forget all events, as in an image that just started. Only tests call this."
  (sb-thread:with-mutex (*events-lock*)
    (mapc #'clrhash (list *events-by-id* *latest-events* *touched*))
    (setf *inlined-changes* '())
    (fill (ring-events *own-ring*) nil)
    (fill (ring-events *file-ring*) nil)
    (setf *untold* '() *untold-count* 0 *all-text* 0)))

;;; Rings

(defun put-into-ring (event ring)
  (let* ((events (ring-events ring)) (at (ring-next ring)))
    (when (svref events at) (drop-event (svref events at)))
    (setf (svref events at) event
          (ring-next ring) (mod (1+ at) (length events)))))

(defun drop-oldest ()
  "Forget the oldest event in the ring of evaluated code, whose events have texts; true when there was one."
  (let* ((events (ring-events *own-ring*)) (next (ring-next *own-ring*))
         (at (or (position-if-not #'null events :start next) (position-if-not #'null events :end (max 0 (1- next))))))
    (when at
      (drop-event (svref events at))
      (setf (svref events at) nil)
      t)))

(defun drop-event (event)
  (decf *all-text* (event-text-cost event))
  (remhash (event-id event) *events-by-id*)
  (when (eq event (gethash (event-key event) *latest-events*))
    (remhash (event-key event) *latest-events*)))
