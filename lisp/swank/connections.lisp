;;;; Connections of Emacs. First the core listens, requests the secret and accepts the connection; then this image connects to the core, and
;;;; SWANK serves the requests. Therefore SWANK has no threads while Emacs is not connected, and no code in the image waits for unknown
;;;; clients. All threads of a connection work for the evaluation that started it, and act for its actor.

(in-package #:lisp-workbench/swank)

(defconstant +end-seconds+ 3 "The maximum time, in seconds, to wait for the end of SWANK's threads.")

;;; This look-up is not queued, because the person may connect Emacs precisely because the running evaluation does not end.
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
  "Return an octet stream connected to PORT of this machine, where the core waits for NONCE."
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
  "Prevent SWANK from changing the image's own debugger, streams and log. SWANK's own threads still use the streams and the debugger of
Emacs."
  (dolist (name '("*GLOBAL-DEBUGGER*" "*GLOBALLY-REDIRECT-IO*"))
    (let ((symbol (find-symbol name "SWANK")))
      (when (and symbol (boundp symbol)) (setf (symbol-value symbol) nil))))
  (setf (symbol-value (swank-symbol "*LOG-OUTPUT*")) (make-broadcast-stream))
  (pushnew 'forget-served (symbol-value (swank-symbol "*CONNECTION-CLOSED-HOOK*")))
  (pushnew 'finish-telling (symbol-value (swank-symbol "*PRE-REPLY-HOOK*")))
  (install-telling))

(defun serve (evaluation stream)
  "Make SWANK serve STREAM in threads that work for EVALUATION. The threads end with the connection."
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

(defconstant +most-output+ 1000000000 "The maximum number of output characters that the threads of a connection send.")

(defun whole-evaluation (request)
  "Return the evaluation for which the threads of a connection work. Their output to streams other than those of Emacs is treated as output
of the process, because no REPL of the workbench shows this evaluation."
  (make-evaluation :id (field request "evaluation") :actor (field request "actor") :context (field request "context")
                   :request request :sink (make-sink nil +most-output+) :state :running))

(defun forget-served (connection)
  "End the evaluations that still run for CONNECTION, because the REPL in Emacs no longer exists. Called by SWANK after the connection was
closed."
  (let ((served (served-by connection)))
    (when served
      (dolist (thread (forget served))
        (unless (eq thread sb-thread:*current-thread*)
          (ignore-errors (sb-thread:terminate-thread thread)))))))

(defun swank-reason ()
  "Return a sentence that explains why the image cannot be forked while Emacs is connected. Return NIL if Emacs is not connected."
  (and *served*
       (format nil "Emacs is connected through SWANK, whose threads cannot be part of a checkpoint. Checkpoints are possible ~
                    again when Emacs disconnects or SWANK is stopped.")))
