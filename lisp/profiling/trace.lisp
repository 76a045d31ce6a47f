;;;; Tracing: the operations `trace`, `untrace` and `traced`, and what a traced function does. A function is encapsulated,
;;;; which lasts when it is redefined; a method is traced by SBCL's own TRACE, which reports to us. Nothing is written to
;;;; the streams of the code.

(in-package #:lisp-workbench/profiling)

(sb-ext:defglobal *traced* '())         ; names, such as FOO, (SETF FOO), (METHOD FOO :AROUND (INTEGER)), the latest first

(define-operation "trace" (:looking-up request)
  (with-request-package (package request)
    (let ((problems '()))
      (loop for text across (field request "functions")
            do (multiple-value-bind (name problem) (traceable-name text)
                 (cond (problem (push (object "name" text "reason" problem) problems))
                       (t (trace-name name)
                          (when (eq t (field request "methods"))
                            (mapc #'trace-method (method-names name)))))))
      (object "traced" (traced-names) "problems" (array-of (nreverse problems))))))

;; Those named; all when there are none.
(define-operation "untrace" (:looking-up request)
  (with-request-package (package request)
    (let ((names (field request "functions")))
      (if (null names)
          (mapc #'untrace-name *traced*)
          (loop for text across names
                do (let ((name (traceable-name text)))
                     (mapc #'untrace-name
                           (remove-if-not (lambda (each) (or (string= text (name-text each)) (and name (equal name (owner each)))))
                                          *traced*)))))
      (object "traced" (traced-names)))))

(define-operation "traced" (:looking-up request)
  (object "traced" (traced-names)))

;;; Names

(defun traceable-name (text)
  "The function name that TEXT means, or NIL and why that cannot be traced."
  (multiple-value-bind (symbol status) (named-symbol text)
    (let ((name (if (setf-text-p text) `(setf ,symbol) symbol)))
      (cond ((null status) (values nil "There is no such name."))
            ((not (fboundp name)) (values nil "It names no function."))
            ((and (symbolp name) (special-operator-p name)) (values nil "It is a special operator."))
            ((and (symbolp name) (macro-function name)) (values nil "It is a macro."))
            (t name)))))

(defun setf-text-p (text)
  (let ((start (position-if-not (lambda (char) (find char "'# ")) text)))
    (and start (< (+ start 6) (length text)) (string-equal "(SETF " (subseq text start (+ start 6))))))

(defun owner (name)
  "The function that NAME, maybe of a method, belongs to."
  (if (and (consp name) (eq (first name) 'method)) (second name) name))

(defun traced-names ()
  (array-of (mapcar #'name-text (remove-if-not #'still-traced-p (reverse *traced*)))))

(defun still-traced-p (name)
  "A definition of another kind, or FMAKUNBOUND, ends it."
  (if (eq name (owner name))
      (and (fboundp name) (encapsulated-p name 'lisp-workbench-trace))
      (member name (ignore-errors (trace)) :test #'equal)))

(defun method-names (name)
  "As TRACE takes them."
  (let ((function (fdefinition name)))
    (when (typep function 'generic-function)
      (loop for method in (visible-methods (sb-mop:generic-function-methods function))
            collect `(method ,name ,@(method-qualifiers method)
                             ,(mapcar #'specializer-designator (sb-mop:method-specializers method)))))))

(defun specializer-designator (specializer)
  (if (typep specializer 'class)
      (or (class-name specializer) specializer)
      `(eql ,(sb-mop:eql-specializer-object specializer))))

;;; Switching

(defun trace-name (name)
  (unless (encapsulated-p name 'lisp-workbench-trace) ; else each call would be told twice
    (encapsulate name 'lisp-workbench-trace
                 (lambda (function &rest arguments) (call-told name function arguments))))
  (pushnew name *traced* :test #'equal))

(defun trace-method (name)
  (ignore-errors
   (eval `(trace ,name :report report-method))
   (pushnew name *traced* :test #'equal)))

(defun untrace-name (name)
  (if (eq name (owner name))
      (ignore-errors (unencapsulate name 'lisp-workbench-trace))
      (ignore-errors (eval `(untrace ,name))))
  (setf *traced* (remove name *traced* :test #'equal)))

;;; Calls

(defun told-p ()
  "Whether the calls of this thread are the user's, now; what the engine prints for itself is not."
  (let ((evaluation *evaluation*))
    (and (not *reporting*)
         (not *guarded-printing*)
         evaluation
         (or (eq (evaluation-state evaluation) :running)
             (not (eq (evaluation-thread evaluation) sb-thread:*current-thread*))))))

(defun call-told (name function arguments)
  (if (not (told-p))
      (apply function arguments)
      (let ((depth *depth*) (values '()) (ended nil))
        (note-call name depth "enter" arguments)
        (unwind-protect
             (progn
               (setf values (multiple-value-list (let ((*depth* (1+ depth))) (apply function arguments)))
                     ended t)
               (values-list values))
          (note-call name depth (if ended "exit" "unwound") values)))))

(defun report-method (depth name kind frame values)
  "Called by SBCL's TRACE."
  (declare (ignore frame))
  (when (told-p)
    (note-call name (+ depth *depth*)
               (ecase kind (:enter "enter") (:exit "exit") (:non-local-exit "unwound"))
               values)))
