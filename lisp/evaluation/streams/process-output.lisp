;;;; Output to the process's descriptors 1 and 2: from C, from programs that code starts with :OUTPUT T, and through SBCL's own streams for
;;;; these descriptors. The core displays this output and adds it to the reply of the running evaluation. Therefore the buffers are flushed
;;;; before the reply is sent.

(in-package #:lisp-workbench/evaluation)

(sb-ext:defglobal *process-streams* '()) ; SBCL's streams for both descriptors, stored here because code may set the variables that contain
                                         ; them

(defconstant +line-buffered+ 1 "_IOLBF of the system's stdio.h.")

(defun take-process-output ()
  "Make C buffer its standard output by lines, as for a terminal. When writing to a pipe, C would buffer whole blocks, and the output would
appear late. Called when the image starts."
  (setf *process-streams* (remove-if-not (lambda (stream) (typep stream 'sb-sys:fd-stream)) (list sb-sys:*stdout* sb-sys:*stderr*)))
  (sb-alien:alien-funcall
   (sb-alien:extern-alien "setvbuf" (function sb-alien:int sb-sys:system-area-pointer sb-sys:system-area-pointer
                                              sb-alien:int sb-alien:unsigned-long))
   (sb-alien:extern-alien "stdout" sb-sys:system-area-pointer) (sb-sys:int-sap 0) +line-buffered+ 0))

(defconstant +unread-octets+ #x5411 "TIOCOUTQ of Linux's ioctls.h: the number of written octets that the reader has not read.")

(defun process-output-unread-p ()
  "Return false if the core is certain to have read everything that this process wrote to its descriptors 1 and 2; otherwise true."
  #-linux t
  #+linux (not (and (eql 0 (unread-octets 1)) (eql 0 (unread-octets 2)))))

#+linux
(defun unread-octets (descriptor)
  "Return the number of unread octets, or NIL if the system does not report it."
  (sb-alien:with-alien ((count sb-alien:int 0))
    (when (zerop (sb-alien:alien-funcall
                  (sb-alien:extern-alien "ioctl" (function sb-alien:int sb-alien:int sb-alien:unsigned-long (* sb-alien:int)))
                  descriptor +unread-octets+ (sb-alien:addr count)))
      count)))

(defun flush-process-output ()
  "Flush the buffers of both descriptors. Called when an evaluation has ended. Also called before the process forks, because otherwise both
processes would write the buffered text."
  (dolist (stream *process-streams*)
    (ignore-errors (finish-output stream)))
  (sb-alien:alien-funcall
   (sb-alien:extern-alien "fflush" (function sb-alien:int sb-sys:system-area-pointer))
   (sb-alien:extern-alien "stdout" sb-sys:system-area-pointer)))
