(cl:defpackage #:lisp-workbench/protocol
  (:use #:cl #:lisp-workbench/internals)
  (:documentation "The wire: JSON, frames, the writer, and the table of operations. It does not depend on evaluation.")
  (:export
   ;; json
   #:object #:array-of #:json-boolean #:field #:parse-json #:encode-json #:json-syntax-error
   ;; frames
   #:make-frame-reader #:descriptor-source #:next-frame #:frame-begun-p #:bad-length #:encode-frame
   ;; writer
   #:start-writer #:leave-wire #:stop-writer #:resume-writer #:revive-writer #:write-octets #:send #:send-now #:send-event #:drain-writer #:frames-waiting-p #:queue-full-p #:wait-for-room
   ;; leaving
   #:leave #:leave-unheard
   ;; operations
   #:define-operation #:refuse-operation #:find-operation #:operation-lane #:operation-seconds #:operation-function #:reply-ok #:reply-error
   ;; octet buffers, for tests
   #:make-octet-buffer #:buffer-text))
