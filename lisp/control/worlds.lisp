;;;; Saved worlds: the whole image as a core file from which another can start. A forked copy writes it, so the image itself
;;;; stops for a moment only.

(in-package #:lisp-workbench/control)

(sb-ext:defglobal *savers* '())         ; (pid . file) of copies that are writing

(define-operation "save-world" (:main request)
  (let ((file (field request "file")))
    (save-in-copy file (lambda () (sb-ext:save-lisp-and-die file :toplevel 'main)))))

(defun save-in-copy (file save)
  "Let a copy of the image write FILE by calling SAVE, which does not return. Return the reply: the copy's pid, or why there is none."
  (multiple-value-bind (pid reason) (call-if-possible (lambda () (fork-saver save)))
    (when pid
      (sb-ext:atomic-push (cons pid file) (symbol-value '*savers*))
      (keep-clock-awake))
    (object "pid" pid "reason" reason)))

(defun fork-saver (save)
  "Return the pid of a copy that calls SAVE and ends."
  (let ((pid (fork-process)))
    (when (zerop pid)
      (handler-case
          (progn
            ;; The latest checkpoint must hear the end of the live process, whether or not this one still writes.
            (when *life-write* (sb-posix:close *life-write*))
            (forget-this-life)
            (uiop:call-image-dump-hook)
            ;; SBCL's own start, before MAIN, calls guarded operators.
            (setf (sb-ext:symbol-global-value '*guard*) nil)
            (funcall save))
        (serious-condition () (leave 4 nil))))
    pid))

(defun forget-this-life ()
  "Forget the facts of this process that do not hold in one that starts from the file."
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
  "Tell of the worlds whose copies have finished writing. Called by the clock."
  (when *savers*
    (keep-clock-awake)
    (dolist (saver *savers*)
      (multiple-value-bind (pid status) (ignore-errors (sb-posix:waitpid (car saver) sb-posix:wnohang))
        (unless (eql pid 0)
          (sb-ext:atomic-update (symbol-value '*savers*) (lambda (savers) (remove saver savers)))
          (send-event "world-saved"
                      "file" (cdr saver)
                      "written" (json-boolean (and pid (eql 0 status)))))))))
