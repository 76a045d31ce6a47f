;;;; The undefined names at the end of a compilation unit. The compiler keeps one place for each file and name; every
;;;; other call in what was read is found here.

(in-package #:lisp-workbench/compilation)

(defun note-undefined (original abort-p)
  "Advice on the function that sums up a compilation unit: note the undefined names with places. Its own warnings would say them again."
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
  "(reading place label) of each list that begins with NAME and is read as code, as far as can be told without expanding."
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
  "True when OUTER makes FORM data, or binds NAME itself."
  (let ((operator (first outer)) (bindings (second-of outer)))
    (cond ((member operator '(quote quasiquote)) t)
          ((member operator '(flet labels macrolet))
           (or (eq bindings form)
               (and (consp bindings)
                    (ignore-errors (find name bindings :key #'binding-name :test #'equal))))))))

(defun binding-name (binding)
  (and (consp binding) (first binding)))

(defun label-around (reading position)
  "The name of the definition around POSITION."
  (loop for (form start . end) in (toplevel-forms reading)
        when (<= start position end)
          return (definition-label (list (definition-head form)))))

(defun definition-head (form)
  "(DEFUN NAME), as the compiler names its contexts."
  (and (consp form) (consp (rest form)) (list (first form) (second form))))
