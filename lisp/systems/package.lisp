(cl:defpackage #:lisp-workbench/systems
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/protocol #:lisp-workbench/evaluation
        #:lisp-workbench/definitions #:lisp-workbench/compilation #:lisp-workbench/nodes #:lisp-workbench/introspection)
  (:import-from #:lisp-workbench/files #:write-stamp #:make-old)
  (:documentation "ASDF systems: lists the available systems, and loads them.")
  (:export #:prepare-asdf #:install-progress #:install-asdf-data #:seal-progress #:system-under-way #:system-file-under-way #:take-environment #:project-directory
           #:compile-component-again #:*tells-loaded* #:load-with-libraries #:found-system #:install-missing #:bookkeeping-home #:load-client-into-core #:*library-guard* #:*dist-guard* #:*guarded-p* #:release-facts-dist #:release-facts-version #:release-facts-project #:release-facts-prefix #:release-facts-size #:release-facts-md5 #:release-facts-licence #:require-files #:tests-of-system #:with-places-of-faults #:place-of-fault #:tested-systems #:read-project-systems #:tests-defined-p #:canonical-name #:dependency-names #:call-with-progress #:files-of-loaded-systems #:told-in-lines))
