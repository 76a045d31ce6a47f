;;;; What is done once, while the core is built.

(in-package #:lisp-workbench/control)

(defun prepare-core ()
  (proclaim-posix-notinline)
  (install-hooks)
  (install-debugger)
  (install-limits)
  (install-compilation)
  (prepare-asdf)
  (install-progress)
  (record-baseline)
  (install-sweep)
  (setf *tick-work* '(return-late-role replace-stuck-look-up collect-after-stopped tell-saved-worlds
                      lisp-workbench/profiling:flush-trace)
        *before-reply* '(lisp-workbench/profiling:finish-trace)
        *job-reader* 'read-job
        *lane-given* 'hand-role-to-worker
        *after-waking* '(begin-handles-anew)))

(defun proclaim-posix-notinline ()
  "SB-POSIX declares its functions inline; calls compiled from now on go through their names and can be encapsulated."
  (do-external-symbols (symbol '#:sb-posix)
    (when (and (fboundp symbol) (not (macro-function symbol)))
      (proclaim `(notinline ,symbol)))))
