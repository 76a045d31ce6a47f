;;;; The marked forms of the image. For each form, the image stores the number of all its evaluations and a bounded list of the latest ones.

(in-package #:lisp-workbench/recording)

(defconstant +most-kept+ 1000 "The number of recorded evaluations per form; earlier ones are only counted.")

(defstruct (marked-form (:conc-name form-) (:copier nil) (:predicate nil))
  "A form whose evaluations are recorded. ID identifies it in the core. KEYS are the keys of the definitions that the form's text creates;
see states.lisp."
  (id "" :type string)
  (lock (sb-thread:make-mutex :name "lisp-workbench recording"))
  (ring (make-array +most-kept+ :initial-element nil) :type simple-vector)
  (count 0 :type (unsigned-byte 62))
  (keys '())
  (live t))                             ; false once the form is forgotten; code compiled with it then no longer records

(defstruct (recorded (:copier nil) (:predicate nil)
                     (:constructor make-recorded (order seconds microseconds thread thread-id actor kind objects)))
  "One evaluation of a marked form. ORDER is its number among the evaluations of all forms. KIND is :VALUES, :CONDITION (OBJECTS is then a
list of the condition that left the form) or :EXIT for any other exit. SECONDS since 1970, and MICROSECONDS within the last second, are the
time at which the evaluation ended."
  (order 0 :type (unsigned-byte 62))
  (seconds 0 :type (unsigned-byte 62))
  (microseconds 0 :type (unsigned-byte 62))
  thread thread-id actor kind objects)

(defstruct (tally (:copier nil) (:predicate nil)) (latest 0 :type sb-ext:word))

(sb-ext:defglobal *tally* (make-tally)) ; the value of ORDER for the latest recorded evaluation
(sb-ext:defglobal *marked-forms* (make-hash-table :test #'equal :synchronized t)) ; id → marked form
(sb-ext:defglobal *untold* nil)         ; true if there are recordings that were not reported to the core
(sb-ext:defglobal *told-at* 0)          ; time of the latest report, in internal time units

(defun find-form (id)
  (gethash id *marked-forms*))

(defun all-forms ()
  (sb-ext:with-locked-hash-table (*marked-forms*)
    (loop for form being the hash-values of *marked-forms* collect form)))

(defun forms-marked-p ()
  (plusp (hash-table-count *marked-forms*)))

(declaim (inline note-evaluation))
(defun note-evaluation (form kind objects)
  "Record that FORM was evaluated. This runs in each evaluation of the form, so it prints nothing and allocates little memory."
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
  "Return the recorded evaluations of FORM, latest first."
  (sb-thread:with-mutex ((form-lock form))
    (loop with count = (form-count form)
          for index from (1- count) downto (max 0 (- count +most-kept+))
          for recorded = (svref (form-ring form) (mod index +most-kept+))
          when recorded collect recorded)))

(defun forget-objects ()
  "Discard all recordings but keep the counts. Called when memory runs short, perhaps while a form's lock is taken; that form then keeps its
recordings."
  (dolist (form (all-forms))
    (when (sb-thread:grab-mutex (form-lock form) :waitp nil)
      (unwind-protect (fill (form-ring form) nil)
        (sb-thread:release-mutex (form-lock form))))))

;;; Removing marks

(defun forget-forms (ids)
  "Forget the marked forms with these IDS and all their recordings. Code that was compiled with them continues to run without recording."
  (dolist (id ids)
    (let ((form (find-form id)))
      (when form
        (setf (form-live form) nil)
        (sb-thread:with-mutex ((form-lock form)) (fill (form-ring form) nil))
        (remhash id *marked-forms*)))))

(defvar *marking* '() "The marked forms of the text that is being compiled and loaded in this thread.")

(defun note-defined (key)
  "Remove the marks from a definition that was recreated without them. Called when the definition of KEY was created, changed or removed."
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
  "Call NOTE-DEFINED for a top-level form that has run. DEFINED describes its definition in the wire form. The key contains only the name,
which does not distinguish methods, so it serves only for definitions that the tracker does not know, such as tests."
  (when (and (field defined "defines") (field defined "name"))
    (note-defined (list :form (field defined "package") (field defined "defines") (field defined "name")))))

;;; Reporting new recordings

(defconstant +pause+ 1/2 "The minimum time, in seconds, between two events about recordings.")

(defun tell-recorded ()
  "Report the forms' evaluation counts if they have changed. Called by the clock."
  (when (and *untold* (>= (- (get-internal-real-time) *told-at*) (* +pause+ internal-time-units-per-second)))
    (tell-counts)))

(defun finish-recorded (evaluation)
  "Report new recordings before the reply of EVALUATION, and remove the marks from definitions that its forms recreated."
  (when (forms-marked-p) (mapc #'note-form (evaluation-forms evaluation)))
  (when *untold* (tell-counts)))

(defun tell-counts ()
  (setf *untold* nil
        *told-at* (get-internal-real-time))
  (send-event "values-recorded"
              "forms" (array-of (loop for form in (all-forms)
                                      when (plusp (form-count form))
                                        collect (object "form" (form-id form) "count" (form-count form))))))
