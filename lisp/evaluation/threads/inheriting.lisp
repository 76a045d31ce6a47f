;;;; New threads inherit the values of the variables that a session binds, such as *PACKAGE* and the printer variables. In plain SBCL, code
;;;; at top level sets the global values of these variables with SETF, and a new thread sees the global values. Here the session binds the
;;;; variables, so a new thread gets the values from the session of the thread that created it. It does not get values that code around
;;;; MAKE-THREAD has bound with LET.

(in-package #:lisp-workbench/evaluation)

(eval-when (:compile-toplevel :load-toplevel :execute)
  (defparameter *inherited-variables*
    (append '(*package* *default-pathname-defaults* *read-eval* *read-suppress* *print-readably* *macroexpand-hook*
              *break-on-signals* *debugger-hook* sb-ext:*invoke-debugger-hook*)
            *kept-variables* *history-variables*))
  (defparameter *stream-variables*
    '(*standard-output* *error-output* *trace-output* *standard-input* *terminal-io* *query-io* *debug-io*)
    "Stream variables. A new thread has its own streams for these variables, except for those that the session's code has set."))

(defun session-values (variables)
  "Return the session's values of VARIABLES, without the bindings that this thread's code has made."
  (let ((values (mapcar (lambda (variable)
                          (if (boundp variable) (symbol-value variable) (sb-ext:symbol-global-value variable)))
                        variables)))
    (when *session-depth*
      (let ((indices (mapcar #'symbol-tls-index variables))
            (size (* binding-size n-word-bytes)))
        ;; From the latest binding to the first. Each entry contains the variable's value before the binding.
        (loop for address from (- (sb-sys:sap-int (binding-stack-pointer-sap)) size) downto *session-depth* by size
              for place = (sb-sys:int-sap address)
              for index = (sb-sys:sap-ref-word place (* binding-symbol-slot n-word-bytes))
              for position = (position index indices)
              when (and position
                        (/= unbound-marker-widetag
                            (ldb (byte 8 0) (sb-sys:sap-ref-word place (* binding-value-slot n-word-bytes)))))
                do (setf (nth position values)
                         (sap-ref-lispobj place (* binding-value-slot n-word-bytes))))))
    values))

(defstruct (inheritance (:constructor make-inheritance (values streams)))
  "The values that a new thread gets from the session of the thread that created it: VALUES of variables, and STREAMS. STREAMS contains NIL
for each engine stream."
  values streams)

(defun own-stream-p (stream)
  (or (output-port-p stream)
      (input-port-p stream)
      (and (typep stream 'two-way-stream)
           (own-stream-p (two-way-stream-input-stream stream))
           (or (aside-port-p (two-way-stream-output-stream stream)) (own-stream-p (two-way-stream-output-stream stream))))
      (and (typep stream 'synonym-stream) (eq '*terminal-io* (synonym-stream-symbol stream)))))

(defun inheritance ()
  "Return the inheritance for a thread that this thread is about to create, or NIL if this thread belongs to no session."
  (when *session-depth*
    (make-inheritance (session-values *inherited-variables*)
                      (mapcar (lambda (stream) (if (own-stream-p stream) nil stream))
                              (session-values *stream-variables*)))))

(defun call-with-inheritance (inheritance function arguments)
  "Apply FUNCTION in a new thread that already has its streams. Backtraces end at this frame."
  (if inheritance
      (with-variables *inherited-variables* (inheritance-values inheritance)
        (loop for variable in *stream-variables*
              for stream in (inheritance-streams inheritance)
              when stream do (set variable stream))
        (with-session-values () (apply function arguments)))
      (apply function arguments)))
