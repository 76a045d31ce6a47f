;;;; The operations on what was recorded. Objects are printed when somebody looks, as they are then.

(in-package #:lisp-workbench/recording)

(defconstant +value-text+ 200 "The longest text of a value, in characters.")
(defconstant +most-values+ 20 "The most values of one evaluation that are told.")
(defconstant +printing-time+ 2 "Seconds after which further objects of an answer are only named by their class.")

;; How often each marked form was evaluated, and its latest evaluation.
(define-operation "recordings" (:looking-up request)
  (let ((until (printing-end)) (package (request-package request)))
    (object "forms" (array-of (loop for form in (all-forms)
                                    collect (object "form" (form-id form)
                                                    "count" (form-count form)
                                                    "latest" (let ((latest (first (kept-evaluations form))))
                                                               (and latest (recorded-object form latest until package)))))))))

;; The latest evaluations of all marked forms in their order, or those before one; the latest first.
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

;; A handle of one recorded value, or of the condition; NIL when it is not kept any more.
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
  "Return VALUE on one line; a condition with its report."
  (cond ((> (get-internal-real-time) until)
         (format nil "#<~A, not printed since others took too long>" (class-text value)))
        ((eq kind :condition)
         (format nil "~A: ~A" (class-text value) (substitute #\Space #\Newline (print-report value +value-text+))))
        (t (print-short value +value-text+))))

(defun class-text (object)
  (print-short (class-name (class-of object)) +value-text+))
