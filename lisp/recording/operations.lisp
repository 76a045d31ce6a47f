;;;; The operations on recordings. A recorded object is printed on request, in its current state.

(in-package #:lisp-workbench/recording)

(defconstant +value-text+ 200 "The maximum length of a value's text, in characters.")
(defconstant +most-values+ 20 "The maximum number of values that are reported for one evaluation.")
(defconstant +printing-time+ 2 "The number of seconds after which a reply stops printing objects and only names the classes of the remaining
ones.")

;; Returns the number of evaluations of each marked form, and its latest evaluation.
(define-operation "recordings" (:looking-up request)
  (let ((until (printing-end)) (package (request-package request)))
    (object "forms" (array-of (loop for form in (all-forms)
                                    collect (object "form" (form-id form)
                                                    "count" (form-count form)
                                                    "latest" (let ((latest (first (kept-evaluations form))))
                                                               (and latest (recorded-object form latest until package)))))))))

;; Returns the latest evaluations of all marked forms, latest first. If the request names an evaluation, returns only those before it.
(define-operation "recorded-evaluations" (:looking-up request)
  (let ((before (field request "before")) (limit (field request "limit")) (until (printing-end)) (all '()))
    (dolist (form (all-forms))
      (dolist (recorded (kept-evaluations form)) (push (cons form recorded) all)))
    (let ((sorted (sort (if before (delete-if (lambda (order) (>= order before)) all :key #'order-of) all) #'> :key #'order-of))
          (package (request-package request)))
      (object "evaluations" (array-of (loop for (form . recorded) in sorted
                                            repeat limit
                                            collect (recorded-object form recorded until package)))
              "kept" (length all)
              "count" (reduce #'+ (all-forms) :key #'form-count)))))

;; Returns a handle of a recorded value or condition, or NIL if it is no longer stored.
(define-operation "hold-recorded" (:looking-up request)
  (let* ((form (find-form (field request "form")))
         (recorded (and form (find (field request "order") (kept-evaluations form) :key #'recorded-order)))
         (index (field request "index")))
    (object "handle" (and recorded
                          (< -1 index (length (recorded-objects recorded)))
                          (hold (nth index (recorded-objects recorded)) (field request "holder"))))))

(define-operation "forget-recordings" (:looking-up request)
  (forget-forms (coerce (field request "forms") 'list))
  (object))

(defun order-of (pair)
  (recorded-order (cdr pair)))

(defun request-package (request)
  (or (and (field request "package") (designated-package (field request "package")))
      (find-package '#:common-lisp-user)))

(defun printing-end ()
  (+ (get-internal-real-time) (* +printing-time+ internal-time-units-per-second)))

(defun recorded-object (form recorded until package)
  (let ((*package* package) (objects (recorded-objects recorded)))
    (object "form" (form-id form)
            "order" (recorded-order recorded)
            "at" (+ (* 1000 (recorded-seconds recorded)) (floor (recorded-microseconds recorded) 1000))
            "thread" (let ((name (recorded-thread recorded))) (if (stringp name) name "unnamed thread"))
            "threadId" (recorded-thread-id recorded)
            "actor" (recorded-actor recorded)
            "kind" (string-downcase (recorded-kind recorded))
            "values" (array-of (loop for value in objects
                                     repeat +most-values+
                                     collect (shown-text value (recorded-kind recorded) until)))
            "more" (max 0 (- (length objects) +most-values+)))))

(defun shown-text (value kind until)
  "Return VALUE as text on one line. For a condition, include its report."
  (cond ((> (get-internal-real-time) until)
         (format nil "#<~A, not printed because others took too long>" (class-text value)))
        ((eq kind :condition)
         (format nil "~A: ~A" (class-text value) (substitute #\Space #\Newline (print-report value +value-text+))))
        (t (print-short value +value-text+))))

(defun class-text (object)
  (print-short (class-name (class-of object)) +value-text+))
