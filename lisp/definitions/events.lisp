;;;; Definition events: what was defined, by which actor, and the previous state. The latest events are stored, so that they can be
;;;; displayed and undone. Events from files have a separate ring, so that a large system does not displace the actors' own definitions.

(in-package #:lisp-workbench/definitions)

(defvar *recording* t
  "True if definitions are recorded; NIL within a definition that is being recorded, and in the engine's own definitions.")

(defvar *after-definition* (constantly nil) "A function that is called with a key after its definition was created, changed or removed.")

(defmacro without-recording (&body body)
  `(let ((*recording* nil)) ,@body))

(defconstant +own-events+ 3000 "The maximum number of stored events for evaluated definitions.")
(defconstant +file-events+ 2000 "The maximum number of stored events for definitions from files.")
(defconstant +text-characters+ 4000000 "The maximum total number of characters in all stored source texts. Beyond it, the oldest texts are
dropped.")
(defconstant +longest-text+ 200000 "The maximum length of a recorded text, in characters; a longer form is recorded without its text.")

(defstruct (definition-event (:conc-name event-) (:constructor make-event) (:copier nil) (:predicate nil))
  "A definition that was created, changed or removed. KEY is (facet . name), see states.lisp."
  (id 0) kind key package operation actor evaluation (time 0)
  file offset line                      ; the place of the form; only FILE is set if the file was loaded
  text read-package                     ; the top-level form, and the package in which it was read
  before                                ; the previous state of KEY
  (parts '())                           ; (key . previous state) of the other definitions that the same form created
  earlier                               ; id of the previous event for the same key
  (unchanged nil)                       ; true if the definition did not change, for example because a file was loaded again
  compiling                             ; true if compiling a file created the definition, which loading the file will repeat
  undoes                                ; id of the event that this event undid
  undone                                ; true once an undo removed the code that this event defined
  guarded                               ; true if guarded code created the definition; :REVIEWED once the person has reviewed it
  author                                ; the actor whose unreviewed code the definition contains, if an undo restored the code or the
                                        ; tracker did not see where the code came from; otherwise NIL
  code                                  ; digest of the guarded code, to which the person's review is bound; NIL if the code cannot be
                                        ; compared
  (authors '())                         ; authors of the code in the definition, for the guard
  name-text                             ; the printed name of KEY, stored if it cannot be printed later
  (text-cost 0))                        ; the number of characters of text that are freed when this event is dropped

(defstruct (ring (:copier nil) (:predicate nil)) events (next 0))

(sb-ext:defglobal *events-lock* (sb-thread:make-mutex :name "lisp-workbench definition events"))
(sb-ext:defglobal *own-ring* (make-ring :events (make-array +own-events+ :initial-element nil)))
(sb-ext:defglobal *file-ring* (make-ring :events (make-array +file-events+ :initial-element nil)))
(sb-ext:defglobal *event-count* 0)                              ; the id of the latest event
(sb-ext:defglobal *events-by-id* (make-hash-table))
(sb-ext:defglobal *latest-events* (make-hash-table :test #'equal)) ; key → event
(sb-ext:defglobal *all-text* 0)
(sb-ext:defglobal *inlined-changes* '()) ; events that changed code that the compiler copies into other code, latest first
(defconstant +inlined-changes+ 200 "The maximum number of stored *INLINED-CHANGES*.")
(sb-ext:defglobal *touched* (make-hash-table :test #'equal))    ; keys reported by events since the last sweep
(sb-ext:defglobal *untold* '())         ; events for the next `definition-events`, latest first
(sb-ext:defglobal *untold-count* 0)     ; the number of all unreported events, including those that are not in *UNTOLD*

(defconstant +most-told+ 500 "The maximum number of records in one `definition-events`.")

(defconstant +first-moment+ 1735689600000 "The start of 2025, in Unix milliseconds. Ids count from this moment to keep them small enough for
the wire.")

(defun begin-ids-anew ()
  "Skip to ids that were never used before. Called when a checkpoint continues as the live image."
  (sb-thread:with-mutex (*events-lock*)
    (setf *event-count* (max (1+ *event-count*) (* 1000 (- (unix-milliseconds) +first-moment+))))))

(defun find-event (id)
  "Return the event with ID; NIL if it is no longer stored."
  (sb-thread:with-mutex (*events-lock*) (gethash id *events-by-id*)))

(defun latest-event (key)
  "Return the event that created the current definition of KEY; NIL if it is unknown."
  (sb-thread:with-mutex (*events-lock*) (gethash key *latest-events*)))

(defun map-events (function)
  "Call FUNCTION with each stored event, latest first. FUNCTION may leave the loop early."
  (mapc function (sort (sb-thread:with-mutex (*events-lock*)
                         (loop for event being the hash-values of *events-by-id* collect event))
                       #'> :key #'event-id))
  nil)

(defun keep-event (event tell)
  "Assign an id to EVENT and store it. TELL is false if the event must only be counted, not sent on the wire."
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
  "Return true if EVENT replaced a definition that the compiler copies into the code that uses it."
  (let ((kinds (list (event-kind event) (first (event-before event)))))
    (and (event-before event)
         (not (event-unchanged event))
         (or (intersection kinds '(:macro :compiler-macro :type :constant :symbol-macro :setf-expander :structure))
             (getf (rest (event-before event)) :inlining)))))

(defun inlined-changes (evaluation)
  "Return EVALUATION's events that replaced definitions which the compiler copies into other code, oldest first."
  (reverse (remove-if (lambda (event) (or (event-unchanged event) (not (equal evaluation (event-evaluation event)))))
                      (sb-thread:with-mutex (*events-lock*) *inlined-changes*))))

(defun note-touched (key)
  "Record that an event has reported the change of KEY, so that the sweep does not report it again."
  (sb-thread:with-mutex (*events-lock*) (setf (gethash key *touched*) t)))

(defun forget-touched (key)
  (sb-thread:with-mutex (*events-lock*) (remhash key *touched*)))

(defun take-touched ()
  "Return the table of the keys that events reported since the last sweep, and start an empty one."
  (sb-thread:with-mutex (*events-lock*)
    (if (zerop (hash-table-count *touched*))
        *touched*
        (shiftf *touched* (make-hash-table :test #'equal)))))

(defun untold-packages ()
  "Return the sorted names of the packages of unreported events."
  (sort (remove-duplicates (remove nil (sb-thread:with-mutex (*events-lock*) (mapcar #'event-package *untold*)))
                           :test #'string=)
        #'string<))

(defun take-untold ()
  "Return two values: the unreported events, oldest first, and the number of further events that were only counted."
  (sb-thread:with-mutex (*events-lock*)
    (let ((events (reverse (shiftf *untold* '()))))
      (values events (- (shiftf *untold-count* 0) (length events))))))

(defun drop-variable-values ()
  "Drop the variable values from stored states, because they may be huge. Called after a garbage collection if more than 35 % of the heap is
in use. May run in any thread, even one that already holds the lock."
  (loop for event across (ring-events *own-ring*) do (drop-value event))
  (loop for event across (ring-events *file-ring*) do (drop-value event)))

(defun drop-value (event)
  (when event
    (let ((before (event-before event)))
      (when (member (first before) '(:variable :constant))
        (setf (event-before event) (list* (first before) :dropped t (rest before))
              (getf (rest (event-before event)) :value) nil)))))

(defun forget-events ()
  "Drop all events, as in a new image. Only tests call this."
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
  "Drop the oldest event in the ring of evaluated code, the ring whose events have texts. Return true if there was such an event."
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
