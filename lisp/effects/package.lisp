(cl:defpackage #:lisp-workbench/effects
  (:use #:cl #:lisp-workbench/internals #:lisp-workbench/files #:lisp-workbench/protocol #:lisp-workbench/evaluation
        #:lisp-workbench/debugger #:lisp-workbench/systems)
  (:import-from #:lisp-workbench/nodes #:read-nodes)
  (:import-from #:lisp-workbench #:effect-denied #:proceed #:proceed-always #:use-path #:deny #:temporary-directory)
  (:documentation "The guard: requests approval for effects outside the image when they are about to happen. It is a seat belt for ordinary
Lisp code: foreign calls and SBCL's internals bypass it.")
  (:export #:install-guard #:mend-guard #:mend-guard-before #:seal-guard #:note-places #:claim-temporary-folder #:note-other-work #:*others-at-work-p*))
