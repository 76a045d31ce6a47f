;;;; The operation `undo-definitions`: restores the state before an event. An undo is also an event, so it can be undone.

(in-package #:lisp-workbench/provenance)

(defconstant +most-undone+ 500 "The maximum number of events in one request.")

(define-run "undo-definitions" (evaluation request)
  (sweep-pending)
  (let* ((wanted (events-to-undo request))
         (events (subseq wanted 0 (min +most-undone+ (length wanted))))
         (dry (field request "dry")))
    (object "undone" (array-of (mapcar (lambda (event) (if (integerp event) (forgotten event) (undo-one event dry))) events))
            "more" (- (length wanted) (length events)))))

(defun events-to-undo (request)
  "Return the events to undo, newest first. An event that is no longer recorded is represented by its id."
  (let ((ids (field request "events")) (evaluation (field request "of")))
    (if ids
        (mapcar (lambda (id) (or (find-event id) id))
                (sort (remove-duplicates (coerce ids 'list)) #'>))
        (let ((events '()))
          (map-events (lambda (event)
                        (when (and evaluation (equal evaluation (event-evaluation event))) (push event events))))
          (nreverse events)))))

(defun forgotten (id)
  (undo-object nil id :impossible :why "The definition before it is no longer recorded."))

(defun undo-one (event dry)
  "Undo EVENT; if DRY, only report what the undo would do. Return a record of the undo. A failure is also returned in the record, so that
other undos continue."
  (destructuring-bind (label &key why callers instances) (undo-label event)
    (let ((since (changed-since event)))
      (flet ((answer (done message new)
               (undo-object event (event-id event) label :why why :callers callers :instances instances :since since
                                                         :done done :message message :new new)))
        (if (or dry (eq label :impossible) (event-unchanged event))
            (answer nil (and (event-unchanged event) "This change had no effect: the definition was the same before.") nil)
            (handler-case
                (let* ((new (undo-event event)) (left (recompile callers)))
                  (answer t (and left (format nil "Still compiled with the undone definition: ~{~A~^, ~}." left)) new))
              (error (condition)
                (answer nil (print-report condition 1000) nil))))))))

(defun undo-object (event id label &key why callers instances since done message new)
  (object "id" id
          "name" (and event (event-name event))
          "kind" (and event (string-downcase (event-kind event)))
          "package" (and event (event-package event))
          "label" (string-downcase label)
          "why" why
          "callers" (array-of (mapcar (lambda (caller) (print-short caller 200)) callers))
          "instances" instances
          "changedSince" since
          "done" (json-boolean done)
          "message" message
          "event" (and new (event-id new))))

(defun changed-since (event)
  "Return the latest event after EVENT that changed the same name, or NIL."
  (let ((latest (latest-event (event-key event))))
    (and latest (> (event-id latest) (event-id event))
         (object "event" (event-id latest) "actor" (event-actor latest)))))

;;; Undoing

(defmacro with-package-unlocked ((name) &body body)
  `(call-with-package-unlocked ,name (lambda () ,@body)))

(defun undo-event (event)
  "Restore the state before EVENT, and return the new event that records the undo."
  (let* ((key (event-key event))
         (before (event-before event))
         (current (capture key))
         (earlier (and (event-earlier event) (find-event (event-earlier event))))
         (taken (latest-event key))
         (restored nil)
         (parts (loop for (part) in (event-parts event) collect (cons part (capture part)))))
    (without-recording
      (with-package-unlocked ((and (not (eq :package (car key))) (event-package event)))
        (setf restored
              (make-restored :earlier (and before earlier)
                             :authors (let ((*form-authors* '()))
                                        (if (by-text-p event)
                                            (call-as-made earlier (lambda () (evaluate-again earlier)))
                                            (restore key before))
                                        *form-authors*)))
        (when (or (null before) (eq :method (car key)))
          (dolist (part (event-parts event))
            (restore-part (car part) (cdr part))))))
    (case (car key)                     ; otherwise the next sweep would report these methods as changed
      (:method (note-touched (cons :methods (second key))))
      (:function (note-touched (cons :methods (cdr key))))
      (:proclamation (note-facets-touched key)))
    (close-authors event)
    ;; The definition may have changed since EVENT, possibly several times.
    (map-events (lambda (each)
                  (when (or (eq each taken)
                            (and (> (event-id each) (event-id event)) (equal key (event-key each)) (null (event-undoes each))))
                    (close-authors each))))
    (record-event key current :parts parts :undoes (event-id event) :like (or earlier (nowhere event))
                              :name-text (event-name-text event) :restored restored)))

(defun call-with-package-unlocked (name function)
  "Call FUNCTION while the package NAME is unlocked. This is needed to restore a definition that was changed after code unlocked the
package."
  (let ((package (and name (find-package name))))
    (if (and package (sb-ext:package-locked-p package))
        (unwind-protect (progn (sb-ext:unlock-package package) (funcall function))
          (sb-ext:lock-package package))
        (funcall function))))

(defun nowhere (event)
  "Return an event without a place or a text. It represents the state in which EVENT's key has no definition."
  (make-event :key (event-key event)))

(defun restore-part (key state)
  "Restore KEY to STATE. Do not remove a generic function that has since received methods from other definitions."
  (let ((now (capture key)))
    (unless (and (null state)
                 (or (null now)
                     (and (eq :generic-function (state-kind now)) (state-fact now :methods))))
      (restore key state)
      (note-touched key))))

(defun by-text-p (event)
  "Return true if the state before EVENT can be restored only by evaluating its text, as for a structure or a condition."
  (and (event-before event)
       (member (state-kind (event-before event)) '(:structure :condition))))

(defun evaluate-again (event)
  "Evaluate the text of EVENT in its package. If the slots of a structure differ, use those in the text."
  (let ((*package* (or (find-package (event-read-package event)) *package*))
        (*readtable* (copy-readtable nil)))
    (handler-bind ((warning #'muffle-warning)
                   (error (lambda (condition)
                            (declare (ignore condition))
                            (let ((restart (find-restart 'continue)))
                              (when restart (invoke-restart restart))))))
      (with-input-from-string (stream (event-text event))
        (loop for form = (read stream nil stream)
              until (eq form stream)
              do (eval form))))))

(defun recompile (callers)
  "Evaluate the definitions of CALLERS again if their texts are known. Return text that lists the other callers."
  (loop for caller in callers
        unless (evaluated-again-p (latest-event (cons :function caller)))
          collect (print-short caller 200)))

(defun evaluated-again-p (event)
  (and event (event-text event)
       (handler-case (let ((*form-text* (cons (event-text event) (event-read-package event))))
                       (call-as-made event (lambda () (evaluate-again event)))
                       t)
         (error () nil))))
