;;;; Effects on descriptors. The descriptors of the connection with the workbench may not be used; any other descriptor represents its file.

(in-package #:lisp-workbench/effects)

(sb-ext:defglobal *own-descriptors* '(3 4)
  "The descriptors of the image's connection with the workbench, and the descriptors of files that the engine has currently opened for its
own work.")

(sb-ext:defglobal *held-descriptors* '()) ; descriptors that keep files open for running calls, see holding.lisp

(defun own-descriptor-p (descriptor)
  (let ((number (if (integerp descriptor) descriptor (ignore-errors (sb-posix:file-descriptor descriptor)))))
    (or (member number *own-descriptors*) (member number *held-descriptors*))))

(defun look-at-own-descriptor (&rest arguments)
  "If ARGUMENTS contain a descriptor of the connection with the workbench, return an effect; otherwise NIL."
  (when (some #'own-descriptor-p (remove-if-not (lambda (each) (typep each '(or integer stream)))
                                                (subseq arguments 0 (min 2 (length arguments)))))
    (own-connection)))

(defun own-connection ()
  "Return the effect on one of the engine's own descriptors; this effect is always refused."
  (let ((effect (make-effect "the connection between this image and the workbench")))
    (setf (effect-refused effect) "Code must not use the connection through which the workbench controls the image")
    effect))

(defun descriptor-effect (descriptor &key change facts)
  (let ((name (descriptor-name descriptor)))
    (if name
        (let ((effect (let ((*name-reader* 'identity)) (file-effect name :change change :facts facts))))
          ;; Another thread can replace the descriptor's file with another file. The effect therefore always needs approval, wherever the
          ;; file is located.
          (push (effect-path effect) (effect-links effect))
          effect)
        (make-effect (format nil "file descriptor ~D" (sb-posix:file-descriptor descriptor))
                     :change change :facts (append (and change (list (cons "change" change))) facts)))))

(defun look-at-descriptor (descriptor &rest more)
  (declare (ignore more))
  (descriptor-effect descriptor))

(defun look-at-cutting-descriptor (descriptor &optional length)
  (descriptor-effect descriptor :change "cuts off" :facts (list (cons "new size" (format nil "~A" length)))))

(defun look-at-descriptors-mode (descriptor mode)
  (descriptor-effect descriptor :change "mode" :facts (mode-facts mode)))

(defun look-at-descriptors-owner (descriptor owner group)
  (descriptor-effect descriptor :change "owner" :facts (owner-facts owner group)))

(defun look-at-descriptor-stream (descriptor &key file original &allow-other-keys)
  "Return the effect of MAKE-FD-STREAM if its arguments include the private ones of OPEN, because CLOSE then deletes or renames the files
that they name."
  (or (look-at-own-descriptor descriptor)
      (when (or file original)
        (let ((effect (make-effect (format nil "~A" (or file original)))))
          (setf (effect-refused effect) "Closing this stream would delete or rename the given file. Use OPEN instead")
          effect))))

(defun held-from-look (gate arguments)
  "Return ARGUMENTS with mutable objects replaced by copies, or by the values inspected now, so that the call uses what was inspected even
if other code changes the originals."
  (if (gate-held gate) (funcall (gate-held gate) arguments) arguments))

(defun descriptor-number (designator)
  (if (integerp designator) designator (sb-posix:file-descriptor designator)))

(defun held-descriptor (arguments)
  (cons (descriptor-number (first arguments)) (rest arguments)))

(defun held-descriptors (arguments)
  (mapcar #'descriptor-number arguments))

(defun held-socket (arguments)
  "Return ARGUMENTS with a private copy of the socket."
  (if (plain-descriptor-p (first arguments))
      (cons (copied-socket (first arguments)) (rest arguments))
      arguments))

(defun look-at-first-descriptor (descriptor &rest more)
  (declare (ignore more))
  (look-at-own-descriptor descriptor))

(defun look-at-control (descriptor &rest arguments)
  "Return the effect of ioctl and similar calls. On a terminal, such a call can simulate typing; on another device it can do anything."
  (let ((effect (descriptor-effect descriptor)))
    (push (cons "arguments" (format nil "~{~A~^ ~}" (mapcar (lambda (each) (print-short each 200)) arguments)))
          (effect-facts effect))
    effect))
