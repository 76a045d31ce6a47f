;;;; The code around a marked form. A mark is a macro form around the marked form, inserted into the code that the compiler reads. If the
;;;; compiler never compiles the macro form as a form, the marked form is part of a macro's syntax or of data, and the mark is refused.

(in-package #:lisp-workbench/recording)

(defvar *refusals* '() "The refused marks in the text that is being compiled, each as (id . sentence).")
(defvar *compiled* '() "Ids of the marks that were compiled as forms.")

(defun note-refusal (id sentence)
  (unless (assoc id *refusals* :test #'equal) (push (cons id sentence) *refusals*)))

(defun refusal-of (id)
  (cdr (assoc id *refusals* :test #'equal)))

(defun compiled-p (id)
  (and (member id *compiled* :test #'equal) t))

;; An uninterned symbol. It can be loaded from the compiled file of a definition that stores its source as data, such as a slot's initform.
(sb-ext:defglobal *operator* (make-symbol "RECORDED-FORM"))

(defun expand-recorded (id form environment)
  "Return a form that evaluates FORM, records its values for the marked form ID, and returns them."
  (cond ((and (consp form) (eq (first form) 'declare))
         (note-refusal id "A declaration is not evaluated. Mark a form after it.")
         form)
        ((and (symbolp form) (not (variable-p form environment)))
         (note-refusal id (format nil "~A is not a variable here, but part of the surrounding form. Mark that form." form))
         form)
        (t
         (let ((body (gensym "MARKED-FORM")) (noted (gensym "NOTED")))
           `(flet ((,body ()
                     ;; This is expanded only if the surrounding code is compiled as a form. A macro that only examines its expansion does
                     ;; not expand it.
                     (macrolet ((,noted () (push ',id *compiled*) nil)) (,noted))
                     ,form))
              (declare (dynamic-extent #',body))
              (funcall (the function (load-time-value ,(recorder-form id))) #',body))))))

(macrolet ((define-operator ()
             `(progn
                (defmacro ,*operator* (id form &environment environment)
                  (expand-recorded id form environment))
                (define-setf-expander ,*operator* (id form &environment environment)
                  (note-refusal id "This form is a place that is set, not evaluated. Mark the form around it, or the new value.")
                  (get-setf-expansion form environment)))))
  (define-operator))

(defun variable-p (symbol environment)
  (or (boundp symbol)
      (and (sb-cltl2:variable-information symbol environment) t)))

(defun recorder-form (id)
  "Return a form that returns the recorder of ID. The form is evaluated when its file is loaded, and uses only those of the engine's names
that compiled files may contain."
  `(funcall (find-symbol "TEST-OF-LOADED-CODE"
                         (find "LISP-WORKBENCH/EVALUATION" (list-all-packages) :key #'package-name :test #'equal))
            :recorder ,id))

(defun recorder (id)
  "Return a function that calls its argument, which is a function, and records the result for the form ID."
  (let ((form (and (stringp id) (find-form id))))
    (if form
        (lambda (function)
          (if (form-live form) (call-recorded form function) (funcall function)))
        #'funcall)))

(defun call-recorded (form function)
  "Call FUNCTION, record the outcome for FORM, and return its values. A signalled condition is recorded, and its handlers still run."
  (declare (type function function) (optimize speed))
  (let ((condition nil) (ended nil))
    (unwind-protect
         (let ((values (multiple-value-list
                        (handler-bind ((serious-condition (lambda (signalled) (setf condition signalled))))
                          (funcall function)))))
           (setf ended t)
           (record form :values values)
           (values-list values))
      (unless ended
        (if condition
            (record form :condition (list condition))
            (record form :exit '()))))))

(defun record (form kind objects)
  (unless *guarded-printing* (note-evaluation form kind objects)))

;;; Compiling with marks

(defun call-marking (ids function)
  "Call FUNCTION, which compiles a text with the marks of these IDS. Marks that are already known remain, although compiling the text may
redefine macros."
  (let ((*refusals* '()) (*compiled* '()) (*marking* (loop for id in ids for form = (find-form id) when form collect form)))
    (funcall function)))

(defun call-with-marks (ids function)
  "Call FUNCTION, which loads code compiled with the marks of these IDS, and register the marks. A mark that was already registered retains
its recordings."
  (let ((*marking* (loop for id in ids
                         collect (or (find-form id) (setf (gethash id *marked-forms*) (make-marked-form :id id))))))
    (dolist (form *marking*) (setf (form-keys form) '()))
    (funcall function)))

(defun install-recording ()
  "Arrange that marks are removed together with their definitions, and that compiled code can find its recorder. Called once, when the core
is built."
  (let ((next *after-definition*))
    (setf *after-definition* (lambda (key)
                               (funcall next key)
                               (note-defined key))
          *recorder* #'recorder)))
