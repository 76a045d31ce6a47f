(cl:defpackage #:lisp-workbench/protocol
  (:use #:cl #:lisp-workbench/internals)
  (:documentation "The wire: JSON, frames, the writer, and the table of operations. Knows nothing of evaluation.")
  (:export
   ;; json
   #:object #:array-of #:json-boolean #:field #:parse-json #:encode-json #:json-syntax-error
   ;; frames
   #:make-frame-reader #:descriptor-source #:next-frame #:frame-begun-p #:bad-length #:encode-frame
   ;; writer
   #:start-writer #:stop-writer #:resume-writer #:write-octets #:send #:send-now #:send-event #:hold-event #:flush-held #:drain-writer #:queue-full-p
   ;; operations
   #:define-operation #:refuse-operation #:find-operation #:operation-lane #:operation-function #:reply-ok #:reply-error
   ;; octet buffers, for tests
   #:make-octet-buffer #:buffer-text))
