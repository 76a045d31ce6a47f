;;;; The condition by which the code learns of a denial.

(in-package #:lisp-workbench/effects)

(define-condition effect-denied (error)
  ((operator :initarg :operator :reader denied-operator)
   (target :initarg :target :reader denied-target)
   (reason :initarg :reason :reader denied-reason))
  (:report (lambda (condition stream)
             ;; An agent reads what an evaluation is answered; a person reads what a look-up is, such as an expansion.
             (format stream "Denied: ~A ~A. ~A.~:[~; Do not try another way.~]"
                     (denied-operator condition) (shown-target (denied-target condition))
                     (string-right-trim ". " (denied-reason condition))
                     *evaluation*)))
  (:documentation "An effect outside the image that was not allowed."))

(defun shown-target (target)
  "Return TARGET, with its middle left out when it is longer than 1,000 characters, so that the text after it in a report is seen."
  (let ((length (length target)))
    (if (<= length 1000)
        target
        (format nil "~A … ~:D characters … ~A"
                (subseq target 0 600) (- length 900) (subseq target (- length 300))))))

(define-condition file-effect-denied (effect-denied file-error) ()
  (:documentation "A denial where a file is concerned. In reports it goes by the name of EFFECT-DENIED."))

(setf *condition-families* '(effect-denied))
