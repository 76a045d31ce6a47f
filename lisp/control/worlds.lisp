;;;; Saved worlds: the whole image as a core file from which another can start. A forked copy writes it, so the image itself
;;;; stops for a moment only.

(in-package #:lisp-workbench/control)

(sb-ext:defglobal *savers* '())         ; (pid . file) of copies that are writing

(define-operation "save-world" (:main request)
  (let ((file (field request "file")))
    (multiple-value-bind (pid reason) (call-if-possible (lambda () (fork-saver file)))
      (when pid
        (sb-ext:atomic-push (cons pid file) (symbol-value '*savers*))
        (keep-clock-awake))
      (object "pid" pid "reason" reason))))

(defun fork-saver (file)
  "The pid of a copy that writes FILE and ends."
  (let ((pid (fork-process)))
    (when (zerop pid)
      (handler-case
          (progn
            ;; The latest checkpoint must hear the end of the live process, whether or not this one still writes.
            (when *life-write* (sb-posix:close *life-write*))
            (forget-this-life)
            (uiop:call-image-dump-hook)
            (sb-ext:save-lisp-and-die file :toplevel 'main))
        (serious-condition () (leave 4 nil))))
    pid))

(defun forget-this-life ()
  "What the process that starts from the file must not believe."
  (setf *life-write* nil
        *copies* '()
        *for-main* '()
        *savers* '()
        *look-ups-stopping* nil
        *timers-held* nil)
  (forget-workers)
  (release-everything)
  (set-role :main))

(defun tell-saved-worlds ()
  "Called by the clock."
  (when *savers*
    (keep-clock-awake)
    (dolist (saver *savers*)
      (multiple-value-bind (pid status) (ignore-errors (sb-posix:waitpid (car saver) sb-posix:wnohang))
        (unless (eql pid 0)
          (sb-ext:atomic-update (symbol-value '*savers*) (lambda (savers) (remove saver savers)))
          (send-event "world-saved"
                      "file" (cdr saver)
                      "written" (json-boolean (and pid (eql 0 status)))))))))
