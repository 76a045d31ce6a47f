;;;; Functions put around SBCL's own to follow the compiler, once, when the core is built. They do nothing unless *COMPILATION* is bound.

(in-package #:lisp-workbench/compilation)

(defun install-compilation ()
  (unless (lacking "compiling with diagnostics at their forms")
    (install-observers)))

(defun install-observers ()
  (encapsulate 'make-form-tracking-stream-observer 'lisp-workbench #'observe-reading)
  (encapsulate 'make-definition-source-location 'lisp-workbench #'locate-definition)
  (encapsulate 'summarize-compilation-unit 'lisp-workbench #'note-undefined)
  (encapsulate 'possibly-log-new-code 'lisp-workbench #'note-loaded-code)
  (encapsulate 'print-compiler-message 'lisp-workbench #'print-unless-gathered)
  (encapsulate 'compile-file 'lisp-workbench-policy #'compile-under-own-policy))

(defun print-unless-gathered (original &rest arguments)
  "Call ORIGINAL, which prints the compiler's remarks, unless they are about a text that was sent: those go into its diagnostics instead."
  (unless (and *compilation* (current-text-reading))
    (apply original arguments)))

(defun compile-under-own-policy (original file &rest arguments)
  "Compile a file under the policy from before the text's: a policy asked for one text must not reach the files that its macros compile,
whose fasls would keep it."
  (let ((before (and *compilation* (compilation-policy-before *compilation*))))
    (if (and before (not (equal (ignore-errors (sb-ext:native-namestring file)) (compilation-text-file *compilation*))))
        (let ((*policy* before)) (apply original file arguments))
        (apply original file arguments))))
