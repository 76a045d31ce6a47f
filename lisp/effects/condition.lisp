;;;; The condition that is signalled to code whose effect was denied.

(in-package #:lisp-workbench/effects)

(define-condition effect-denied (error)
  ((operator :initarg :operator :reader denied-operator)
   (target :initarg :target :reader denied-target)
   (reason :initarg :reason :reader denied-reason))
  (:report (lambda (condition stream)
             ;; An agent reads an evaluation's reply; a person reads a look-up's reply, such as an expansion.
             (format stream "Denied: ~A ~A. ~A.~:[~; Do not try another way.~]"
                     (denied-operator condition) (shown-target (denied-target condition))
                     (string-right-trim ". " (denied-reason condition))
                     *evaluation*)))
  (:documentation "Signaled when an effect outside the image is denied."))

(defun shown-target (target)
  "Return TARGET. If it is longer than 1,000 characters, leave out its middle, so that the rest of a report stays visible."
  (let ((length (length target)))
    (if (<= length 1000)
        target
        (format nil "~A … ~:D characters … ~A"
                (subseq target 0 600) (- length 900) (subseq target (- length 300))))))

(define-condition file-effect-denied (effect-denied file-error) ()
  (:documentation "A denial of an effect on a file. In reports it appears as EFFECT-DENIED."))

(setf *condition-families* '(effect-denied))
