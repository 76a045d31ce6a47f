;;;; The table of operations, which serve requests. Each operation is a function of the parsed request. Its lane determines the thread that
;;;; calls it.

(in-package #:lisp-workbench/protocol)

(defvar *operations* (make-hash-table :test #'equal) "A table that maps names on the wire to operations.")

(defconstant +look-up-seconds+ 5)

(defstruct operation
  lane
  function
  (seconds +look-up-seconds+)) ; default time limit of a look-up, in seconds

(defmacro define-operation (name (lane request &key (seconds +look-up-seconds+)) &body body)
  "Serve the requests whose op is NAME. LANE is :CONTROL (the control thread itself; must never wait), :LOOKING-UP (a look-up thread, at
most SECONDS), :WORKER (BODY must queue the work and ensure a reply), :DEFERRED (BODY passes the request to a thread that waits for its
result and ensures a reply) or :MAIN (the main thread itself; may take a moment). Except for :WORKER and :DEFERRED, the value of BODY is the
reply, and an error in BODY becomes an error reply."
  `(setf (gethash ,name *operations*)
         (make-operation :lane ,lane :seconds ,seconds
                         :function (lambda (,request) (declare (ignorable ,request)) ,@body))))

(defun refuse-operation (name function)
  "Answer the requests whose op is NAME with the error that FUNCTION signals, instead of serving them."
  (assert (find-operation name))
  (setf (gethash name *operations*) (make-operation :lane :control :function function)))

(defun find-operation (name)
  (gethash name *operations*))

(defun reply-ok (id reply)
  "Send REPLY as the reply to the request ID. If REPLY cannot be sent as a frame, send an error reply, because the caller would otherwise
wait forever."
  (handler-case (send-now (object "id" id "ok" reply))
    (type-error () (reply-error id "error" "The engine's reply is not JSON."))))

(defun reply-error (id type message)
  (send-now (object "id" id "error" (object "type" type "message" message))))
