;;;; The table of requests. Each operation is a function of the parsed request; its lane tells which thread calls it.

(in-package #:lisp-workbench/protocol)

(defvar *operations* (make-hash-table :test #'equal) "Name on the wire → operation.")

(defconstant +look-up-seconds+ 5)

(defstruct operation
  lane
  function
  (seconds +look-up-seconds+)) ; how long a look-up may take

(defmacro define-operation (name (lane request &key (seconds +look-up-seconds+)) &body body)
  "Serve the requests whose op is NAME. LANE is :CONTROL (the control thread itself; must never wait), :LOOKING-UP (a
thread for look-ups, SECONDS at most), :WORKER (BODY has to queue the work and see to the reply) :DEFERRED (BODY hands
the request to a thread that waits for it, which sees to the reply) or :MAIN (the main thread itself; may take a moment).
Except for :WORKER and :DEFERRED the value of BODY is the reply; an error in it becomes an error reply."
  `(setf (gethash ,name *operations*)
         (make-operation :lane ,lane :seconds ,seconds
                         :function (lambda (,request) (declare (ignorable ,request)) ,@body))))

(defun refuse-operation (name function)
  "Answer the requests whose op is NAME with what FUNCTION signals, instead of serving them."
  (assert (find-operation name))
  (setf (gethash name *operations*) (make-operation :lane :control :function function)))

(defun find-operation (name)
  (gethash name *operations*))

(defun reply-ok (id reply)
  "Answer the request ID. What no frame can hold is an error reply: whoever asked must not wait for good."
  (handler-case (send-now (object "id" id "ok" reply))
    (type-error () (reply-error id "error" "The engine's reply is not JSON."))))

(defun reply-error (id type message)
  (send-now (object "id" id "error" (object "type" type "message" message))))
