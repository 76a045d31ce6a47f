;;;; Loads the engine's sources in order, each compiled in memory. Read by build.lisp and by the tests; the order is also
;;;; that of lisp-workbench.asd.

(cl:defpackage #:lisp-workbench/sources
  (:use #:cl)
  (:export #:*files* #:load-sources))

(cl:in-package #:lisp-workbench/sources)

(defparameter *files*
  '("internals"
    "protocol/package" "protocol/json" "protocol/json-reader" "protocol/frames" "protocol/writer" "protocol/operations"
    "evaluation/package" "evaluation/clock" "evaluation/streams" "evaluation/printer" "evaluation/conditions"
    "evaluation/contexts" "evaluation/handles" "evaluation/forms" "evaluation/evaluations"
    "evaluation/workers" "evaluation/input" "evaluation/evaluate" "evaluation/outcomes" "evaluation/runs"
    "evaluation/hooks" "evaluation/limits"
    "definitions/package" "definitions/baseline" "definitions/sweep"
    "introspection/package" "introspection/sources" "introspection/lambda-lists" "introspection/definitions"
    "introspection/describe" "introspection/syntax" "introspection/syntax-sharp"
    "introspection/node-places" "introspection/names" "introspection/matching"
    "introspection/locals" "introspection/calls" "introspection/completion" "introspection/arglist" "introspection/apropos"
    "introspection/packages" "introspection/places" "introspection/find-definition"
    "introspection/cross-references" "introspection/classes" "introspection/generic-functions"
    "introspection/expansion" "introspection/texts" "introspection/validation"
    "inspection/package" "inspection/parts" "inspection/views" "inspection/collections" "inspection/instances"
    "inspection/names" "inspection/functions" "inspection/atoms" "inspection/outside" "inspection/inspect"
    "inspection/changing"
    "profiling/package" "profiling/trace-events" "profiling/trace" "profiling/profile" "profiling/timing"
    "profiling/memory" "profiling/why-alive" "profiling/threads"
    "systems/package" "systems/registry" "systems/load"
    "control/package" "control/operations" "control/looking-up" "control/reading" "control/alone" "control/descriptors" "control/checkpoints"
    "control/main" "control/core"))

(defun load-sources (directory)
  (with-compilation-unit ()
    (dolist (file *files*)
      (load (merge-pathnames (concatenate 'string file ".lisp") directory)))))

(load-sources (make-pathname :name nil :type nil :version nil :defaults *load-truename*))
