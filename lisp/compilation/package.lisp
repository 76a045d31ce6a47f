(cl:defpackage #:lisp-workbench/compilation
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/protocol #:lisp-workbench/evaluation #:lisp-workbench/recording)
  (:import-from #:lisp-workbench/files #:write-stamp)
  (:import-from #:lisp-workbench/definitions #:*form-finder* #:key-symbol #:note-loaded-text)
  (:import-from #:lisp-workbench/nodes
                #:read-nodes #:node-at-path #:node-kind #:node-children #:node-start #:node-end #:node-name #:character-offset #:blank-p #:numbered-nodes)
  (:import-from #:lisp-workbench/introspection #:file-text #:top-level-node #:existing-file)
  (:documentation "Compiles texts and files, and reports each compiler diagnostic at its exact place.")
  (:export #:install-compilation #:make-compilation #:call-with-diagnostics #:compilation-diagnostics
           #:compilation-failed #:compilation-total #:compilation-wanted-p #:note-failure #:fault-place #:fault-place-alone #:call-original-action #:diagnostics-by-file #:files-without-fault #:call-telling-diagnostics
           #:make-temporary-directory #:delete-directory-quietly #:note-coverage))
