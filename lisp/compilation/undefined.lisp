;;;; The undefined names at the end of a compilation unit. The compiler stores only one place for each file and name; this code finds the
;;;; other calls in the text that was read.

(in-package #:lisp-workbench/compilation)

(defun note-undefined (original abort-p)
  "Advice on the function that summarizes a compilation unit. Record the undefined names with their places. Ignore the function's own
warnings, because they report the same names."
  (let ((compilation *compilation*))
    (if (null compilation)
        (funcall original abort-p)
        (progn
          (ignore-errors
           (dolist (warning (reverse *undefined-warnings*))
             (unless (defined-by-now-p (undefined-warning-name warning) (undefined-warning-kind warning))
               (note-undefined-name (undefined-warning-name warning) (undefined-warning-kind warning)
                                    (reverse (undefined-warning-warnings warning))))))
          (setf (compilation-summarizing compilation) t)
          (unwind-protect
               (if (compilation-text-file compilation)
                   (let ((*error-output* (make-broadcast-stream))) (funcall original abort-p))
                   (funcall original abort-p))
            (setf (compilation-summarizing compilation) nil))))))

(defun defined-by-now-p (name kind)
  (and (eq kind :function) (ignore-errors (fboundp name))))

(defun note-undefined-name (name kind contexts)
  (multiple-value-bind (severity type)
      (if (eq kind :variable) (values "warning" "WARNING") (values "style-warning" "STYLE-WARNING"))
    (let ((message (format nil "undefined ~(~A~): ~A" kind (bare-name name)))
          (placed '()))
      (flet ((note (reading place label)
               (let ((place (and place (narrow reading place (list (if (consp name) (second-of name) name))))))
                 (unless (and place (member (cons reading place) placed :test #'equalp-place))
                   (push (cons reading place) placed)
                   (add-diagnostic severity type message reading (car place) (cdr place) label)))))
        (dolist (context contexts)
          (unless (unwanted-p *compilation* (compiler-error-context-file-name context))
            (multiple-value-bind (reading place) (form-place (compiler-error-context-original-form context))
              (note reading place (definition-label (compiler-error-context-context context))))))
        (when (eq kind :function)
          (loop for (reading place label) in (other-calls name (remove-duplicates (mapcar #'car placed)))
                do (note reading place label)))))))

(defun equalp-place (one other)
  (and (eq (car one) (car other)) (equal (cdr one) (cdr other))))

(defun other-calls (name readings)
  "Return (reading place label) for each list that calls NAME, as far as the calls are visible without macroexpansion."
  (loop for reading in readings
        append (when reading
                 (loop for (form start . end) in (reverse (reading-forms reading))
                       when (and (calls-p form name)
                                 (not (some (lambda (outer) (hides-p outer form name))
                                            (enclosing-forms reading (cons start end)))))
                         collect (list reading (cons start end)
                                       (label-around reading start))))))

(defun calls-p (form name)
  (or (equal (first form) name)
      (and (eq (first form) 'function) (equal (second-of form) name))))

(defun hides-p (outer form name)
  "Return true if OUTER quotes FORM as data, or binds NAME locally."
  (let ((operator (first outer)) (bindings (second-of outer)))
    (cond ((member operator '(quote quasiquote)) t)
          ((member operator '(flet labels macrolet))
           (or (eq bindings form)
               (and (consp bindings)
                    (ignore-errors (find name bindings :key #'binding-name :test #'equal))))))))

(defun binding-name (binding)
  (and (consp binding) (first binding)))

(defun label-around (reading position)
  "Return the name of the definition around POSITION."
  (loop for (form start . end) in (toplevel-forms reading)
        when (<= start position end)
          return (definition-label (list (definition-head form)))))

(defun definition-head (form)
  "Return the head of FORM, (DEFUN NAME), in the compiler's format for contexts."
  (and (consp form) (consp (rest form)) (list (first form) (second form))))
