;;;; The table of requests. Each operation is a function of the parsed request; its lane tells which thread calls it.

(in-package #:lisp-workbench/protocol)

(defvar *operations* (make-hash-table :test #'equal) "Name on the wire → operation.")

(defstruct operation lane function)

(defmacro define-operation (name (lane request) &body body)
  "Serve the requests whose op is NAME. LANE is :CONTROL (the control thread itself; must never wait), :LOOKING-UP (a
thread for look-ups, five seconds at most), :WORKER (BODY has to queue the work and see to the reply) :DEFERRED (BODY hands
the request to a thread that waits for it, which sees to the reply) or :MAIN (the main thread itself; may take a moment).
Except for :WORKER and :DEFERRED the value of BODY is the reply; an error in it becomes an error reply."
  `(setf (gethash ,name *operations*)
         (make-operation :lane ,lane :function (lambda (,request) (declare (ignorable ,request)) ,@body))))

(defun refuse-operation (name function)
  "Answer the requests whose op is NAME with what FUNCTION signals, instead of serving them."
  (assert (find-operation name))
  (setf (gethash name *operations*) (make-operation :lane :control :function function)))

(defun find-operation (name)
  (gethash name *operations*))

(defun reply-ok (id reply)
  (send-now (object "id" id "ok" reply)))

(defun reply-error (id type message)
  (send-now (object "id" id "error" (object "type" type "message" message))))
