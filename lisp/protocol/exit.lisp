;;;; The end of the process when the workbench is gone, or when frames from it cannot be read.

(in-package #:lisp-workbench/protocol)

(defun leave (code message)
  "End the process at once, even when workers are stuck, and without telling anybody, since nobody is there any more."
  (when message
    (format sb-sys:*stderr* "~A~%" message)
    (finish-output sb-sys:*stderr*))
  (sb-alien:alien-funcall (sb-alien:extern-alien "_exit" (function sb-alien:void sb-alien:int)) code))

(defun leave-unheard (code)
  "End the process because nobody is at the other end of the wire. Whichever thread or frozen copy notices it first calls this: what
code started in a session of its own would go on, and the sandbox with it."
  (end-others-in-sandbox)
  (leave code nil))

(defun end-others-in-sandbox ()
  "End all other processes of the sandbox; nothing where the process runs in none."
  (when (and (equal "1" (sb-ext:posix-getenv "LISP_WORKBENCH_SANDBOX"))
             (equal "bwrap" (ignore-errors (with-open-file (stream "/proc/1/comm") (read-line stream)))))
    (sb-alien:alien-funcall (sb-alien:extern-alien "kill" (function sb-alien:int sb-alien:int sb-alien:int)) -1 9)))
