;;;; What is done once, while the core is built.

(in-package #:lisp-workbench/control)

(defun prepare-core ()
  (call-with-refusals #'refuse-operation)
  (proclaim-posix-notinline)
  (install-hooks)
  (install-debugger)
  (install-limits)
  (install-compilation)
  (prepare-asdf)
  (install-progress)
  (install-guard)
  (record-baseline)
  (install-sweep)
  (setf *tick-work* '(return-late-role replace-stuck-look-up collect-after-stopped tell-saved-worlds mend-timers
                      lisp-workbench/profiling:flush-trace)
        *before-reply* '(mend-guard lisp-workbench/profiling:finish-trace)
        *job-reader* 'read-job
        *lane-given* 'hand-role-to-worker
        *after-waking* '(begin-handles-anew))
  (rehearse))

(defun proclaim-posix-notinline ()
  "SB-POSIX declares its functions inline; calls compiled from now on go through their names and can be encapsulated."
  (do-external-symbols (symbol '#:sb-posix)
    (when (and (fboundp symbol) (not (macro-function symbol)))
      (proclaim `(notinline ,symbol)))))

(defun rehearse ()
  "Evaluate once, as for a request, while nobody listens: what CLOS works out when it is first called stays in the core. Without
it each image would spend on that most of its first evaluation and more than a megabyte."
  (sb-thread:join-thread              ; a thread of its own: nobody around handles its errors
   (sb-thread:make-thread
    (lambda ()
      (dolist (code '("(list 1 \"two\" #\\3 :four 5.0 'car) (print 6) (write-line \"seven\" *error-output*) (values #'car 8)"
                      "(error \"nine\")"))
        (rehearse-evaluation code)))))
  (forget-context "rehearsal"))

(defun rehearse-evaluation (code)
  (accept 0 (find-operation "evaluate")
          (object "id" 0 "op" "evaluate" "evaluation" "rehearsal" "context" "rehearsal" "actor" "rehearsal" "code" code
                  "package" nil "interactive" nil "source" nil "outputLimit" 1000 "valueLimit" 1000 "keepValues" nil
                  "onError" "report"))
  (unwind-protect (run-evaluation (claim-job))
    (release-baton)))
