;;;; Locates errors that prevent a system from loading: a missing file that the system's definition names, or the form at which loading a
;;;; file failed.

(in-package #:lisp-workbench/systems)

(defun require-files (name)
  "Signal an error if the system NAME, or a system of the project that it or its tests need, names a file that does not exist. This check is
necessary because ASDF treats such a file as up to date while its fasl exists."
  (let ((seen '()))
    (labels ((visit (name)
               (unless (member name seen :test #'string=)
                 (push name seen)
                 (let ((system (ignore-errors (asdf:find-system name nil))))
                   (when (and system (own-system-p system))
                     (dolist (component (source-components system))
                       (let ((file (file-name (asdf:component-pathname component))))
                         (when (and file (null (write-stamp file)))
                           (error 'simple-file-error :pathname file
                                  :format-control "The file ~A of the system ~A does not exist. Restore it, or remove it from ~A."
                                  :format-arguments (list (short-name file) name (short-name (file-name (asdf:system-source-file system))))))))
                     (mapc #'visit (needed-systems system)))))))
      (visit name))))

(defun own-system-p (system)
  (let ((file (ignore-errors (asdf:system-source-file system))))
    (and file (file-of-project-p (file-name file)))))

(defun needed-systems (system)
  "Return the names of the systems on which SYSTEM or its tests depend."
  (ignore-errors
   (dependency-names (append (asdf:system-depends-on system) (tests-of-system system)))))

(defun tests-of-system (system)
  "Return the names of the systems whose tests are also tests of SYSTEM."
  (unless (lacking "running a system's tests")
    (dependency-names (loop for (operation . needs) in (component-in-order-to system)
                            when (eq operation 'asdf:test-op)
                              append (mapcan (lambda (need) (copy-list (rest need))) needs)))))

(defun short-name (file)
  "Return FILE, a native name. If FILE is in the project, return its name relative to the project."
  (let ((root (ignore-errors (sb-ext:native-namestring (truename (trusted-project-directory))))))
    (if (and root file (prefixed-p root file)) (subseq file (length root)) file)))

(defmacro with-places-of-faults (&body body)
  "Run BODY, which makes ASDF load files. An error in a file's code ends the evaluation and is reported with its place."
  `(call-with-places-of-faults (lambda () ,@body)))

(defun call-with-places-of-faults (function)
  (handler-bind ((error (lambda (condition)
                          (let ((place (place-of-fault condition)))
                            (when place (end-with-error condition place))))))
    (funcall function)))

(defun place-of-fault (condition)
  "Return the place of the error in the file that ASDF is loading in this thread, as FILE or FILE:LINE. Return NIL if no file is being
loaded, or if CONDITION itself names the file."
  (and (typep *operation* '(or asdf:load-op asdf:load-source-op))
       (typep *component* 'asdf:cl-source-file)
       (not (typep condition '(or asdf:operation-error asdf:system-definition-error uiop:compile-file-error)))
       (let ((file (ignore-errors (sb-ext:native-namestring (truename (asdf:component-pathname *component*))))))
         (and file
              (let* ((start (ignore-errors (fault-place-alone file)))
                     (text (and start (file-text file))))
                (format nil "~A~@[:~D~]" (short-name file)
                        (and text (<= start (length text)) (1+ (count #\Newline text :end start)))))))))
