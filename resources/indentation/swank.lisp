;;;; The image that Emacs learns from: the libraries, and a Swank server, whose port it prints itself.

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
;; Whoever started this holds its standard input and closes it.
(read-line *standard-input* nil)
(uiop:quit)
