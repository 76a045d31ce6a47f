;;;; The *QUERY-IO* and *DEBUG-IO* of a client's code. No person answers questions there.

(in-package #:lisp-workbench/evaluation)

(define-port aside-port ((aside-write-char "OUT" "COUT") (aside-write-string "SOUT") (aside-misc "MISC"))
  "The stream of *QUERY-IO* and *DEBUG-IO* in a client's code. As in plain SBCL, it follows *TERMINAL-IO* if the code binds or sets that
variable. While *TERMINAL-IO* is HOME, the text goes to OUTPUT. OUTPUT is visible to the person, but the client's reply omits it, as the
contract of evaluate-lisp requires."
  (home nil :read-only t)
  (output nil :read-only t))

(defmethod print-object ((port aside-port) stream)
  (print-unreadable-object (port stream)
    (write-string "output beside the reply" stream)))

(declaim (inline aside-target))
(defun aside-target (port)
  (declare (type aside-port port))
  (if (eq *terminal-io* (aside-port-home port)) (aside-port-output port) *terminal-io*))

(defun aside-write-char (port character)
  (write-char character (aside-target port)))

(defun aside-write-string (port string start end)
  (write-string string (aside-target port) :start start :end end))

(defun aside-misc (port operation argument)
  (declare (ignore argument))
  (answer-question operation
    (:column (charpos (aside-target port)))
    ((:finish-output :force-output) (finish-output (aside-target port)) nil)
    (:element-type 'character)
    (:element-mode 'character)
    (:external-format :utf-8)
    (:close t)))
