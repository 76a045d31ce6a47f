;;;; Loads SWANK, which must be installed on the machine. Its own loader writes directly into the cache of compiled files, so another image
;;;; that loads SWANK at the same time would find an incomplete file. Therefore a lock ensures that only one image loads it at a time.

(in-package #:lisp-workbench/swank)

(defconstant +lock-seconds+ 300 "The maximum time, in seconds, to wait for another image that is compiling SWANK.")

(define-run "load-swank" (evaluation request)
  (unless (swank-loaded-p)
    (let ((*tells-loaded* nil))
      (call-alone-among-images (lambda () (load-with-libraries "swank" nil)))))
  (object))

(defun call-alone-among-images (function)
  "Call FUNCTION while no other image on this machine calls it. If the lock cannot be created, call FUNCTION without the lock."
  (let ((lock (open-lock)))
    (unwind-protect
         (progn
           (when lock (await-lock lock))
           (funcall function))
      (when lock (sb-posix:close lock)))))

(defun open-lock ()
  (ignore-errors
   (let ((file (merge-pathnames "lisp-workbench-swank.lock" (uiop:xdg-cache-home "common-lisp" :implementation))))
     (ensure-directories-exist file)
     (sb-posix:open (sb-ext:native-namestring file) (logior sb-posix:o-rdwr sb-posix:o-creat) #o600))))

(defun await-lock (lock)
  "Wait for LOCK, a file descriptor. The lock is released when the process that holds it ends."
  (loop repeat (* 20 +lock-seconds+)
        until (handler-case (progn (sb-posix:lockf lock sb-posix:f-tlock 0) t)
                (sb-posix:syscall-error () nil))
        do (sleep 1/20)))
