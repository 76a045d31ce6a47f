;;;; Tracing: the operations `trace`, `untrace` and `traced`, and the behavior of a traced function. A traced function is encapsulated, and
;;;; stays encapsulated when it is redefined. Methods are traced in trace-methods.lisp. Tracing writes nothing to the traced code's streams.

(in-package #:lisp-workbench/profiling)

;; SBCL 2.2.9 links calls within its own core directly. When it encapsulates a function, it walks the heap once for each direct caller. For
;; SORT or FORMAT this takes seconds of processor time, but only the first time.
(defconstant +relink-seconds+ 60 "The maximum time for encapsulating functions, in seconds.")

(define-operation "trace" (:looking-up request :seconds +relink-seconds+)
  (with-request-package (package request)
    (let ((problems '()))
      (loop for text across (field request "functions")
            do (multiple-value-bind (name problem) (traceable-name text)
                 (cond (problem (push (object "name" text "reason" problem) problems))
                       ((method-word-p name) (trace-method name))
                       (t (trace-name name)
                          (when (eq t (field request "methods"))
                            (mapc #'trace-method (method-names name)))))))
      (object "traced" (traced-names) "problems" (array-of (nreverse problems))))))

;; Stops tracing the named functions, or all functions if none is named.
(define-operation "untrace" (:looking-up request)
  (with-request-package (package request)
    (let ((names (field request "functions")))
      (if (null names)
          (untrace-all)
          (loop for text across names
                do (let ((name (traceable-name text)))
                     (mapc #'untrace-name
                           (remove-if-not (lambda (each) (or (string= text (name-text each))
                                                               (and name (or (equal name each) (equal name (owner each))))))
                                          *traced*)))))
      (object "traced" (traced-names)))))

(define-operation "traced" (:looking-up request)
  (object "traced" (traced-names)))

;;; Names

(defun traceable-name (text)
  "Return the name of the function or method that TEXT refers to. If it cannot be traced, return NIL and the reason."
  (let ((node (method-name-node text)))
    (if node
        (traceable-method-name text node)
        (traceable-function-name text))))

(defun traceable-function-name (text)
  (multiple-value-bind (symbol status) (named-symbol text)
    (let ((name (if (setf-text-p text) `(setf ,symbol) symbol)))
      (cond ((null status) (values nil "There is no such name."))
            ((not (fboundp name)) (values nil "It is not the name of a function."))
            ((and (symbolp name) (special-operator-p name)) (values nil "It is a special operator."))
            ((and (symbolp name) (macro-function name)) (values nil "It is a macro."))
            (t name)))))

(defun setf-text-p (text)
  (let ((start (position-if-not (lambda (char) (find char "'# ")) text)))
    (and start (< (+ start 6) (length text)) (string-equal "(SETF " (subseq text start (+ start 6))))))

(defun owner (name)
  "Return the name of the function that NAME belongs to; NAME may be a method's name."
  (if (method-word-p name) (second name) name))

(defun method-word-p (name)
  "Return true if NAME is a method's name in the form of TRACE, (METHOD function qualifier… specializers)."
  (and (consp name) (eq (first name) 'method)))

(defun traced-names ()
  (array-of (mapcar #'name-text (remove-if-not #'still-traced-p (reverse *traced*)))))

(defun still-traced-p (name)
  "Return true if NAME is still traced. FMAKUNBOUND ends a trace, and so does a definition of another kind."
  (if (method-word-p name)
      (traced-method-p name)
      (and (fboundp name) (encapsulated-p name 'lisp-workbench-trace))))

;;; Switching

(defun trace-name (name)
  (unless (encapsulated-p name 'lisp-workbench-trace) ; a second encapsulation would report each call twice
    (encapsulate name 'lisp-workbench-trace
                 (lambda (function &rest arguments) (call-told name function arguments)))
    (keep-type-of-encapsulated name))
  (pushnew name *traced* :test #'equal))

(defun untrace-all ()
  (mapc #'untrace-name *traced*))

(defun untrace-name (name)
  (if (method-word-p name)
      (untrace-method name)
      (ignore-errors (unencapsulate name 'lisp-workbench-trace)))
  (setf *traced* (remove name *traced* :test #'equal)))

;;; Calls

(defun told-p ()
  "Return true if this thread's current calls are the user's. They are not while the engine itself prints."
  (let ((evaluation *evaluation*))
    (and (not *reporting*)
         (not *guarded-printing*)
         evaluation
         (or (eq (evaluation-state evaluation) :running)
             (not (eq (evaluation-thread evaluation) sb-thread:*current-thread*))))))

(defun call-told (name function arguments)
  "Call FUNCTION with ARGUMENTS, and report this as a call of NAME."
  (let ((number (and (told-p) (claim-call *evaluation*))))
    (if (null number)
        (apply function arguments)
        (let* ((*telling* (or *telling* (list 0))) (values '()) (ended nil) (told 0) (start 0))
          (note-call number name "enter" arguments)
          (setf told (first *telling*)
                start (microseconds))
          (unwind-protect
               (progn
                 (setf values (multiple-value-list (let ((*depth* (1+ *depth*)) (*caller* (cons *evaluation* number))) (apply function arguments)))
                       ended t)
                 (values-list values))
            (note-call number name (if ended "exit" "unwound") values
                       (max 0 (- (microseconds) start (- (first *telling*) told)))))))))
