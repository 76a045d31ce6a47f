;;;; Definition events: what was defined, by whom, and what was there before. The latest ones are kept, so that any of them
;;;; can be told and undone. What files brought has a ring of its own: a big system must not push out what people did.

(in-package #:lisp-workbench/definitions)

(defconstant +own-events+ 3000 "Kept of what was evaluated.")
(defconstant +file-events+ 2000 "Kept of what came from files.")
(defconstant +text-characters+ 4000000 "All source texts together; with more the oldest are forgotten.")
(defconstant +longest-text+ 200000 "Characters; a longer form is recorded without its text.")

(defstruct (definition-event (:conc-name event-) (:constructor make-event) (:copier nil) (:predicate nil))
  "KEY is (facet . name), see states.lisp."
  (id 0) kind key package operation actor evaluation (time 0)
  file offset line                      ; of the form, or of the file alone
  text read-package                     ; the top-level form, and the package in which it was read
  before                                ; state of KEY before it
  (parts '())                           ; (key . state before) of what the same form defined along with it
  earlier                               ; id of the event before it for the same key
  undoes                                ; id of the event that this one undid
  name-text                             ; where the name cannot be printed any more later
  (text-cost 0))                        ; characters that go when it goes

(defstruct (ring (:copier nil) (:predicate nil)) events (next 0))

(sb-ext:defglobal *events-lock* (sb-thread:make-mutex :name "lisp-workbench definition events"))
(sb-ext:defglobal *own-ring* (make-ring :events (make-array +own-events+ :initial-element nil)))
(sb-ext:defglobal *file-ring* (make-ring :events (make-array +file-events+ :initial-element nil)))
(sb-ext:defglobal *event-count* 0)                              ; also the latest id
(sb-ext:defglobal *events-by-id* (make-hash-table))
(sb-ext:defglobal *latest-events* (make-hash-table :test #'equal)) ; key → event
(sb-ext:defglobal *all-text* 0)
(sb-ext:defglobal *touched* (make-hash-table :test #'equal))    ; keys that events told since the last sweep
(sb-ext:defglobal *untold* '())         ; events for the next `definition-events`, latest first
(sb-ext:defglobal *untold-count* 0)     ; with those that are not in the list

(defconstant +most-told+ 500 "Records in one `definition-events`.")

(defun find-event (id)
  "The event, NIL when it is too long ago."
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
            (event-earlier event) (and earlier (event-id earlier))
            (gethash (event-id event) *events-by-id*) event
            (gethash key *latest-events*) event
            (gethash key *touched*) t)
      (put-into-ring event (if (and (event-file event) (null (event-text event))) *file-ring* *own-ring*))
      (incf *all-text* (event-text-cost event))
      (loop while (and (> *all-text* +text-characters+) (drop-oldest)))
      (incf *untold-count*)
      (when (and tell (<= *untold-count* +most-told+)) (push event *untold*))))
  event)

(defun note-touched (key)
  "The sweep need not tell the change of KEY."
  (sb-thread:with-mutex (*events-lock*) (setf (gethash key *touched*) t)))

(defun forget-touched (key)
  (sb-thread:with-mutex (*events-lock*) (remhash key *touched*)))

(defun take-touched ()
  "What events told since the last sweep."
  (sb-thread:with-mutex (*events-lock*)
    (if (zerop (hash-table-count *touched*))
        *touched*
        (shiftf *touched* (make-hash-table :test #'equal)))))

(defun take-untold ()
  "Events that nobody was told yet, oldest first, and how many more there were."
  (sb-thread:with-mutex (*events-lock*)
    (let ((events (reverse (shiftf *untold* '()))))
      (values events (- (shiftf *untold-count* 0) (length events))))))

(defun drop-variable-values ()
  "Called when the heap is nearly full, in any thread and perhaps with the lock held: values may be huge."
  (loop for event across (ring-events *own-ring*) do (drop-value event))
  (loop for event across (ring-events *file-ring*) do (drop-value event)))

(defun drop-value (event)
  (when event
    (let ((before (event-before event)))
      (when (member (first before) '(:variable :constant))
        (setf (event-before event) (list* (first before) :dropped t (rest before))
              (getf (rest (event-before event)) :value) nil)))))

(defun forget-events ()
  "For tests: as in an image that just started."
  (sb-thread:with-mutex (*events-lock*)
    (mapc #'clrhash (list *events-by-id* *latest-events* *touched*))
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
  "True when there was one in the ring of those with a text."
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
