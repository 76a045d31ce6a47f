;;;; How the process ends when the workbench is gone, or when what came from it cannot be read.

(in-package #:lisp-workbench/protocol)

(defun leave (code message)
  "End the process at once, even when workers are stuck. Nobody is there any more to tell."
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
  "Where the processes are those of a sandbox alone, end all of them but this one."
  (when (and (equal "1" (sb-ext:posix-getenv "LISP_WORKBENCH_SANDBOX"))
             (equal "bwrap" (ignore-errors (with-open-file (stream "/proc/1/comm") (read-line stream)))))
    (sb-alien:alien-funcall (sb-alien:extern-alien "kill" (function sb-alien:int sb-alien:int sb-alien:int)) -1 9)))
