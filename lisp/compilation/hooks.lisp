;;;; What is put around SBCL's own functions, once, when the core is built. All of it rests unless *COMPILATION* is bound.

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
  "What the compiler says of a text that was sent goes into its diagnostics; it is no output of the code."
  (unless (and *compilation* (current-text-reading))
    (apply original arguments)))

(defun compile-under-own-policy (original file &rest arguments)
  "A policy that was asked for one text must not reach the files that its macros compile: their fasls would keep it."
  (let ((before (and *compilation* (compilation-policy-before *compilation*))))
    (if (and before (not (equal (ignore-errors (sb-ext:native-namestring file)) (compilation-text-file *compilation*))))
        (let ((*policy* before)) (apply original file arguments))
        (apply original file arguments))))
