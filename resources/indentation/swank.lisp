;;;; The image from which Emacs learns indentation. It contains the libraries and a Swank server, and prints the server's port.

(require :asdf)
(require :sb-bsd-sockets)
(require :sb-introspect)
(let ((*standard-output* (make-broadcast-stream))
      (*error-output* (make-broadcast-stream)))
  (dolist (system (uiop:command-line-arguments))
    (asdf:load-system system))
  (load "/usr/share/common-lisp/source/slime/swank-loader.lisp"))
(uiop:symbol-call '#:swank-loader '#:init)
(uiop:symbol-call '#:swank '#:create-server :port 0 :dont-close t)
;; Waits until the process that started this image closes its standard input.
(read-line *standard-input* nil)
(uiop:quit)
