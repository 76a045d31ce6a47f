;;;; Breaks: on the entry of functions, on conditions that are signalled, and at the wish of the person.

(in-package #:lisp-workbench/debugger)

(sb-ext:defglobal *breakpoints* '())    ; names of functions that break when they are called
(sb-ext:defglobal *break-types* '())    ; names of condition types, symbols

(defun break-on-entry (name)
  "Let NAME, which names a function, break when it is called by code that a person debugs."
  (pushnew name *breakpoints* :test #'equal)
  (encapsulate name 'lisp-workbench-break
               (lambda (function &rest arguments)
                 (when (and *evaluation* (null *escape-from-debugger*) (steppable-p *evaluation*))
                   (with-simple-restart (continue "Call the function.")
                     (invoke-debugger (make-condition 'function-entered :name name :arguments arguments))))
                 (apply function arguments))))

(defun needed-by-debugger-p (name)
  "Whether NAME belongs to SBCL or to the engine: a break there would be entered from within itself."
  (let* ((symbol (if (consp name) (second name) name))
         (package (symbol-package symbol))
         (package-name (if package (package-name package) "")))
    (or (eq package (find-package '#:common-lisp))
        (eql 0 (search "SB-" package-name))
        (eql 0 (search "LISP-WORKBENCH" package-name)))))

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
  "Stop EVALUATION where it is, also one that would just end at an error. Who waits for its answer goes on waiting, unless it is
one that is held after its answer."
  (call-in-evaluation evaluation
                      (lambda ()
                        (with-simple-restart (continue "Go on.")
                          (let ((condition (make-condition 'interrupted)))
                            (if (held-on-error-p evaluation)
                                (invoke-debugger condition)
                                (with-engine-variables (enter-debugger evaluation condition))))))))

(define-condition interrupted (condition) ()
  (:report "The evaluation was stopped where it was."))
