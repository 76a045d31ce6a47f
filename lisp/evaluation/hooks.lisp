;;;; What the engine puts around SBCL's own functions, once, when the core is built.

(in-package #:lisp-workbench/evaluation)

(defun install-hooks ()
  "Called once, when the core is built."
  (setf *debugger-hook* 'debugger-hook
        sb-ext:*invoke-debugger-hook* 'debugger-hook)
  (encapsulate '%invoke-debugger 'lisp-workbench
               (lambda (original condition) (declare (ignore original)) (debugger-hook condition nil)))
  (encapsulate 'output-ugly-object 'lisp-workbench #'print-ugly-object)
  (encapsulate 'sb-ext:print-symbol-with-prefix 'lisp-workbench #'print-symbol-plainly)
  (install-timers)
  (encapsulate 'sb-thread:make-thread 'lisp-workbench #'make-inheriting-thread)
  (encapsulate 'sb-ext:make-timer 'lisp-workbench #'make-guarded-timer)
  (encapsulate 'sb-thread:interrupt-thread 'lisp-workbench #'interrupt-guarded)
  (encapsulate 'call-hooks 'lisp-workbench #'call-hooks-guarded)
  (encapsulate 'sb-ext:exit 'lisp-workbench #'announce-exit)
  (encapsulate 'os-exit 'lisp-workbench #'announce-os-exit)
  (encapsulate 'compile-file 'lisp-workbench #'call-without-source-place)
  (encapsulate 'load 'lisp-workbench #'call-without-source-place))

(sb-ext:defglobal *user-threads* '())   ; those that evaluated code made, until they end

(defun user-threads ()
  "Those that are alive."
  (remove-if-not #'sb-thread:thread-alive-p *user-threads*))

(defun make-inheriting-thread (original function &rest keys)
  "Threads that evaluated code makes work for the same evaluation: same output, failures reported with it."
  (let ((evaluation *evaluation*) (guard *guard*))
    (cond (evaluation
           (note-user-thread
            (apply original
                   (lambda (&rest arguments) (let ((*guard* guard)) (call-for-thread evaluation function arguments)))
                   keys)))
          (guard (apply original function keys))
          (t (apply original
                    (lambda (&rest arguments) (let ((*guard* nil)) (apply function arguments)))
                    keys)))))

(defun make-guarded-timer (original function &rest keys &key thread &allow-other-keys)
  "A timer's function is guarded as its maker is. In a thread of its own it belongs to its maker's evaluation, else it may run in
any thread, even in the engine's."
  (let ((evaluation *evaluation*) (guard *guard*))
    (apply original
           (if (eq thread t)
               (lambda () (let ((*guard* guard) (*evaluation* evaluation)) (funcall function)))
               (lambda () (call-interrupting guard function)))
           keys)))

(defun interrupt-guarded (original thread function)
  "What guarded code sends into another thread is guarded there too."
  (funcall original thread
           (if (and *guard* (not (eq thread sb-thread:*current-thread*)))
               (lambda () (call-interrupting t function))
               function)))

(defun call-interrupting (guard function)
  "Call FUNCTION in the midst of what a thread does: nobody could interrupt it there, so it must not wait."
  (let ((*guard* (or guard *guard*)) (*may-wait* nil))
    (funcall function)))

(defun call-hooks-guarded (original kind hooks &rest keys)
  "A collection comes to whatever thread it meets: what the code hung on it belongs to no evaluation, not to the person's either."
  (flet ((call (hooks) (apply original kind hooks keys)))
    (cond ((equal kind "after-GC")
           (call (intersection '(check-heap) hooks))
           (let ((*evaluation* nil))
             (call-interrupting t (lambda () (call (remove 'check-heap hooks))))))
          (t (call hooks)))))

(defun note-user-thread (thread)
  "Called by the thread itself and by its maker, for whom it shall exist at once, though it may have ended meanwhile."
  (sb-ext:atomic-update (symbol-value '*user-threads*)
                        (lambda (threads) (adjoin thread (remove-if-not #'sb-thread:thread-alive-p threads))))
  thread)

(defun call-for-thread (evaluation function arguments)
  (let ((*evaluation* evaluation) (thread sb-thread:*current-thread*))
    (unwind-protect
         (progn
           (note-user-thread thread)
           (with-evaluation-streams (evaluation nil)
             (multiple-value-prog1 (with-users-printing (apply function arguments))
               (finish-sink (evaluation-sink evaluation)))))
      (sb-ext:atomic-update (symbol-value '*user-threads*) (lambda (threads) (remove thread threads))))))

(defun announce-exit (original &rest keys &key code abort &allow-other-keys)
  (let ((*guarded-printing* t))
    (announce-end (or code (if abort 1 0))))
  (apply original keys))

(defun announce-os-exit (original code &rest keys &key abort &allow-other-keys)
  (let ((*guarded-printing* t))
    (announce-end code)
    (when abort
      (answer-running-evaluation)
      (drain-writer 1)))
  (apply original code keys))

(defun announce-end (code)
  "Say, once, that the image is about to end by the code's own wish."
  (unless *exit-code*
    (setf *exit-code* (if (integerp code) code 0))
    (when *evaluation* (finish-sink (evaluation-sink *evaluation*) #'send-now))
    (send-event "exiting"
                "evaluation" (and *evaluation* (evaluation-id *evaluation*))
                "code" *exit-code*)))

(defun answer-running-evaluation ()
  "An exit without unwinding leaves no clean-up form to answer."
  (let ((evaluation *running*))
    (when (and evaluation (eq (evaluation-state evaluation) :running))
      (setf (evaluation-state evaluation) :done)
      (answer-evaluation evaluation (reply-without-work evaluation) nil))))

(defun call-without-source-place (original &rest arguments)
  "A file that evaluated code loads or compiles is its own source, not the evaluation."
  (let ((*source-plist* '()) (*source-namestring* nil))
    (apply original arguments)))
