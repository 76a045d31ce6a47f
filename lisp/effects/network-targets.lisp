;;;; Network effects: the address to which a socket connects, and a check that the socket is genuine.

(in-package #:lisp-workbench/effects)

(defun look-at-connection (socket &rest peer)
  (if (abstract-socket-p socket)
      (make-effect (format nil "abstract socket ~A" (if (stringp (first peer))
                                                        (first peer)
                                                        (map 'string #'code-char (first peer)))))
      (peer-effect peer)))

(defun abstract-socket-p (socket)
  "Return true if SOCKET is a local socket whose address is not a file name. Some systems have such sockets."
  (let ((class (find-symbol "LOCAL-ABSTRACT-SOCKET" "SB-BSD-SOCKETS")))
    (and class (find-class class nil) (typep socket class))))

(defun look-at-listening (socket &rest more)
  (declare (ignore more))
  (peer-effect (multiple-value-list (ignore-errors (sb-bsd-sockets:socket-name socket)))))

(defun look-at-datagram (socket buffer length &key address &allow-other-keys)
  (or (look-at-own-socket socket)
      (when address
        (let ((effect (apply #'look-at-connection socket address)))
          (push (cons "size" (format nil "~D" (or length (length buffer)))) (effect-facts effect))
          effect))))

(defun peer-effect (peer)
  (destructuring-bind (&optional address port) peer
    (if (typep address '(or string pathname))
        (multiple-value-bind (path links kernels) (real-name (posix-name address))
          (let ((effect (make-effect path :path path :links links)))
            ;; The system does not accept long names for sockets. A short name is therefore not replaced by its real name, unless it could
            ;; lead elsewhere.
            (when (or kernels (not (stringp address)))
              (setf (effect-held effect) (lambda (arguments) (substitute path address arguments :test #'eq))))
            effect))
        (make-effect (format nil "~A:~A" (address-text address) port)))))

(defun look-at-name-query (host &rest more)
  "Return the effect of a resolver query. A query sends the name or address to a server, with any data that code has put into it."
  (declare (ignore more))
  (make-effect (format nil "name server, asking for ~A" (if (stringp host) host (address-text host)))))

(defun address-text (address)
  (cond ((null address) "?")
        ((= (length address) 4) (format nil "~{~D~^.~}" (coerce address 'list)))
        (t (format nil "[~(~{~X~^:~}~)]" (loop for index from 0 below (length address) by 2
                                              collect (+ (* 256 (elt address index)) (elt address (1+ index))))))))

(defun look-at-own-socket (socket &rest more)
  (declare (ignore more))
  (if (plain-descriptor-p socket)
      (when (member (sb-bsd-sockets:socket-file-descriptor socket) *own-descriptors*)
        (own-connection))
      (let ((effect (make-effect "a socket")))
        (setf (effect-refused effect)
              "The code itself supplies the descriptor of this socket, and could supply another one when the socket is used")
        effect)))

(defmethod shared-initialize :before ((socket sb-bsd-sockets:socket) slots &key descriptor &allow-other-keys)
  "Deny sockets on the connection with the workbench, because garbage collection of such a socket would close the connection."
  (declare (ignore slots))
  (when (and *guard* descriptor (own-descriptor-p descriptor))
    (let ((effect (own-connection)))
      (setf (effect-kind effect) "process" (effect-operator effect) "MAKE-INSTANCE")
      (deny-effect effect (effect-refused effect)))))

(defun look-at-setting-socket (new socket)
  (declare (ignore new))
  (look-at-own-socket socket))

(defun plain-descriptor-p (socket)
  "Return true if SOCKET-FILE-DESCRIPTOR returns the value of SOCKET's slot, which means that no method of user code is called before the
slot's reader."
  (let ((methods (compute-applicable-methods #'sb-bsd-sockets:socket-file-descriptor (list socket))))
    (and (eq (find-class 'standard-class) (class-of (class-of socket)))
         (null (rest methods))
         (typep (first methods) 'sb-mop:standard-reader-method))))

(defun copied-socket (socket)
  "Return a socket of the same class as SOCKET with its current slot values."
  (let ((copy (allocate-instance (class-of socket))))
    (dolist (slot (sb-mop:class-slots (class-of socket)) copy)
      (let ((name (sb-mop:slot-definition-name slot)))
        (when (and (eq :instance (sb-mop:slot-definition-allocation slot)) (slot-boundp socket name))
          (setf (slot-value copy name) (slot-value socket name)))))))
