;;;; Effects on the image's own process: foreign code, the environment, the exit, and the rights of the process.

(in-package #:lisp-workbench/effects)

(defun look-at-library (pathname &rest more)
  (declare (ignore more))
  (let ((name (sb-ext:native-namestring pathname :as-file t)))
    (if (or (find #\/ name) (stat-of (absolute-name name)))
        (let* ((effect (file-effect pathname)) (called (held-name (posix-name name))) (held (hold-file (effect-path effect))))
          (setf (effect-facts effect) (append (effect-facts effect) (content-facts "library" held))
                (effect-instead effect) (stand-in called held)
                (effect-held effect) (lambda (arguments) (cons (pathname-of called) (rest arguments))))
          effect)
        (make-effect name))))

(defun held-name (name)
  "Return the absolute native NAME unchanged if it will keep denoting the same file, because some programs depend on the name by which they
are called. If a kernel link is on its path, return its real name."
  (multiple-value-bind (real links kernels) (real-name name)
    (declare (ignore links))
    (if kernels real name)))

;;; The image's process

(defun look-at-variable (name &optional (value nil value-given) overwrite)
  (make-effect (if value-given (format nil "~A=~A" name value) name)
               :facts (list (cons "before" (or (sb-ext:posix-getenv name) "not set"))
                            (cons "overwrite" (if (or (not value-given) (not (eql overwrite 0))) "yes" "no")))))

(defun look-at-assignment (string)
  (make-effect string))

(defun look-at-core (name &rest more)
  (declare (ignore more))
  (file-effect name))

(defun look-at-exit (&key code abort &allow-other-keys)
  (unless *exit-in-progress*
    (make-effect (format nil "with code ~D" (or code (if abort 1 0)))
                 :facts (and abort '(("unwinding" . "no"))))))

(defun look-at-exit-code (&optional (code 1) &key abort)
  (look-at-exit :code code :abort abort))

(defun look-at-numbers (&rest arguments)
  "Return the effect of a call that changes the user, group or session of the process to ARGUMENTS."
  (make-effect (format nil "~{~A~^ ~}" (or (mapcar (lambda (each) (print-short each 200)) arguments) '("this image")))))

(defun look-at-mask (mask)
  (make-effect (format nil "file mode creation mask ~O" mask)
               :facts (list (cons "what it does" "new files of the image do not get these permissions"))))

(defun look-at-log (&rest arguments)
  (make-effect (format nil "system log~{ ~A~}" (mapcar (lambda (each) (if (stringp each) each (print-short each 200))) arguments))))

(defun look-at-listener (name &rest more)
  (declare (ignore more))
  (make-effect (format nil "~A" name)))
