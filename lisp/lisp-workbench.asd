;;;; Defines the engine as a system and lists its files in load order. ASDF never loads this system in the program itself. The program
;;;; builds a core with build.lisp, which reads the order from this file through load.lisp.

(defsystem "lisp-workbench"
  :description "The Lisp engine of Lisp Workbench: evaluation, look-ups and systems, served through JSON frames."
  :license "MIT"
  :depends-on ("sb-posix" "sb-introspect" "sb-bsd-sockets" "sb-cltl2" "sb-sprof" "sb-cover")
  :serial t
  :components
  ((:file "internals")
   (:file "resolving")
   (:file "offered")
   (:file "file-status")
   (:module "protocol" :serial t
    :components ((:file "package") (:file "json") (:file "json-reader") (:file "frames") (:file "exit") (:file "writer")
                 (:file "operations")))
   (:module "evaluation/base" :serial t
    :components ((:file "package") (:file "unwinding") (:file "weak-maps") (:file "sha-256") (:file "advice") (:file "guarding") (:file "regular-files")))
   (:module "authorship" :serial t
    :components ((:file "authors") (:file "expansions") (:file "transforms") (:file "interpreted") (:file "file-authors") (:file "code-digests")))
   (:module "evaluation" :serial t
    :components ((:file "threads/clock") (:file "threads/interruptions") (:file "streams/stream-questions")
                 (:file "streams/streams") (:file "streams/aside-stream") (:file "streams/input-stream")
                 (:file "printing/long-numbers") (:file "printing/printer") (:file "printing/conditions")
                 (:file "contexts") (:file "threads/inheriting") (:file "defaults") (:file "printing/handles")
                 (:file "streams/line-ends") (:file "forms") (:file "streams/process-output") (:file "evaluations")
                 (:file "unreviewed") (:file "effect-history") (:file "redoing") (:file "essentials")
                 (:file "threads/workers") (:file "streams/input") (:file "threads/exhausted-stack")
                 (:file "evaluate") (:file "outcomes") (:file "runs") (:file "hooks") (:file "image-hooks")
                 (:file "threads/timers") (:file "threads/limits") (:file "reset")))
   (:module "definitions" :serial t
    :components ((:file "package") (:file "tool-packages") (:file "baseline") (:file "events") (:file "states") (:file "inlined-users") (:file "unchanged") (:file "restoring")
                 (:file "definition-places")
                 (:file "recorders") (:file "image-wide") (:file "tracker") (:file "records") (:file "sweep")))
   (:file "authorship/copied-forms")
   (:file "authorship/event-authors")
   (:file "authorship/guarded-expanders")
   (:module "nodes" :serial t
    :components ((:file "package") (:file "reader") (:file "dispatch") (:file "places") (:file "file-forms")))
   (:module "introspection" :serial t
    :components ((:file "package") (:file "sources") (:file "compiled-texts") (:file "lambda-lists") (:file "definitions") (:file "describe")
                 (:file "names") (:file "matching")
                 (:file "locals") (:file "calls") (:file "completion") (:file "arglist") (:file "apropos")
                 (:file "packages") (:file "indentation") (:file "counterparts") (:file "places") (:file "made-functions")
                 (:file "evaluated-forms") (:file "find-definition") (:file "cross-references") (:file "classes") (:file "slots") (:file "generic-functions")
                 (:file "expansion") (:file "texts") (:file "validation")))
   (:module "debugger" :serial t
    :components ((:file "package") (:file "stops") (:file "stepping") (:file "last-text") (:file "questions") (:file "restarts")
                 (:file "frames") (:file "calling-again") (:file "frame-places") (:file "debuggers") (:file "entered-frames") (:file "method-breakpoints")
                 (:file "breakpoints") (:file "breakpoint-conditions") (:file "line-breakpoints") (:file "operations") (:file "recompilation") (:file "methods") (:file "steppable-code")
                 (:file "callees") (:file "step-variables")))
   (:module "provenance" :serial t
    :components ((:file "package") (:file "history") (:file "labels") (:file "undo") (:file "stale-users") (:file "export")
                 (:file "file-states") (:file "rename")))
   (:module "inspection" :serial t
    :components ((:file "package") (:file "parts") (:file "views") (:file "collections") (:file "instances")
                 (:file "names") (:file "functions") (:file "atoms") (:file "outside") (:file "rows") (:file "plots") (:file "pictures")
                 (:file "inspect") (:file "finding") (:file "changing") (:file "keeping") (:file "defining-names")))
   (:module "profiling" :serial t
    :components ((:file "package") (:file "trace-events") (:file "trace-methods") (:file "trace") (:file "profile") (:file "profile-all") (:file "timing")
                 (:file "memory") (:file "why-alive") (:file "threads")))
   (:module "recording" :serial t
    :components ((:file "package") (:file "marked-forms") (:file "recorder") (:file "operations")))
   (:module "compilation" :serial t
    :components ((:file "package") (:file "readings") (:file "places") (:file "undecodable") (:file "diagnostics") (:file "undefined")
                 (:file "load-faults")
                 (:file "source-locations") (:file "coverage") (:file "marks") (:file "compile") (:file "warning-places") (:file "code-compilations") (:file "hooks")))
   (:module "systems" :serial t
    :components ((:file "package") (:file "scan") (:file "trust") (:file "library-tools") (:file "registry") (:file "changes") (:file "progress") (:file "exports") (:file "circular") (:file "missing") (:file "library-requests") (:file "load")
                 (:file "describe") (:file "graph") (:file "libraries") (:file "test") (:file "cover")))
   (:file "authorship/asdf-data")
   (:file "authorship/package")
   (:file "authorship/trials")
   (:file "authorship/install")
   (:module "testing" :serial t
    :components ((:file "package") (:file "frameworks") (:file "records") (:file "sources") (:file "fiveam") (:file "fiasco") (:file "rt")
                 (:file "parachute") (:file "rove") (:file "lisp-unit2") (:file "1am") (:file "prove") (:file "observing")
                 (:file "test-system") (:file "system-tests")
                 (:file "running")))
   (:module "effects" :serial t
    :components ((:file "package") (:file "condition") (:file "paths") (:file "unasked") (:file "digest") (:file "targets")
                 (:file "descriptor-targets") (:file "file-targets") (:file "network-targets") (:file "process-targets")
                 (:file "programs") (:file "table") (:file "private-files") (:file "places") (:file "holding") (:file "scripts") (:file "decisions") (:file "effect-records")
                 (:file "openings") (:file "guard") (:file "libraries") (:file "loading") (:file "gates") (:file "tampering")))
   (:module "swank" :serial t
    :components ((:file "package") (:file "names") (:file "loading") (:file "served") (:file "evaluations") (:file "connections")))
   (:module "control" :serial t
    :components ((:file "package") (:file "operations") (:file "looking-up") (:file "reading") (:file "alone")
                 (:file "descriptors") (:file "checkpoints") (:file "worlds") (:file "executables") (:file "main") (:file "core")))))
