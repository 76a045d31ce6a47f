(cl:defpackage #:lisp-workbench/definitions
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/protocol #:lisp-workbench/evaluation)
  (:documentation "Which packages and definitions are the user's, what changed since the last look, who changed it, and what was
there before.")
  (:export #:record-baseline #:user-packages #:baseline-system-p
           #:install-sweep #:sweep-pending #:originator #:map-own-symbols
           ;; events
           #:event-id #:event-kind #:event-key #:event-package #:event-operation #:event-actor #:event-evaluation #:event-time
           #:event-file #:event-offset #:event-line #:event-text #:event-read-package #:event-before #:event-parts
           #:event-earlier #:event-undoes #:event-name #:event-name-text-of #:event-name-text #:event-object #:make-event
           #:find-event #:latest-event #:map-events #:record-event #:note-touched
           ;; states
           #:capture #:restore #:state-kind #:state-fact #:key-symbol #:key-package #:method-key #:kind-label #:structure-function-names
           #:without-recording #:*form-text* #:forget-events))
