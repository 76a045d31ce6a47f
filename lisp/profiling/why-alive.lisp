;;;; The operation `why-alive`: finds the references that prevent an object from being collected.

(in-package #:lisp-workbench/profiling)

(defconstant +most-paths+ 10)
(defconstant +most-steps+ 100)

;; Returns paths from a root to the object, root first. The engine's references do not count, except those from the stored results of a
;; REPL.
(define-operation "why-alive" (:looking-up request :seconds +heap-walk-seconds+)
  (multiple-value-bind (pointer found) (held-pointer (field request "handle"))
    ;; Otherwise the object could be in the unused part of this thread's stack, and be found there. No other thread looks it up for this
    ;; one, because SBCL's search ends the process if a thread is just ending.
    (sb-sys:scrub-control-stack)
    (let ((paths (and found (root-paths pointer))))
      (object "expired" (json-boolean (not found))
              "paths" (with-page-time ()
                        (array-of (loop for (root . nodes) in paths
                                        repeat +most-paths+
                                        collect (path-object root nodes (sb-ext:weak-pointer-value pointer)
                                                             (field request "holder")))))))))

(declaim (notinline held-pointer))
(defun held-pointer (handle)
  "Return two values: a weak pointer to the object of HANDLE, and true if there is such an object."
  (multiple-value-bind (object found) (held-object handle)
    (values (and found (sb-ext:make-weak-pointer object)) found)))

(defun root-paths (pointer)
  "Return (root . nodes) for each path that SBCL finds to the object of POINTER. If SBCL finds none, do a small collection and try again,
because SBCL may miss objects allocated since the last collection."
  (flet ((search-now ()
           (mapcar #'rest (sb-ext:search-roots pointer :criterion :pseudo-static :print nil :ignore (engine-tables)))))
    (call-without-finalizer-thread
     (lambda ()
       (or (search-now)
           (progn (sb-ext:gc :gen 1)
                  (stop-finalizer-thread) ; the collection may have started it again
                  (search-now)))))))

(defun call-without-finalizer-thread (function)
  "Call FUNCTION while the finalizer thread does not run, because SBCL's search ends the process if that thread is at work after a
collection."
  (let ((running (typep *finalizer-thread* 'sb-thread:thread)))
    (unwind-protect-without-interrupts
         (progn (stop-finalizer-thread) ; waits for finalizers, so the request's time limit must be able to end it
                (funcall function))
      (when (and running (not (typep *finalizer-thread* 'sb-thread:thread)))
        (finalizer-thread-start)))))

(defun stop-finalizer-thread ()
  "Stop the finalizer thread, if it runs, once its finalizers have run."
  (when (typep *finalizer-thread* 'sb-thread:thread)
    (finalizer-thread-stop)))

(defun engine-tables ()
  "Return the engine's tables, except those that store the results of REPLs."
  (let ((tables (list (engine-symbols))))
    (dolist (symbol (engine-symbols) tables)
      (when (and (boundp symbol) (not (eq symbol 'lisp-workbench/evaluation::*contexts*)))
        (let ((value (symbol-value symbol)))
          (when (typep value '(or hash-table simple-vector cons)) (push value tables)))))))

(defun path-object (root nodes target holder)
  "Return the path of NODES from ROOT to TARGET in its wire form. Omit the engine's objects on the path, and SBCL's internal tables of the
symbols in packages."
  (let* ((ours (position-if (lambda (node) (engine-object-p (car node))) nodes :from-end t))
         (symbol (position-if (lambda (node) (named-symbol-p (car node))) nodes :from-end t))
         (named (and symbol (> symbol (or ours -1)))) ; start at a named symbol, because its package keeps it alive in any case
         (first (cond (named symbol) (ours (1+ ours)) (t 0))))
    (object "root" (cond ((and ours (not named)) "the results that a REPL remembers")
                         (named (format nil "the symbol ~A" (name-text (car (nth symbol nodes)))))
                         (t (root-text root)))
            "steps" (array-of (loop for ((object . slot) . more) on (nthcdr first nodes)
                                    repeat +most-steps+
                                    collect (list* :object "slot" (slot-text object slot (if more (car (first more)) target))
                                                   (rest (step-object object holder))))))))

(defun engine-object-p (object)
  (or (engine-class-p (class-of object))
      (engine-symbol-p object)))

(defun named-symbol-p (object)
  (and object (symbolp object) (symbol-package object)))

(defun root-text (root)
  (cond ((eq root :static) "SBCL's own data")
        ((eq root :pinned) "the stack of a thread")
        ((and (consp root) (symbolp (second root)))
         (format nil "the binding of ~A in the thread ~A" (name-text (second root)) (thread-text (first root))))
        ((consp root) (format nil "a local variable in the thread ~A" (thread-text (first root))))
        (t (print-short root 200))))

(defun thread-text (thread)
  (cond ((stringp thread) thread)
        ((typep thread 'sb-thread:thread) (or (sb-thread:thread-name thread) "(unnamed)"))
        (t (print-short thread 100))))

(defun slot-text (object word next)
  "Return the name of the place in OBJECT that refers to NEXT. WORD is the number by which SBCL identifies that place."
  (typecase object
    (cons (if (eq next (car object)) "CAR" "CDR"))
    (simple-vector (princ-to-string (or (position next object :test #'eq) word)))
    (symbol (if (and (boundp object) (eq next (sb-ext:symbol-global-value object))) "value" "definitions"))
    (structure-object (or (structure-slot object next) (princ-to-string word)))
    (function "closed-over value or constant")
    (t (if (integerp word) (princ-to-string word) (print-short word 100)))))

(defun structure-slot (object next)
  (loop for slot in (sb-mop:class-slots (class-of object))
        for name = (sb-mop:slot-definition-name slot)
        when (ignore-errors (eq next (slot-value object name))) return (string name)))
