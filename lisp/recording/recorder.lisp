;;;; The code around a marked form. A mark is inserted into the code that the compiler reads, as a macro form around the marked form. If the
;;;; compiler never compiles the macro form as a form, the marked form is part of a macro's syntax or data, and the mark is refused.

(in-package #:lisp-workbench/recording)

(defvar *refusals* '() "(id . sentence) of the refused marks in the text that is being compiled.")
(defvar *compiled* '() "Ids of the marks that were compiled as forms.")

(defun note-refusal (id sentence)
  (unless (assoc id *refusals* :test #'equal) (push (cons id sentence) *refusals*)))

(defun refusal-of (id)
  (cdr (assoc id *refusals* :test #'equal)))

(defun compiled-p (id)
  (and (member id *compiled* :test #'equal) t))

;; A symbol without a package. It can be loaded from the compiled file of a definition that stores its source as data, such as the initform
;; of a slot.
(sb-ext:defglobal *operator* (make-symbol "RECORDED-FORM"))

(defun expand-recorded (id form environment)
  "Return a form that returns the values of FORM and records them for the marked form ID."
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
  "Return a form that returns the recorder of ID. It is evaluated when its file is loaded, and uses only those names of the engine that
compiled files may contain."
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
  "Call FUNCTION, record the outcome for FORM, and return its values. A condition is recorded too, but left to its handlers."
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
define macros again."
  (let ((*refusals* '()) (*compiled* '()) (*marking* (loop for id in ids for form = (find-form id) when form collect form)))
    (funcall function)))

(defun call-with-marks (ids function)
  "Call FUNCTION, which loads code compiled with the marks of these IDS. Afterwards the marks are known. A mark that was known before
retains its recordings."
  (let ((*marking* (loop for id in ids
                         collect (or (find-form id) (setf (gethash id *marked-forms*) (make-marked-form :id id))))))
    (dolist (form *marking*) (setf (form-keys form) '()))
    (funcall function)))

(defun install-recording ()
  "Make marks end with their definitions, and make compiled code able to find its recorder. Called once, when the core is built."
  (let ((next *after-definition*))
    (setf *after-definition* (lambda (key)
                               (funcall next key)
                               (note-defined key))
          *recorder* #'recorder)))
