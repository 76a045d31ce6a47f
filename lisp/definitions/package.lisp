(cl:defpackage #:lisp-workbench/definitions
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/protocol #:lisp-workbench/evaluation)
  (:documentation "Tracks the user's packages and definitions: their changes since the last check, the actors of these changes, and the
previous states.")
  (:export #:record-baseline #:user-packages #:baseline-system-p #:tool-system-p
           #:method-code #:qualifiers-of #:specializer-names #:install-sweep #:install-expanders #:install-copied-forms #:note-beside #:sweep-pending #:tell-defined #:originator #:map-own-symbols
           ;; events
           #:event-id #:event-kind #:event-key #:event-package #:event-operation #:event-actor #:event-evaluation #:event-time
           #:event-file #:event-offset #:event-line #:event-text #:event-read-package #:event-before #:event-parts
           #:event-unchanged #:event-earlier #:event-undoes #:event-authors #:event-name #:event-name-text-of #:event-name-text #:event-object #:make-event
           #:find-event #:begin-ids-anew #:latest-event #:map-events #:record-event #:inlined-changes #:users-of #:key-of-code #:note-loaded-text #:call-as-made #:close-authors #:make-restored #:note-touched #:note-facets-touched
           ;; states
           #:capture #:restore #:state-kind #:state-fact #:key-symbol #:key-package #:method-key #:kind-label #:structure-function-names
           #:without-recording #:*after-definition* #:*form-text* #:*form-finder* #:forget-events))
