(cl:defpackage #:lisp-workbench/evaluation
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/files #:lisp-workbench/protocol)
  (:documentation "Reads and evaluates code, and reports the results: contexts, streams, the guarded printer, conditions, workers, limits.")
  (:export
   ;; unwinding
   #:unwind-protect-without-interrupts
   ;; sha-256
   #:digest-of-octets #:text-digest
   ;; weak-maps
   #:make-weak-map #:associated
   ;; guarding
   #:*guard* #:*agents-part* #:agents-part-p #:asked-p #:*persons-code* #:changes-object #:without-guard #:with-guard-at-once #:read-of-users #:put-around #:put-around-again #:real-function #:*real-functions* #:*persons-hooks*
   #:seal #:keep-types-of-encapsulated #:keep-type-of-encapsulated #:engine-symbols #:*may-wait* #:*own-folders* #:note-effect #:effect-history #:end-evaluation #:*escape-from-debugger* #:*condition-families*
   ;; regular-files
   #:with-regular-file
   ;; authors and the rest of lisp/authorship
   #:*lends* #:*author* #:*form-authors* #:author #:author-actor #:author-trusted #:function-authors #:code-digest #:closed-over #:note-definition #:keep-unnamed-untrusted #:close-definition #:review-authors #:author-object
   #:install-entries #:install-inline-remarks #:install-code-digests #:install-interpreted #:install-transforms #:call-removably
   #:with-guard-of #:call-lent #:lend-function #:call-for-authors #:call-as-authors #:make-author #:keep-symbol-macro #:own-expansion #:stored-macro-function #:stored-compiler-macro-function #:as-defined-by #:*compiles-for-itself*
   #:*written-unasked-p* #:*loading* #:make-loading #:*compiles-unseen* #:*unseen-files* #:written-here-p #:*system-at-work-p* #:written-unasked-p #:new-author #:unknown-author #:author-of-system-p #:end-author-of-load #:test-of-loaded-code #:*recorder* #:followed-p #:trust #:author-tests
   ;; clock
   #:start-clock #:stop-clock #:resume-clock #:*tick-work* #:keep-clock-awake #:call-with-deadline #:with-deadline
   ;; interruptions
   #:send-waiting-interruptions #:forget-interruptions
   ;; printer
   #:*guarded-printing* #:print-guarded #:print-value #:print-whole #:print-short #:print-report #:*reports* #:with-plain-printing
   #:with-users-printing
   ;; conditions
   #:condition-object #:type-name #:message #:without-reader-place #:prefixed-p
   ;; contexts
   #:find-context #:ensure-context #:forget-context #:context-package #:context-package-name #:context-variable #:call-with-defaults-of #:call-sharing-libraries #:context-last-error #:context-last-locations
   #:context-last-code #:reset-reader-and-printer #:enter-package #:designated-package #:live-package
   ;; handles
   #:hold #:held-object #:release-holder #:release-everything #:begin-handles-anew #:keep-held #:handle-tables #:value-object
   ;; forms
   #:read-form #:crlf-text-p #:plain-line-ends #:counts-as-definition-p #:form-definition #:defining-name-p #:skip-to-form #:utf-16-offset
   ;; evaluations and workers
   #:*evaluation* #:*given-plist* #:*given-namestring* #:given-plist #:author-name #:make-evaluation #:evaluation-id #:evaluation-tag #:evaluation-actor #:evaluation-context #:evaluation-request #:evaluation-form #:evaluation-warnings
   #:evaluation-sink #:evaluation-partial-result #:evaluation-defines-p #:evaluation-form-text #:start-worker
   #:worker-p #:stop-workers #:forget-workers #:resume-workers #:await-rest #:parked-evaluations #:user-threads
   #:running-evaluations #:overtaken-evaluations #:evaluation-beside #:find-evaluation #:enqueue-evaluation #:interrupt-evaluation #:hold-or-interrupt #:interrupted #:evaluation-interrupted #:evaluation-stopped-at #:terminate-evaluation #:give-up
   #:give-input #:*ask-in-place* #:as-line #:make-input-port #:with-parked-worker #:*before-job* #:*after-job* #:*idle-work* #:*job-reader* #:*lane-given*
   #:take-process-output #:flush-process-output #:claim-job #:release-baton #:run-evaluation #:call-with-outcome #:with-evaluation-streams #:keep-last-error #:report-timing #:note-warning #:*warning-placer* #:*replaced-file* #:advise #:install-advice #:take-engine-off #:surround #:surrounded #:inner-surrounded #:sound #:*keep-locals* #:evaluation-restorers #:*evaluator* #:note-reaching-outside #:*descriptors-held-p*
   #:warnings-array #:make-sink #:sink-cut #:discard-output #:renew-output-limit #:define-run #:context-environment #:call-without-debugger #:*debugger* #:*before-debugger* #:*on-unhandled* #:*loaded-form*
   #:*break-on-signals-type* #:call-in-evaluation #:debugger-hook #:call-nested-with-outcome #:*abort-report*
   #:finish-output-of #:map-code-frames #:map-outer-code-frames #:relevant-name-p #:relevant-frame-p #:call-text #:call-in-debugger #:*outer-restarts*
   #:evaluation-answered #:evaluation-steps-out #:evaluation-reader #:evaluation-forms #:print-values #:print-failure #:type-label #:evaluation-state #:evaluation-thread #:evaluation-started
   #:microseconds #:thread-label #:*before-running* #:keyword-of #:*before-reply* #:evaluate-text #:call-with-last-form #:call-measured
   #:end-with-error #:give-up-held #:await-given-up #:held-on-error-p #:retry #:*escape-from-debugger* #:with-engine-variables
   #:install-hooks #:record-essentials #:accept-essentials #:install-limits #:*when-short* #:collect-after-stopped #:collect-when-idle
   #:*exhausted* #:exhausted-p #:refuse #:note-chosen-restart #:end-user-thread #:beyond-return-p #:call-with-room #:start-engine-thread
   ;; image-hooks
   #:note-hooks #:leave-hooks
   ;; timers
   #:*timers-held* #:hold-timers #:release-timers #:mend-timers))
