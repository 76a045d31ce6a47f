(cl:defpackage #:lisp-workbench/evaluation
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/protocol)
  (:documentation "Reads, evaluates and reports: contexts, streams, the guarded printer, conditions, workers, limits.")
  (:export
   ;; guarding
   #:*guard* #:without-guard #:*may-wait* #:*own-folders* #:note-effect #:effect-history #:end-evaluation #:*escape-from-debugger* #:*condition-families*
   ;; clock
   #:start-clock #:stop-clock #:resume-clock #:*tick-work* #:keep-clock-awake #:call-with-deadline #:with-deadline
   ;; printer
   #:*guarded-printing* #:print-guarded #:print-value #:print-short #:print-report #:with-plain-printing
   #:with-users-printing
   ;; conditions
   #:condition-object #:type-name #:message #:prefixed-p
   ;; contexts
   #:find-context #:ensure-context #:forget-context #:context-package #:context-package-name #:context-variable #:context-last-error
   #:context-last-code #:reset-reader-and-printer #:designated-package #:live-package
   ;; handles
   #:hold #:held-object #:release-holder #:release-everything #:begin-handles-anew #:handle-tables #:value-object
   ;; forms
   #:read-form #:form-definition #:skip-to-form #:utf-16-offset
   ;; evaluations and workers
   #:*evaluation* #:make-evaluation #:evaluation-id #:evaluation-actor #:evaluation-request #:evaluation-warnings
   #:evaluation-sink #:evaluation-partial-result #:evaluation-defines-p #:evaluation-form-text #:start-worker
   #:worker-p #:stop-workers #:forget-workers #:resume-workers #:await-rest #:parked-evaluations #:user-threads
   #:running-evaluation #:find-evaluation #:enqueue-evaluation #:interrupt-evaluation #:terminate-evaluation
   #:give-input #:with-parked-worker #:*before-job* #:*after-job* #:*idle-work* #:*job-reader* #:*lane-given*
   #:claim-job #:release-baton #:run-evaluation #:call-with-outcome #:with-evaluation-streams #:keep-last-error #:report-timing #:note-warning
   #:warnings-array #:make-sink #:sink-cut #:define-run #:context-environment #:call-without-debugger #:*debugger*
   #:*break-on-signals-type* #:call-in-evaluation #:debugger-hook #:call-nested-with-outcome #:*abort-report*
   #:finish-output-of #:map-code-frames #:relevant-name-p #:call-text #:call-in-debugger #:*outer-restarts*
   #:evaluation-answered #:evaluation-reader #:evaluation-forms #:print-values #:type-label #:evaluation-state #:evaluation-thread #:evaluation-started
   #:microseconds #:thread-label #:*before-reply* #:evaluate-text #:call-with-last-form #:call-measured
   #:give-up-held #:held-evaluations #:held-on-error-p #:*escape-from-debugger* #:with-engine-variables
   #:install-hooks #:install-limits #:collect-after-stopped
   ;; timers
   #:*timers-held* #:hold-timers #:release-timers #:mend-timers))
