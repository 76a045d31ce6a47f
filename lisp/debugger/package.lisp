(cl:defpackage #:lisp-workbench/debugger
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/protocol #:lisp-workbench/evaluation
        #:lisp-workbench/definitions #:lisp-workbench/nodes #:lisp-workbench/introspection)
  (:documentation "The debugger: conditions, restarts, frames with their locals, evaluation in a frame, stepping, breakpoints.")
  (:export #:install-debugger #:collect-frames #:frame-object #:frame-record-name #:line-of-frame
           #:renew-breakpoints #:take-off-breakpoints #:forget-stepping
           #:method-name-node #:method-target #:named-method #:names-method-p #:method-name-words #:forget-effective-methods))
