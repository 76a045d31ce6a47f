;;;; Cleanup that an interrupt cannot cut short. An evaluation may be interrupted again while it unwinds because of an earlier interrupt. A
;;;; throw out of one of the engine's own cleanup forms would leave the engine's records permanently wrong.

(in-package #:lisp-workbench/evaluation)

(defmacro unwind-protect-without-interrupts (protected &body cleanup)
  "Like UNWIND-PROTECT, but CLEANUP runs with interrupts off from its first instruction. PROTECTED can be interrupted as usual. CLEANUP must
be short and must not call user code."
  `(without-interrupts
     (unwind-protect (with-local-interrupts ,protected)
       ,@cleanup)))
