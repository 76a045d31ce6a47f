;;;; Installs the parts of the engine, once, while the core is built.

(in-package #:lisp-workbench/control)

(defun prepare-core ()
  (call-with-refusals #'refuse-operation)
  (setf *descriptors-held-p* 'descriptors-held-p
        *others-at-work-p* 'looking-up-p)
  (install-hooks)
  (install-debugger)
  (install-limits)
  (install-compilation)
  (lisp-workbench/recording:install-recording)
  (lisp-workbench/inspection:install-inspecting)
  (lisp-workbench/inspection:install-editing)
  (prepare-asdf)
  (install-progress)
  (install-authorship)
  (install-guard)
  (load-client-into-core)
  (record-baseline)
  (install-sweep)
  (setf *tick-work* '(return-late-role replace-stuck-look-up collect-after-stopped collect-when-idle tell-saved-worlds revive-writer mend-timers
                      send-waiting-interruptions
                      lisp-workbench/profiling:flush-trace lisp-workbench/recording:tell-recorded)
        *before-running* '(mend-guard-before renew-breakpoints forget-stepping)
        *before-reply* '(mend-guard note-beside renew-breakpoints lisp-workbench/profiling:finish-trace
                         lisp-workbench/recording:finish-recorded)
        *job-reader* 'read-job
        *lane-given* 'hand-role-to-worker
        *when-short* '(lisp-workbench/inspection:forget-copied-values lisp-workbench/recording:forget-objects)
        *after-waking* '(forget-interruptions claim-temporary-folder begin-handles-anew begin-ids-anew))
  (keep-types-of-encapsulated)
  (note-hooks nil)
  (rehearse)
  (record-essentials)
  (without-recording (seal-progress) (seal-guard)))

(defun rehearse ()
  "Run sample evaluations the way a client's requests would run them, so that the results of CLOS's first-call computations are saved in the
core. Otherwise each image would spend most of its first evaluation, and more than a megabyte, on these computations."
  (sb-thread:join-thread              ; a new thread, because the handlers of the build do not apply in it
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
