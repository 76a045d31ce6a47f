;;;; Ends the process when the workbench has exited, or when frames from the workbench cannot be read.

(in-package #:lisp-workbench/protocol)

(defun leave (code message)
  "End the process at once, even if workers are stuck. Send nothing, because the workbench is no longer running."
  (when message
    (format sb-sys:*stderr* "~A~%" message)
    (finish-output sb-sys:*stderr*))
  (sb-alien:alien-funcall (sb-alien:extern-alien "_exit" (function sb-alien:void sb-alien:int)) code))

(defun leave-unheard (code)
  "End the process because the workbench has closed its end of the wire. Called by the first thread or checkpoint process that notices this.
Also end all other processes in the sandbox; otherwise processes that started their own session would continue and keep the sandbox running."
  (end-others-in-sandbox)
  (leave code nil))

(defun end-others-in-sandbox ()
  "End all other processes in the sandbox. Do nothing if this process is not in a sandbox."
  (when (and (equal "1" (sb-ext:posix-getenv "LISP_WORKBENCH_SANDBOX"))
             (equal "bwrap" (ignore-errors (with-open-file (stream "/proc/1/comm") (read-line stream)))))
    (sb-alien:alien-funcall (sb-alien:extern-alien "kill" (function sb-alien:int sb-alien:int sb-alien:int)) -1 9)))
