;;;; Connections of Emacs. The other end has listened, asked for the secret and taken the connection; this image connects to it in turn,
;;;; and SWANK serves what comes. So no thread of SWANK is here while Emacs is not, and nobody in the image waits for strangers.
;;;; All threads of a connection work for the evaluation by which it began, and are its actor's.

(in-package #:lisp-workbench/swank)

(defconstant +end-seconds+ 3 "The longest wait, in seconds, for SWANK's threads to end.")

;;; Looked up and not run in turn: Emacs may come just because what has the turn does not end.
(define-operation "serve-swank" (:looking-up request)
  (let ((loaded (swank-loaded-p)))
    (when loaded
      (without-guard
        (prepare-swank)
        (serve (whole-evaluation request) (connected-stream (field request "port") (field request "nonce")))))
    (object "loaded" (json-boolean loaded) "version" (and loaded (swank-version)))))

(define-operation "end-swank" (:looking-up request)
  (dolist (served *served*)
    (ignore-errors (call-swank "CLOSE-CONNECTION" (served-connection served) nil nil)))
  (loop repeat (* 100 +end-seconds+)
        while (or *served* (swank-threads))
        do (sleep 1/100))
  (object "left" (length *served*)))

(defun swank-version ()
  (let ((version (ignore-errors (swank-value "*SWANK-WIRE-PROTOCOL-VERSION*"))))
    (and version (princ-to-string version))))

(defun connected-stream (port nonce)
  "A stream of octets to the connection that waits for NONCE at PORT of this machine."
  (let ((socket (make-instance 'sb-bsd-sockets:inet-socket :type :stream :protocol :tcp)) (connected nil))
    (unwind-protect
         (progn
           (sb-bsd-sockets:socket-connect socket #(127 0 0 1) port)
           (let ((stream (sb-bsd-sockets:socket-make-stream socket :input t :output t :element-type '(unsigned-byte 8)
                                                                   :buffering :full)))
             (write-sequence (map '(vector (unsigned-byte 8)) #'char-code nonce) stream)
             (finish-output stream)
             (setf connected t)
             stream))
      (unless connected (sb-bsd-sockets:socket-close socket)))))

(defun prepare-swank ()
  "Let SWANK leave the image's own debugger, streams and log alone: in its own threads it has those of Emacs by itself."
  (dolist (name '("*GLOBAL-DEBUGGER*" "*GLOBALLY-REDIRECT-IO*"))
    (let ((symbol (find-symbol name "SWANK")))
      (when (and symbol (boundp symbol)) (setf (symbol-value symbol) nil))))
  (setf (symbol-value (swank-symbol "*LOG-OUTPUT*")) (make-broadcast-stream))
  (pushnew 'forget-served (symbol-value (swank-symbol "*CONNECTION-CLOSED-HOOK*")))
  (pushnew 'finish-telling (symbol-value (swank-symbol "*PRE-REPLY-HOOK*")))
  (install-telling))

(defun serve (evaluation stream)
  "Have SWANK serve STREAM, in threads that work for EVALUATION and end with the connection."
  (let* ((*evaluation* evaluation) (*persons-code* t) (served (make-served :evaluation evaluation)) (done nil))
    (unwind-protect
         (progn
           (sb-thread:with-mutex (*served-lock*) (push served *served*))
           (call-swank "START-SENTINEL")
           (let ((connection (call-swank "MAKE-CONNECTION" nil stream :spawn)))
             (setf (served-connection served) connection)
             (call-swank "SERVE-REQUESTS" connection))
           (setf done t))
      (unless done
        (forget served)
        (close stream :abort t)))))

(defconstant +most-output+ 1000000000 "The most characters of output of a connection's threads that are sent.")

(defun whole-evaluation (request)
  "Return the evaluation for which the threads of a connection work. What they write to other streams than those of Emacs is the process's
output: no REPL of the workbench shows this evaluation."
  (make-evaluation :id (field request "evaluation") :actor (field request "actor") :context (field request "context")
                   :request request :sink (make-sink nil +most-output+) :state :running))

(defun forget-served (connection)
  "Called by SWANK when CONNECTION has been closed: what still evaluates for it ends, as its REPL has."
  (let ((served (served-by connection)))
    (when served
      (dolist (thread (forget served))
        (unless (eq thread sb-thread:*current-thread*)
          (ignore-errors (sb-thread:terminate-thread thread)))))))

(defun swank-reason ()
  "Return a sentence that says why no copy of the image can be made while Emacs is connected; NIL while it is not."
  (and *served*
       (format nil "Emacs is connected through SWANK, whose threads no copy can have. Copies are made again when it has ~
                    disconnected, or SWANK is stopped.")))
