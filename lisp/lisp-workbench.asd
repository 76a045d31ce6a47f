;;;; The engine as a system, for reading it in another Lisp environment. The program itself never loads it by ASDF: it
;;;; builds a core with build.lisp, which takes the files from load.lisp in this order.

(defsystem "lisp-workbench"
  :description "The Lisp engine of Lisp Workbench: evaluation, look-ups and systems behind a wire of JSON frames."
  :license "MIT"
  :depends-on ("sb-posix" "sb-introspect" "sb-bsd-sockets" "sb-cltl2" "sb-sprof")
  :serial t
  :components ((:file "internals")
               (:module "protocol" :serial t
                :components ((:file "package") (:file "json") (:file "json-reader") (:file "frames") (:file "writer")
                             (:file "operations")))
               (:module "evaluation" :serial t
                :components ((:file "package") (:file "clock") (:file "streams") (:file "printer") (:file "conditions")
                             (:file "contexts") (:file "handles") (:file "forms") (:file "evaluations")
                             (:file "workers") (:file "input") (:file "evaluate") (:file "outcomes") (:file "runs")
                             (:file "hooks") (:file "limits")))
               (:module "definitions" :serial t
                :components ((:file "package") (:file "baseline") (:file "sweep")))
               (:module "introspection" :serial t
                :components ((:file "package") (:file "sources") (:file "lambda-lists") (:file "definitions")
                             (:file "describe") (:file "syntax") (:file "syntax-sharp")
                             (:file "node-places") (:file "names") (:file "matching")
                             (:file "locals") (:file "calls") (:file "completion") (:file "arglist")
                             (:file "apropos") (:file "packages") (:file "places")
                             (:file "find-definition") (:file "cross-references") (:file "classes")
                             (:file "generic-functions") (:file "expansion") (:file "texts") (:file "validation")))
               (:module "inspection" :serial t
                :components ((:file "package") (:file "parts") (:file "views") (:file "collections")
                             (:file "instances") (:file "names") (:file "functions") (:file "atoms")
                             (:file "outside") (:file "inspect") (:file "changing")))
               (:module "profiling" :serial t
                :components ((:file "package") (:file "trace-events") (:file "trace") (:file "profile") (:file "timing")
                             (:file "memory") (:file "why-alive") (:file "threads")))
               (:module "systems" :serial t
                :components ((:file "package") (:file "registry") (:file "load")))
               (:module "control" :serial t
                :components ((:file "package") (:file "operations") (:file "looking-up") (:file "reading")
                             (:file "alone") (:file "descriptors") (:file "checkpoints") (:file "main") (:file "core")))))
