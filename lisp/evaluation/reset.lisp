;;;; Resets the reader and printer of a context whose variables have values that make work impossible.

(in-package #:lisp-workbench/evaluation)

(defun reset-reader-and-printer (context)
  "Give CONTEXT the variables and defaults of a fresh context, except for the package, the history and the last error. Also restore the
standard global values that evaluated code has set."
  (setf (context-values context) (initial-values)
        (context-defaults context) '()
        (context-float-modes context) nil
        (context-package context) (live-package (context-package context)))
  (loop for variable in *kept-variables*
        for value in (initial-values)
        do (setf (sb-ext:symbol-global-value variable) value))
  (setf (sb-ext:symbol-global-value '*read-eval*) t
        (sb-ext:symbol-global-value '*read-suppress*) nil
        (sb-ext:symbol-global-value '*print-readably*) nil
        (sb-ext:symbol-global-value '*macroexpand-hook*) 'funcall
        (sb-ext:symbol-global-value '*break-on-signals*) nil
        (sb-ext:symbol-global-value '*debugger-hook*) 'debugger-hook
        (sb-ext:symbol-global-value 'sb-ext:*invoke-debugger-hook*) 'debugger-hook))
