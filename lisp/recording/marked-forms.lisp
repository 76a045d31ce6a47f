;;;; The marked forms that the image has, and what was recorded of each: a bounded ring of its latest evaluations, and the number of all.

(in-package #:lisp-workbench/recording)

(defconstant +most-kept+ 1000 "The evaluations of one form that are kept; older ones are only counted.")

(defstruct (marked-form (:conc-name form-) (:copier nil) (:predicate nil))
  "A form that is recorded. ID is the other end's name for it. KEYS are those of the definitions that its text makes, see states.lisp."
  (id "" :type string)
  (lock (sb-thread:make-mutex :name "lisp-workbench recording"))
  (ring (make-array +most-kept+ :initial-element nil) :type simple-vector)
  (count 0 :type (unsigned-byte 62))
  (keys '())
  (live t))                             ; false when it is forgotten: what is compiled with it records no more

(defstruct (recorded (:copier nil) (:predicate nil)
                     (:constructor make-recorded (order seconds microseconds thread thread-id actor kind objects)))
  "One evaluation of a marked form. ORDER counts over all forms. KIND is :VALUES, :CONDITION (OBJECTS is a list of the condition that left the form) or
:EXIT for any other way out of it. SECONDS since 1970, and MICROSECONDS within the last one, tell when it ended."
  (order 0 :type (unsigned-byte 62))
  (seconds 0 :type (unsigned-byte 62))
  (microseconds 0 :type (unsigned-byte 62))
  thread thread-id actor kind objects)

(defstruct (tally (:copier nil) (:predicate nil)) (latest 0 :type sb-ext:word))

(sb-ext:defglobal *tally* (make-tally)) ; the order of the latest evaluation that was recorded
(sb-ext:defglobal *marked-forms* (make-hash-table :test #'equal :synchronized t)) ; id → marked form
(sb-ext:defglobal *untold* nil)         ; true when something was recorded that the other end was not told of
(sb-ext:defglobal *told-at* 0)          ; when it was told last, in internal time units

(defun find-form (id)
  (gethash id *marked-forms*))

(defun all-forms ()
  (sb-ext:with-locked-hash-table (*marked-forms*)
    (loop for form being the hash-values of *marked-forms* collect form)))

(defun forms-marked-p ()
  (plusp (hash-table-count *marked-forms*)))

(declaim (inline note-evaluation))
(defun note-evaluation (form kind objects)
  "Record that FORM was evaluated. This runs each time, so nothing is printed, and what it allocates is bounded."
  (let ((evaluation *evaluation*) (thread sb-thread:*current-thread*))
    (multiple-value-bind (seconds microseconds) (sb-ext:get-time-of-day)
      (let ((recorded (make-recorded 0 seconds microseconds (sb-thread:thread-name thread) (sb-thread:thread-os-tid thread)
                                     (and evaluation (evaluation-actor evaluation)) kind objects)))
        (without-interrupts
          (sb-thread:with-mutex ((form-lock form))
            (setf (recorded-order recorded) (1+ (sb-ext:atomic-incf (tally-latest *tally*)))
                  (svref (form-ring form) (mod (form-count form) +most-kept+)) recorded)
            (incf (form-count form))))))
    (unless *untold*
      (setf *untold* t)
      (keep-clock-awake))))

(defun kept-evaluations (form)
  "Return what is kept of FORM, the latest first."
  (sb-thread:with-mutex ((form-lock form))
    (loop with count = (form-count form)
          for index from (1- count) downto (max 0 (- count +most-kept+))
          for recorded = (svref (form-ring form) (mod index +most-kept+))
          when recorded collect recorded)))

(defun forget-objects ()
  "Let go of all that was recorded but the counts. Called when memory runs short, perhaps while a form's lock is held; that one keeps its own."
  (dolist (form (all-forms))
    (when (sb-thread:grab-mutex (form-lock form) :waitp nil)
      (unwind-protect (fill (form-ring form) nil)
        (sb-thread:release-mutex (form-lock form))))))

;;; Marks that end

(defun forget-forms (ids)
  "Forget the marked forms of these IDS with all that was recorded. Code that is compiled with them goes on, unheard."
  (dolist (id ids)
    (let ((form (find-form id)))
      (when form
        (setf (form-live form) nil)
        (sb-thread:with-mutex ((form-lock form)) (fill (form-ring form) nil))
        (remhash id *marked-forms*)))))

(defvar *marking* '() "The marked forms with which a text is compiled and loaded in this thread.")

(defun note-defined (key)
  "Take the marks off a definition that was made anew without them. Called when KEY was defined, changed or removed."
  (dolist (form *marking*)
    (unless (and (form-keys form) (eq (car key) :form)) (pushnew key (form-keys form) :test #'equal)))
  (when (forms-marked-p)
    (let ((gone (loop for form in (all-forms)
                      when (and (not (member form *marking*)) (member key (form-keys form) :test #'equal))
                        collect (form-id form))))
      (when gone
        (forget-forms gone)
        (send-event "recordings-ended" "forms" (array-of gone))))))

(defun note-form (defined)
  "Call NOTE-DEFINED with the name of a top-level form of a text that was run; DEFINED, an object of the wire, tells what it defines. Such a name stands for what the
tracker does not know alone, such as a test: it does not tell a method from another."
  (when (and (field defined "defines") (field defined "name"))
    (note-defined (list :form (field defined "package") (field defined "defines") (field defined "name")))))

;;; Telling that there is something new

(defconstant +pause+ 1/2 "The shortest time between two events, in seconds.")

(defun tell-recorded ()
  "Tell how often the forms were evaluated, where that has changed. Called by the clock."
  (when (and *untold* (>= (- (get-internal-real-time) *told-at*) (* +pause+ internal-time-units-per-second)))
    (tell-counts)))

(defun finish-recorded (evaluation)
  "Tell what is untold before the reply of EVALUATION, and end the marks of what its forms have made anew."
  (when (forms-marked-p) (mapc #'note-form (evaluation-forms evaluation)))
  (when *untold* (tell-counts)))

(defun tell-counts ()
  (setf *untold* nil
        *told-at* (get-internal-real-time))
  (send-event "values-recorded"
              "forms" (array-of (loop for form in (all-forms)
                                      when (plusp (form-count form))
                                        collect (object "form" (form-id form) "count" (form-count form))))))
