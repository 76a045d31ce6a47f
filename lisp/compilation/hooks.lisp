;;;; The advice around SBCL's own functions. It is installed once, when the core is built, and has no effect unless *COMPILATION* is bound.

(in-package #:lisp-workbench/compilation)

(defun install-compilation ()
  (unless (lacking "compiler diagnostics located at their forms")
    (install-observers))
  (unless (lacking "recording the values of marked forms")
    (install-advice 'find-source-paths 'lisp-workbench-marks #'plant-marks-after)
    (install-advice 'find-error-context 'lisp-workbench-marks #'find-context-as-read)))

(defun install-observers ()
  (install-advice 'make-form-tracking-stream-observer 'lisp-workbench #'observe-reading)
  (install-advice 'make-definition-source-location 'lisp-workbench #'locate-definition)
  (install-advice 'summarize-compilation-unit 'lisp-workbench #'note-undefined)
  (install-advice 'possibly-log-new-code 'lisp-workbench #'note-loaded-code)
  (install-advice 'print-compiler-message 'lisp-workbench #'print-unless-gathered)
  (install-advice 'compile-file 'lisp-workbench-policy #'compile-under-own-policy)
  (install-advice 'compile-file 'lisp-workbench-diagnostics #'compile-telling-diagnostics))

(defun compile-telling-diagnostics (original &rest arguments)
  (call-telling-diagnostics (constantly t) (lambda () (apply original arguments))))

(defun print-unless-gathered (original &rest arguments)
  "Call ORIGINAL, which prints a message, except while a sent text is compiled. Messages about that text become diagnostics and must not
appear in the output of the code."
  (unless (and *compilation* (current-text-reading))
    (apply original arguments)))

(defun compile-under-own-policy (original file &rest arguments)
  "Compile a file with the policy that applied before the sent text set its own policy. A text's policy must not affect the files that its
macros compile, because the files' fasls would keep it."
  (let ((before (and *compilation* (compilation-policy-before *compilation*))))
    (if (and before (not (equal (ignore-errors (sb-ext:native-namestring file)) (compilation-text-file *compilation*))))
        (let ((*policy* before)) (apply original file arguments))
        (apply original file arguments))))
