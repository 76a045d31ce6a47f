;;;; Breaks: on the entry of functions, on conditions that are signalled, and at the wish of the person.

(in-package #:lisp-workbench/debugger)

(sb-ext:defglobal *breakpoints* '())    ; names of functions that break when they are called
(sb-ext:defglobal *break-types* '())    ; names of condition types, symbols

(defun break-on-entry (name)
  "Let NAME, which names a function, break when it is called by code that a person debugs."
  (pushnew name *breakpoints* :test #'equal)
  (encapsulate name 'lisp-workbench-break
               (lambda (function &rest arguments)
                 (when (and *evaluation* (steppable-p *evaluation*))
                   (with-simple-restart (continue "Call the function.")
                     (invoke-debugger (make-condition 'function-entered :name name :arguments arguments))))
                 (apply function arguments))))

(define-condition function-entered (condition)
  ((name :initarg :name :reader entered-name) (arguments :initarg :arguments :reader entered-arguments))
  (:report (lambda (condition stream)
             (format stream "Breakpoint: ~S is called~:[ without arguments~;~:* with~{ ~S~}~]."
                     (entered-name condition) (entered-arguments condition)))))

(defun forget-breakpoint (name)
  (setf *breakpoints* (remove name *breakpoints* :test #'equal))
  (unencapsulate name 'lisp-workbench-break))

(defun break-type ()
  "A type for *BREAK-ON-SIGNALS*."
  (and *break-types* `(or ,@(remove-if-not (lambda (type) (find-class type nil)) *break-types*))))

(defun break-in (evaluation)
  "Stop EVALUATION where it is."
  (call-in-evaluation evaluation
                      (lambda ()
                        (with-simple-restart (continue "Go on.")
                          (invoke-debugger (make-condition 'interrupted))))))

(define-condition interrupted (condition) ()
  (:report "The evaluation was stopped where it was."))
