;;;; The engine as a system: its files in the order in which they are loaded. The program itself never loads it by ASDF: it
;;;; builds a core with build.lisp, which takes the order from here through load.lisp.

(defsystem "lisp-workbench"
  :description "The Lisp engine of Lisp Workbench: evaluation, look-ups and systems behind a wire of JSON frames."
  :license "MIT"
  :depends-on ("sb-posix" "sb-introspect" "sb-bsd-sockets" "sb-cltl2" "sb-sprof")
  :serial t
  :components
  ((:file "internals")
   (:file "resolving")
   (:module "protocol" :serial t
    :components ((:file "package") (:file "json") (:file "json-reader") (:file "frames") (:file "writer")
                 (:file "operations")))
   (:module "evaluation" :serial t
    :components ((:file "package") (:file "guarding") (:file "clock") (:file "streams") (:file "printer") (:file "conditions")
                 (:file "contexts") (:file "handles") (:file "forms") (:file "evaluations") (:file "effect-history")
                 (:file "workers") (:file "input") (:file "evaluate") (:file "outcomes") (:file "runs") (:file "hooks")
                 (:file "timers") (:file "limits") (:file "reset")))
   (:module "definitions" :serial t
    :components ((:file "package") (:file "baseline") (:file "events") (:file "states") (:file "restoring")
                 (:file "tracker") (:file "records") (:file "sweep")))
   (:module "introspection" :serial t
    :components ((:file "package") (:file "sources") (:file "lambda-lists") (:file "definitions") (:file "describe")
                 (:file "syntax") (:file "syntax-sharp") (:file "node-places") (:file "names") (:file "matching")
                 (:file "locals") (:file "calls") (:file "completion") (:file "arglist") (:file "apropos")
                 (:file "packages") (:file "places") (:file "find-definition") (:file "cross-references")
                 (:file "classes") (:file "generic-functions") (:file "expansion") (:file "texts")
                 (:file "validation")))
   (:module "debugger" :serial t
    :components ((:file "package") (:file "stepping") (:file "restarts") (:file "frames") (:file "frame-places") (:file "debuggers")
                 (:file "breakpoints") (:file "operations") (:file "recompilation")))
   (:module "provenance" :serial t
    :components ((:file "package") (:file "history") (:file "labels") (:file "undo") (:file "nodes") (:file "export")
                 (:file "file-forms") (:file "file-states")))
   (:module "inspection" :serial t
    :components ((:file "package") (:file "parts") (:file "views") (:file "collections") (:file "instances")
                 (:file "names") (:file "functions") (:file "atoms") (:file "outside") (:file "inspect")
                 (:file "changing")))
   (:module "profiling" :serial t
    :components ((:file "package") (:file "trace-events") (:file "trace") (:file "profile") (:file "timing")
                 (:file "memory") (:file "why-alive") (:file "threads")))
   (:module "compilation" :serial t
    :components ((:file "package") (:file "readings") (:file "places") (:file "diagnostics") (:file "undefined")
                 (:file "standing") (:file "compile") (:file "hooks")))
   (:module "systems" :serial t
    :components ((:file "package") (:file "scan") (:file "trust") (:file "registry") (:file "progress") (:file "load")
                 (:file "describe") (:file "graph") (:file "libraries") (:file "test")))
   (:module "effects" :serial t
    :components ((:file "package") (:file "condition") (:file "paths") (:file "targets") (:file "table")
                 (:file "decisions") (:file "guard") (:file "tampering")))
   (:module "control" :serial t
    :components ((:file "package") (:file "operations") (:file "looking-up") (:file "reading") (:file "alone")
                 (:file "descriptors") (:file "checkpoints") (:file "worlds") (:file "main") (:file "core")))))
