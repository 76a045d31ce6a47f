;;;; Effects on descriptors: the connection with the workbench may not be touched, others stand for their files.

(in-package #:lisp-workbench/effects)

(sb-ext:defglobal *own-descriptors* '(3 4)
  "The descriptors of the image's connection with the workbench, and those of files that the engine has open for its own work just now.")

(sb-ext:defglobal *held-descriptors* '()) ; descriptors by which files are held for calls under way, see holding.lisp

(defun own-descriptor-p (descriptor)
  (let ((number (if (integerp descriptor) descriptor (ignore-errors (sb-posix:file-descriptor descriptor)))))
    (or (member number *own-descriptors*) (member number *held-descriptors*))))

(defun look-at-own-descriptor (&rest arguments)
  "Return an effect when ARGUMENTS name a descriptor of the connection with the workbench; NIL for any other."
  (when (some #'own-descriptor-p (remove-if-not (lambda (each) (typep each '(or integer stream)))
                                                (subseq arguments 0 (min 2 (length arguments)))))
    (own-connection)))

(defun own-connection ()
  "Return the effect on a descriptor of the engine's own."
  (let ((effect (make-effect "the connection between this image and the workbench")))
    (setf (effect-refused effect) "What speaks there for the image is not for code to touch")
    effect))

(defun descriptor-effect (descriptor &key change facts)
  (let ((name (descriptor-name descriptor)))
    (if name
        (let ((effect (let ((*name-reader* 'identity)) (file-effect name :change change :facts facts))))
          ;; Another thread can put another file behind the descriptor, so that this is never allowed unasked, wherever the file is.
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
  "Return the effect of MAKE-FD-STREAM with the private arguments of OPEN: CLOSE unlinks or renames the files that they name."
  (or (look-at-own-descriptor descriptor)
      (when (or file original)
        (let ((effect (make-effect (format nil "~A" (or file original)))))
          (setf (effect-refused effect) "Closing this stream would delete or rename the file that it is given: use OPEN")
          effect))))

(defun held-from-look (gate arguments)
  "ARGUMENTS with which the call uses what is looked at now, whatever other code does with the objects that were given."
  (if (gate-held gate) (funcall (gate-held gate) arguments) arguments))

(defun descriptor-number (designator)
  (if (integerp designator) designator (sb-posix:file-descriptor designator)))

(defun held-descriptor (arguments)
  (cons (descriptor-number (first arguments)) (rest arguments)))

(defun held-descriptors (arguments)
  (mapcar #'descriptor-number arguments))

(defun held-socket (arguments)
  "ARGUMENTS with a socket that nobody else knows."
  (if (plain-descriptor-p (first arguments))
      (cons (copied-socket (first arguments)) (rest arguments))
      arguments))

(defun look-at-first-descriptor (descriptor &rest more)
  (declare (ignore more))
  (look-at-own-descriptor descriptor))

(defun look-at-control (descriptor &rest arguments)
  "ioctl and the like: of a terminal they can type, of other devices do anything."
  (let ((effect (descriptor-effect descriptor)))
    (push (cons "arguments" (format nil "~{~A~^ ~}" (mapcar (lambda (each) (print-short each 200)) arguments)))
          (effect-facts effect))
    effect))
