;;;; Cleanup that an interrupt cannot cut short. An evaluation may be interrupted while it unwinds because of an earlier
;;;; interrupt; a throw out of one of the engine's own cleanup forms would leave its records wrong for good.

(in-package #:lisp-workbench/evaluation)

(defmacro unwind-protect-without-interrupts (protected &body cleanup)
  "UNWIND-PROTECT whose CLEANUP runs with interrupts off, from its first instruction on. PROTECTED can be interrupted as before.
CLEANUP must be short, and call nothing of the user's."
  `(without-interrupts
     (unwind-protect (with-local-interrupts ,protected)
       ,@cleanup)))
