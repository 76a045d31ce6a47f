;;;; Reads files for the engine's own purposes if their names come from user code or a project. Only regular files are read, because reading
;;;; a pipe could block forever, and opening a device may have effects.

(in-package #:lisp-workbench/evaluation)

(defmacro with-regular-file ((stream name &rest options) &body body)
  "Run BODY with STREAM open for reading the regular file that NAME, a pathname or a native name, denotes. OPTIONS are :ELEMENT-TYPE and
:EXTERNAL-FORMAT, as for OPEN. Signal a FILE-ERROR if NAME is not a regular file. BODY must not run user code."
  `(call-with-regular-file (lambda (,stream) ,@body) ,name ,@options))

(defun call-with-regular-file (function name &key (element-type 'character) (external-format :default))
  (without-guard
    (let* ((file (if (pathnamep name) (sb-ext:native-namestring (merge-pathnames name)) name))
           ;; The file is opened without waiting for another process. The opened file is then checked by its descriptor, because its name
           ;; may refer to another file a moment later.
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
