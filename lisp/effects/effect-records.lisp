;;;; The records of settled effects, which are reported in the reply of their evaluation and by events.

(in-package #:lisp-workbench/effects)

(defconstant +most-strays+ 50 "The maximum number of effects per second that are reported for code outside evaluations; further effects are
only counted.")

(sb-ext:defglobal *stray-second* 0)
(sb-ext:defglobal *strays* 0)
(sb-ext:defglobal *untold* 0)

(defun note (effect outcome target &key (kind (effect-kind effect)) once)
  "Record EFFECT and its OUTCOME for the reply of the evaluation. Return false if the effect was not added to the list."
  (and *evaluation*
       (note-effect *evaluation*
                    (object "kind" kind "operator" (effect-operator effect)
                            "target" (bounded target +longest-fact+) "outcome" outcome)
                    once)))

(defun tell (effect outcome &key (kind (effect-kind effect)) (target (effect-target effect)) once)
  "Record EFFECT as NOTE does, and send an event about it. Used for effects that the image itself decided on."
  (when (if *evaluation* (note effect outcome target :kind kind :once once) (stray-told-p))
    (send-event "effect-recorded"
                "evaluation" (and *evaluation* (evaluation-id *evaluation*))
                "actor" (and *evaluation* (evaluation-actor *evaluation*))
                "kind" kind
                "operator" (effect-operator effect)
                "target" (bounded target +longest-target+)
                "path" (effect-path effect)
                "system" (system-under-way)
                "outcome" outcome
                "more" (if *evaluation* 0 (shiftf *untold* 0)))))

(defun stray-told-p ()
  "Return true if another event for an effect outside evaluations may be sent in this second. The limit is necessary because a print method
could try the same effect a million times."
  (let ((second (get-universal-time)))
    (unless (eql second *stray-second*)
      (setf *stray-second* second *strays* 0))
    (or (<= (incf *strays*) +most-strays+)
        (progn (incf *untold*) nil))))
