;;;; Functions that the engine installs around SBCL's own functions, once, when the core is built.

(in-package #:lisp-workbench/evaluation)

(defun install-hooks ()
  "Install the engine's functions around SBCL's. Called once, when the core is built."
  (setf *debugger-hook* 'debugger-hook
        sb-ext:*invoke-debugger-hook* 'debugger-hook)
  (install-advice '%invoke-debugger 'lisp-workbench
               (lambda (original condition) (declare (ignore original)) (debugger-hook condition nil)))
  (install-defaults)
  (install-printing)
  (install-timers)
  (put-around 'sb-thread:make-thread #'make-inheriting-thread)
  (put-around 'sb-ext:make-timer #'make-guarded-timer)
  (put-around 'sb-thread:interrupt-thread #'interrupt-guarded)
  (put-around 'sb-ext:finalize #'finalize-guarded)
  (put-around 'sb-ext:run-program #'note-persons-hook)
  (put-around 'get-processes-status-changes #'call-status-hooks)
  (put-around 'sb-sys:add-fd-handler #'add-guarded-handler)
  (advise 'call-hooks 'lisp-workbench #'call-hooks-guarded)
  (install-image-hooks)
  (put-around 'sb-ext:exit #'announce-exit)
  (put-around 'os-exit #'announce-os-exit)
  (advise 'compile 'lisp-workbench #'call-for-verdict)
  (advise 'compile-file 'lisp-workbench #'call-without-source-place)
  (advise 'load 'lisp-workbench #'call-without-source-place))

(sb-ext:defglobal *user-threads* '())   ; threads created by evaluated code, until they end

(defun user-threads ()
  "Return the living threads that evaluated code created."
  (remove-if-not #'sb-thread:thread-alive-p *user-threads*))

(defun make-inheriting-thread (original function &rest keys)
  "Create a thread. If evaluated code creates the thread, the thread works for the same evaluation and has the same output, and its failures
are reported with that evaluation."
  (let* ((evaluation *evaluation*) (guard *guard*) (lends *lends*) (persons *persons-code*) (author *author*)
         (defaults (and guard (session-values *default-variables*))))
    (cond (evaluation
           (let ((inheritance (inheritance)))
             (note-user-thread
              (apply original
                     (lambda (&rest arguments)
                       (let ((*guard* guard) (*lends* lends) (*persons-code* persons) (*author* author))
                         (call-with-defaults defaults
                                             (lambda () (call-for-thread evaluation inheritance function arguments)))))
                     keys))))
          (guard (apply original
                        (lambda (&rest arguments)
                          (let ((*author* author))
                            (call-with-defaults defaults (lambda () (apply function arguments)))))
                        keys))
          (t (apply original
                    (lambda (&rest arguments) (let ((*guard* nil) (*lends* t)) (apply function arguments)))
                    keys)))))

(defun make-guarded-timer (original function &rest keys &key thread &allow-other-keys)
  "Create a timer whose function has the guard of the timer's creator. If the function runs in a separate thread, that thread belongs to the
creator's evaluation. Otherwise the function may run in any thread, including the engine's."
  (let* ((evaluation *evaluation*) (guard *guard*) (lends *lends*) (persons *persons-code*) (author *author*)
         (maker (author-of-interruption))
         (defaults (and guard (session-values *default-variables*))))
    (flet ((call ()
             ;; A timer that may run in any thread gets a separate thread, see SCHEDULE-APART.
             (if (and evaluation (member thread '(t nil)))
                 (call-printing-as evaluation function)
                 (funcall function))))
      (apply original
             (if (eq thread t)
                 (lambda ()
                   (let ((*guard* guard) (*lends* lends) (*persons-code* persons) (*author* author) (*evaluation* evaluation))
                     (call-with-defaults defaults #'call)))
                 (lambda () (call-interrupting guard #'call maker)))
             keys))))

(defun call-printing-as (evaluation function)
  "Call FUNCTION in a thread without an evaluation's streams. Its output becomes output of EVALUATION."
  (with-evaluation-streams (evaluation nil)
    (unwind-protect (funcall function)
      (finish-sink (evaluation-sink evaluation)))))

(defun interrupt-guarded (original thread function)
  "Interrupt THREAD with FUNCTION. If guarded code makes the call, FUNCTION is also guarded in THREAD. If the person's code makes the call,
FUNCTION counts as the person's in THREAD."
  (let ((author (author-of-interruption)))
    (interrupt-in-turn original thread
                       (cond ((eq thread sb-thread:*current-thread*) function)
                             (*guard* (lambda () (call-interrupting t function author)))
                             (*persons-code* (lambda () (let ((*persons-code* t) (*may-wait* nil)) (funcall function))))
                             (t function)))))

(sb-ext:defglobal *persons-hooks* (make-hash-table :test #'eq :weakness :key :synchronized t)
  "Status hooks of processes that were started without the guard.")

(defun note-persons-hook (original program arguments &rest options &key status-hook &allow-other-keys)
  (when (and status-hook (not *guard*)) (setf (gethash status-hook *persons-hooks*) t))
  (apply original program arguments options))

(defun call-status-hooks (original)
  "Call the status hooks of processes. If guarded code set any hook, turn the guard on, because the hooks run in any thread that notices the
end of a process."
  (flet ((persons-p (process)
           (let ((hook (sb-ext:process-status-hook process)))
             (or (null hook) (gethash hook *persons-hooks*)))))
    (if (every #'persons-p *active-processes*)
        (funcall original)
        (call-interrupting t original (unknown-author)))))

(defun add-guarded-handler (original descriptor direction function)
  "Add FUNCTION as a handler of DESCRIPTOR. If guarded code adds it, FUNCTION runs with the guard on, because any thread that waits for
input may call it."
  (let ((author (author-of-interruption)))
    (funcall original descriptor direction
             (if *guard*
                 (lambda (descriptor) (call-interrupting t (lambda () (funcall function descriptor)) author))
                 function))))

(defun finalize-guarded (original object function &rest keys)
  "Make FUNCTION run when OBJECT is garbage. If guarded code requests this, FUNCTION runs with the guard on and as its author's code,
because all code shares the finalizer thread."
  (let ((author (author-of-interruption)))
    (apply original object
           (if *guard* (lambda () (call-interrupting t function author)) function)
           keys)))

(defun call-interrupting (guard function author)
  "Call FUNCTION in the middle of a thread's work. If GUARD is true, turn the guard on and run FUNCTION as AUTHOR's code, so that its
definitions and defaults do not count as that thread's. FUNCTION cannot be interrupted there, so it must not block."
  (let ((*guard* (or guard *guard*)) (*may-wait* nil) (*author* (if guard author *author*)))
    (if guard (call-with-fresh-defaults function) (funcall function))))

(defun note-user-thread (thread)
  "Record a thread of evaluated code. Both the thread and its creator call this, because the creator must see the thread in the record
immediately, even if the thread has already ended."
  (sb-ext:atomic-update (symbol-value '*user-threads*)
                        (lambda (threads) (adjoin thread (remove-if-not #'sb-thread:thread-alive-p threads))))
  thread)

(defun call-for-thread (evaluation inheritance function arguments)
  (let ((*evaluation* evaluation) (thread sb-thread:*current-thread*))
    (unwind-protect-without-interrupts
         (progn
           (note-user-thread thread)
           (with-evaluation-streams (evaluation nil)
             (multiple-value-prog1
                 (call-to-end-of-thread
                  (lambda () (with-users-printing (call-with-inheritance inheritance function arguments))))
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
      (answer-running-evaluations)
      (drain-writer 1)))
  (apply original code keys))

(defun announce-end (code)
  "Report, once, that the image is about to exit because code requested it."
  (unless *exit-code*
    (setf *exit-code* (if (integerp code) code 0))
    (when *evaluation* (finish-sink (evaluation-sink *evaluation*) #'send-now))
    (send-event "exiting"
                "evaluation" (and *evaluation* (evaluation-id *evaluation*))
                "code" *exit-code*)))

(defun answer-running-evaluations ()
  "Reply to the running evaluations before the image exits without unwinding, because in that case no cleanup form sends the replies."
  (dolist (evaluation (running-evaluations))
    (when (eq (evaluation-state evaluation) :running)
      (setf (evaluation-state evaluation) :done)
      (answer-evaluation evaluation (reply-without-work evaluation) nil))))

(defun call-for-verdict (original name &optional (definition nil given))
  "Call COMPILE so that the code gets SBCL's verdict about failure. If the compiled function was interpreted before, it still belongs to its
author."
  (let ((*verdict-wanted* t)
        (interpreted (cond ((functionp definition) definition)
                           ((and (not given) (sound (fboundp name))) (or (and (symbolp name) (macro-function name)) (fdefinition name))))))
    (call-for-authors (and interpreted (not (compiled-function-p interpreted)) (function-authors interpreted))
                      (lambda () (if given (funcall original name definition) (funcall original name))))))

(defun call-without-source-place (original &rest arguments)
  "Call ORIGINAL, which loads or compiles a file, without the evaluation's source plist, because the definitions are in the file and not in
the evaluated text. If the code itself has set a source plist with WITH-COMPILATION-UNIT, keep that plist."
  (let ((*source-plist* (if (tailp (car *given-plist*) *source-plist*)
                            (ldiff *source-plist* (car *given-plist*))
                            *source-plist*))
        (*source-namestring* (if (eq *source-namestring* *given-namestring*) nil *source-namestring*))
        (*verdict-wanted* t))
    (apply original arguments)))
