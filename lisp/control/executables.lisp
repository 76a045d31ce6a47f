;;;; Executables: the whole image as a program that runs without the workbench. A forked process writes the file, as for a saved image.

(in-package #:lisp-workbench/control)

(define-operation "save-executable" (:main request)
  (with-request-package (package request)
    (let ((file (field request "file")) (text (field request "function")))
      (multiple-value-bind (function problem) (if text (callable-name text) nil)
        (if problem
            (object "pid" nil "reason" problem)
            (save-in-copy file (lambda () (save-program file function (coerce (field request "hooks") 'list)))))))))

(defun callable-name (text)
  "Return the symbol of the function that TEXT names; otherwise NIL and the reason why a program cannot start with it."
  (multiple-value-bind (symbol status setf) (named-symbol text)
    (cond ((or (null status) setf (not (fboundp symbol)))
           (values nil (format nil "There is no function ~A." text)))
          ((or (special-operator-p symbol) (macro-function symbol))
           (values nil (format nil "~A is not a function." text)))
          ((not (callable-without-arguments-p symbol))
           (values nil (format nil "~A cannot be called without arguments." text)))
          (t symbol))))

(defun callable-without-arguments-p (symbol)
  (let ((parameters (function-lambda-list symbol)))
    (or (null parameters) (member (first parameters) lambda-list-keywords))))

(defun save-program (file function hooks)
  "Write the executable FILE and end the process. Of the hooks that agents set, keep only those whose numbers are in HOOKS. The executable
calls FUNCTION, a symbol, and does not process the command line itself. If FUNCTION is NIL, the executable is an SBCL with SBCL's REPL and
options."
  (leave-hooks hooks)
  (lisp-workbench/debugger:take-off-breakpoints)
  (lisp-workbench/profiling:untrace-all)
  (take-engine-off)
  (leave-wire)
  (setf *debugger-hook* nil
        sb-ext:*invoke-debugger-hook* nil
        sb-ext:*exit-timeout* 60        ; SBCL's default
        sb-ext:*after-gc-hooks* (remove-if #'own-hook-p sb-ext:*after-gc-hooks*)
        *package* (find-package '#:common-lisp-user))
  (pushnew 'uiop:call-image-restore-hook sb-ext:*init-hooks*)
  (if function
      (sb-ext:save-lisp-and-die file :executable t :save-runtime-options t :toplevel (lambda () (run-program function)))
      (sb-ext:save-lisp-and-die file :executable t)))

(defconstant +exit-interrupted+ 130 "The exit code of a program that SIGINT ended; shells use the same code.")

(defun run-program (function)
  "Call FUNCTION and exit: with code 0; with 1 and a backtrace after an unhandled error; with 130 after Ctrl+C."
  (sb-ext:disable-debugger)
  (handler-case (progn (funcall function) (finish-output))
    (sb-sys:interactive-interrupt () (sb-ext:exit :code +exit-interrupted+ :abort t)))
  (sb-ext:exit :code 0))
