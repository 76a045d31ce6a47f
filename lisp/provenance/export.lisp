;;;; The look-up `export-definitions`: writes the evaluated definitions to a Lisp file that recreates them when it is loaded.

(in-package #:lisp-workbench/provenance)

(defconstant +most-missing+ 500)

(defstruct (exported (:copier nil) (:predicate nil))
  "A form in the exported file. PLACE determines its position: a redefinition is written at the position of the first definition of its
name."
  text package (place 0) (id 0) (events '()))

(define-operation "export-definitions" (:looking-up request)
  (sweep-pending)
  (let ((events (wanted-events request)))
    (multiple-value-bind (kept missing) (surviving-events events)
      (let ((forms (exported-forms kept events)))
        (object "text" (file-of-forms forms missing)
                "forms" (length forms)
                "missing" (array-of (mapcar #'event-name (subseq missing 0 (min +most-missing+ (length missing))))))))))

(defun wanted-events (request)
  "Return the events to export, oldest first."
  (let ((package (field request "package")) (actors (field request "actors")) (evaluations (field request "evaluations"))
        (wanted '()))
    (map-events (lambda (event)
                  (when (and (or (null package) (equalp package (event-package event)))
                             (or (null actors) (find (event-actor event) actors :test #'equal))
                             (or (null evaluations) (find (event-evaluation event) evaluations :test #'equal)))
                    (push event wanted))))
    wanted))

;;; Events whose definitions still exist

(defun surviving-events (events)
  "Return two values: a list of (place . event) for the surviving events that have a text, oldest first, and a list of the surviving events
without a text."
  (let ((survivors (make-hash-table :test #'equal)))
    (dolist (event events)
      (if (string= "removed" (event-operation event))
          (remove-survivors event survivors)
          (add-survivor event survivors)))
    (let ((kept '()) (missing '()))
      (loop for entries being the hash-values of survivors
            do (dolist (entry entries)
                 (if (event-text (cdr entry)) (push entry kept) (push (cdr entry) missing))))
      (values kept (sort missing #'< :key #'event-id)))))

(defun add-survivor (event survivors)
  "Add EVENT to SURVIVORS in place of the earlier event with the same key. Keep the earlier event too if EVENT is a DEFVAR of a variable
that already had a value, because such a DEFVAR changes nothing."
  (let* ((key (event-key event))
         (entries (gethash key survivors))
         (entry (cons (if entries (car (first (last entries))) (event-id event)) event)))
    (setf (gethash key survivors)
          (if (and entries (keeps-value-p event)) (cons entry entries) (list entry)))))

(defun keeps-value-p (event)
  (let ((text (event-text event)))
    (and text (eq (car (event-key event)) :variable)
         (state-fact (event-before event) :bound)
         (equal "DEFVAR" (operator-name (first (read-nodes text :count 1)))))))

(defun remove-survivors (event survivors)
  "Remove from SURVIVORS the definitions that EVENT removed. The removal of a generic function includes its methods; the removal of a
package or a symbol includes all definitions with its names."
  (let* ((key (event-key event)) (name (cdr key)))
    (remhash key survivors)
    (loop for other being the hash-keys of survivors using (hash-value entries)
          when (case (car key)
                 (:function (and (eq (car other) :method) (equal name (second other))))
                 (:package (equal name (event-package (cdr (first entries)))))
                 (:symbol (eq name (key-symbol other))))
            do (remhash other survivors))))

(defun exported-forms (kept events)
  "Return the forms to export in order, one for each text. A form with several definitions precedes forms that redefine some of them."
  (let ((forms (make-hash-table :test #'eq)))
    (loop for (place . event) in kept
          for text = (event-text event)
          for form = (or (gethash text forms)
                         (setf (gethash text forms)
                               (make-exported :text text :package (event-read-package event) :place place :id (event-id event))))
          do (setf (exported-place form) (min place (exported-place form))
                   (exported-id form) (min (event-id event) (exported-id form)))
             (push event (exported-events form)))
    (dolist (event events)
      (let ((form (gethash (event-text event) forms)))
        (when form
          (setf (exported-place form) (min (event-id event) (exported-place form))
                (exported-id form) (min (event-id event) (exported-id form))))))
    (sort (loop for form being the hash-values of forms collect form)
          (lambda (one other)
            (if (= (exported-place one) (exported-place other))
                (< (exported-id one) (exported-id other))
                (< (exported-place one) (exported-place other)))))))

;;; The text

(defun file-of-forms (forms missing)
  (let ((package nil) (defined '()))
    (with-output-to-string (stream)
      (dolist (form forms)
        (unless (equal package (exported-package form))
          (setf package (exported-package form))
          (write-package package defined stream)
          (push package defined))
        (dolist (event (sort (exported-events form) #'< :key #'event-id))
          (when (eq :package (car (event-key event))) (push (cdr (event-key event)) defined))
          (format stream ";; ~A~%" (event-line-text event)))
        (format stream "~A~2%" (exported-text form)))
      (when missing
        (format stream ";; Without source text:~%~{;; ~A~%~}"
                (mapcar #'event-line-text (subseq missing 0 (min +most-missing+ (length missing)))))))))

(defun write-package (name defined stream)
  "Write an IN-PACKAGE form for the package NAME that can be read in any package. If no earlier form in the file defines the package, also
write a form that creates the package if it does not exist."
  (let ((package (find-package name)))
    (when (and package (not (member name defined :test #'equal)) (member package (user-packages))
               (not (equal name "COMMON-LISP-USER")))
      (format stream "(cl:unless (cl:find-package ~S)~%  (cl:make-package ~:*~S :use '(~{~S~^ ~})))~%"
              name (mapcar #'package-name (package-use-list package)))))
  (format stream "(cl:in-package ~S)~2%" name))

(defun event-line-text (event)
  "Return a line about EVENT, for example: function AREA: person, 2024-05-01 12:00:00 UTC, evaluation 12"
  (substitute #\Space #\Newline
              (format nil "~A ~A: ~A, ~A~@[, evaluation ~A~]~@[, ~A~]"
                      (string-downcase (event-kind event)) (event-name event) (or (event-actor event) "nobody")
                      (time-text (event-time event)) (event-evaluation event) (event-file event))))

(defconstant +unix-epoch+ 2208988800 "The universal time, in seconds, at which Unix time starts.")

(defun time-text (milliseconds)
  (multiple-value-bind (second minute hour day month year)
      (decode-universal-time (+ +unix-epoch+ (floor milliseconds 1000)) 0)
    (format nil "~4,'0D-~2,'0D-~2,'0D ~2,'0D:~2,'0D:~2,'0D UTC" year month day hour minute second)))
