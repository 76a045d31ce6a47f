;;;; Files that the engine reads for its own purposes, by names that code or a project has chosen. Only regular files are read: a pipe would be
;;;; waited for, perhaps for ever, and a device may do something as soon as it is opened.

(in-package #:lisp-workbench/evaluation)

(defmacro with-regular-file ((stream name &rest options) &body body)
  "Run BODY with STREAM reading the regular file that NAME, a pathname or a native name, leads to. OPTIONS are :ELEMENT-TYPE and
:EXTERNAL-FORMAT, as for OPEN. Signal a FILE-ERROR for anything else. BODY must run none of the user's code."
  `(call-with-regular-file (lambda (,stream) ,@body) ,name ,@options))

(defun call-with-regular-file (function name &key (element-type 'character) (external-format :default))
  (without-guard
    (let* ((file (if (pathnamep name) (sb-ext:native-namestring (merge-pathnames name)) name))
           ;; Without waiting for anybody at the other end; what was opened is looked at by its descriptor, whatever becomes of the name.
           (descriptor (unix-open file (logior sb-posix:o-rdonly sb-posix:o-nonblock sb-posix:o-noctty) 0))
           (stream nil))
      (unless descriptor (error 'file-error :pathname name))
      (unwind-protect
           (progn
             (unless (regular-p (stat-of descriptor)) (error 'file-error :pathname name))
             (setf stream (sb-sys:make-fd-stream descriptor :input t :element-type element-type :external-format external-format
                                                            :buffering :full :file file))
             (funcall function stream))
        (if stream (close stream) (sb-posix:close descriptor))))))
