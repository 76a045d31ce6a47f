;;;; Saved images: the whole image as a core file from which another image can start. A forked process writes it, so the image itself pauses
;;;; only for a moment.

(in-package #:lisp-workbench/control)

(sb-ext:defglobal *savers* '())         ; (pid . file) of the forked processes that are writing a file

(define-operation "save-world" (:main request)
  (let ((file (field request "file")))
    (save-in-copy file (lambda () (sb-ext:save-lisp-and-die file :toplevel 'main)))))

(defun save-in-copy (file save)
  "Fork a process that writes FILE by calling SAVE, which does not return. Return the reply, which contains the pid, or the reason why the
process could not be created."
  (multiple-value-bind (pid reason) (call-if-possible (lambda () (fork-saver save)))
    (when pid
      (sb-ext:atomic-push (cons pid file) (symbol-value '*savers*))
      (keep-clock-awake))
    (object "pid" pid "reason" reason)))

(defun fork-saver (save)
  "Fork a process that calls SAVE and ends. Return its pid."
  (let ((pid (fork-process)))
    (when (zerop pid)
      (handler-case
          (progn
            ;; Close this end of the life pipe, because the latest checkpoint must notice the end of the live process even while this
            ;; process is writing.
            (when *life-write* (sb-posix:close *life-write*))
            (forget-this-life)
            (uiop:call-image-dump-hook)
            ;; Turn the guard off, because SBCL's own start-up calls guarded operators before MAIN runs.
            (setf (sb-ext:symbol-global-value '*guard*) nil)
            (funcall save))
        (serious-condition () (leave 4 nil))))
    pid))

(defun forget-this-life ()
  "Clear the facts about this process that would be wrong in a process started from the file."
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
  "Report the saved images that have been completely written, or whose writing failed. Called by the clock."
  (when *savers*
    (keep-clock-awake)
    (dolist (saver *savers*)
      (multiple-value-bind (pid status) (ignore-errors (sb-posix:waitpid (car saver) sb-posix:wnohang))
        (unless (eql pid 0)
          (sb-ext:atomic-update (symbol-value '*savers*) (lambda (savers) (remove saver savers)))
          (send-event "world-saved"
                      "file" (cdr saver)
                      "written" (json-boolean (and pid (eql 0 status)))))))))
