;;;; A debugger represents one stay of a thread in the debugger, because of an unhandled error, a break or a step. The thread is parked and
;;;; serves commands until one of them leaves the debugger. Commands that only inspect are served while other evaluations run. Commands that
;;;; run user code wait for the baton. An error in such a command opens another debugger, one level deeper.

(in-package #:lisp-workbench/debugger)

(defstruct debugger
  id evaluation condition
  (kind "error")                        ; "error", "break", "interrupt" or "step"
  (level 1)
  (handle nil)                          ; the handle of the condition, once requested
  (thread sb-thread:*current-thread*)
  (restarts '())
  (frames #())                          ; FRAME-RECORDs, innermost first
  (more-frames nil)                     ; true if the stack has more frames
  (lock (sb-thread:make-mutex :name "lisp-workbench debugger"))
  (changed (sb-thread:make-waitqueue :name "lisp-workbench debugger"))
  (commands '())                        ; oldest first
  (exhausted *exhausted*)               ; true if the stack is exhausted; a deputy thread then serves the commands that only inspect
  (in-cleanup nil)                      ; true if a cleanup form of an unwinding evaluation entered the debugger; false again once quitting
                                        ; has ended that form
  (over nil))                           ; true once the thread has left the debugger

(defstruct command
  "A request to a debugger. RUNNING is true if FUNCTION runs user code, and :ANSWER if FUNCTION returns the person's answer to a question."
  id running function)

(sb-ext:defglobal *debuggers* '())      ; open debuggers, latest first
(sb-ext:defglobal *debuggers-lock* (sb-thread:make-mutex :name "lisp-workbench debuggers"))
(sb-ext:defglobal *debugger-count* 0)

(defvar *leaving-note* nil "A message about the command that leaves the debugger, for the actor that issued the command; NIL if there is no
message.")

(defvar *level* 0 "The number of nested debuggers that this thread is in.")

(defun find-debugger (id)
  (find id *debuggers* :key #'debugger-id :test #'equal))

(defun enter-debugger (evaluation condition &key (announce #'announce))
  "Stay in the debugger because of CONDITION until a command leaves it by unwinding. Call ANNOUNCE with the debugger's id once the debugger
accepts requests."
  (note-step-out evaluation nil)
  (without-stepping
    (let* ((*level* (1+ *level*))
           (*exhausted* (or *exhausted* (exhausted-p condition)))
           (sb-ext:*invoke-debugger-hook* 'debugger-hook)
           (*debugger-hook* 'debugger-hook)
           (debugger (make-debugger :id (next-debugger-id)
                                    :evaluation evaluation
                                    :condition condition
                                    :kind (condition-kind condition)
                                    :level *level*
                                    :in-cleanup (evaluation-interrupted evaluation)
                                    :restarts (visible-restarts condition))))
      (unless *exhausted* (dolist (function *before-debugger*) (ignore-errors (funcall function))))
      (setf (values (debugger-frames debugger) (debugger-more-frames debugger)) (collect-frames))
      (note-entered (debugger-frames debugger) condition)
      (setf (evaluation-stopped-at evaluation) (and (string= (debugger-kind debugger) "error") condition))
      (unwind-protect-without-interrupts
           (progn
             (sb-thread:with-mutex (*debuggers-lock*) (push debugger *debuggers*))
             (if *exhausted*
                 (start-deputy debugger announce)
                 (tell-entered debugger announce))
             (let ((*stack-top-hint* nil))
               (loop (serve-running (with-parked-worker () (serve-looking debugger))))))
        (sb-thread:with-mutex (*debuggers-lock*) (setf *debuggers* (remove debugger *debuggers*)))
        (release-holder (debugger-id debugger))
        (refuse-commands debugger)
        (send-event "debugger-left" "debugger" (debugger-id debugger) "evaluation" (evaluation-id evaluation))))))

(defun tell-entered (debugger announce)
  (finish-output-of (debugger-evaluation debugger))
  (unless (eq announce #'announce) (funcall announce (debugger-id debugger)))
  (announce debugger))

(defun start-deputy (debugger announce)
  "Start a thread that reports DEBUGGER and serves the commands that only inspect, because the stack of the waiting thread is exhausted."
  (let ((evaluation *evaluation*) (package *package*))
    (start-engine-thread (lambda ()
                           (let ((*evaluation* evaluation) (*package* package))
                             (tell-entered debugger announce)
                             (loop for command = (next-command debugger (complement #'command-running))
                                   while command
                                   do (serve-looking-command command))))
                         "lisp-workbench deputy of an exhausted stack")))

(defun next-debugger-id ()
  (sb-thread:with-mutex (*debuggers-lock*)
    (format nil "d~D" (incf *debugger-count*))))

(defun announce (debugger)
  (send-event "debugger-entered" "debugger" (debugger-object debugger)))

(defun condition-kind (condition)
  (typecase condition
    (sb-ext:step-condition "step")
    (interrupted "interrupt")
    ((or error storage-condition) "error")
    (t "break")))

;;; Commands

(defun innermost (debugger)
  "Return the innermost debugger in which the thread of DEBUGGER is waiting now. This debugger also serves requests to the outer ones."
  (or (find (debugger-thread debugger) *debuggers* :key #'debugger-thread)
      debugger))

(defun post-command (debugger id running function)
  "Queue a command for the thread of DEBUGGER. Called by the thread that reads frames."
  (sb-thread:with-mutex ((debugger-lock debugger))
    (setf (debugger-commands debugger)
          (nconc (debugger-commands debugger) (list (make-command :id id :running running :function function))))
    (sb-thread:condition-broadcast (debugger-changed debugger))))

(defun serve-looking (debugger)
  "Serve commands that only inspect. Return the first command that runs code."
  (loop
    (let ((command (next-command debugger (if (debugger-exhausted debugger) #'command-running (constantly t)))))
      (when (command-running command) (return command))
      (serve-looking-command command))))

(defun serve-looking-command (command)
  (answer-command command
                  (call-without-debugger
                   (lambda ()
                     (handler-case (funcall (command-function command))
                       (error (condition)
                         (list :failed (type-name condition) (message condition 1000))))))))

(defun next-command (debugger wanted)
  "Wait for a command for which WANTED returns true. Return NIL if the debugger has been left."
  (sb-thread:with-mutex ((debugger-lock debugger))
    (loop
      (let ((command (find-if wanted (debugger-commands debugger))))
        (when command
          (setf (debugger-commands debugger) (remove command (debugger-commands debugger) :count 1))
          (return command))
        (when (debugger-over debugger) (return nil))
        (sb-thread:condition-wait (debugger-changed debugger) (debugger-lock debugger))))))

(defun answer-command (command result)
  (cond ((eq result :debugger) (reply-error (command-id command) "error" "The command entered the debugger."))
        ((eq (first result) :failed) (reply-error (command-id command) (second result) (third result)))
        (t (reply-ok (command-id command) result))))

(defun serve-running (command)
  "Run a command of the debugger. Return the value of the command's function. If the function unwinds instead, it leaves the debugger."
  (if (eq (command-running command) :answer)
      (answer-too-late command)
      (let ((result nil) (*leaving-note* nil))
        (unwind-protect-without-interrupts (setf result (funcall (command-function command)))
          (reply-ok (command-id command)
                    (object "left" (json-boolean (null result)) "result" result "note" (and (null result) *leaving-note*)))))))

(defun refuse-commands (debugger)
  "Reply to commands that arrived too late, and let the deputy thread end."
  (dolist (command (sb-thread:with-mutex ((debugger-lock debugger))
                     (setf (debugger-over debugger) t)
                     (sb-thread:condition-broadcast (debugger-changed debugger))
                     (shiftf (debugger-commands debugger) '())))
    (reply-error (command-id command) "left" "The debugger has been closed.")))

(defun quit-debugger (debugger)
  "Unwind the code that is waiting in DEBUGGER, through all levels: its evaluation, or its own thread."
  (let ((evaluation (debugger-evaluation debugger)) (thread (debugger-thread debugger)))
    (if (eq thread (evaluation-thread evaluation))
        ;; A cleanup form that is waiting in the debugger is ended too. The check ensures that pressing a key twice does not end a second
        ;; cleanup form.
        (if (shiftf (debugger-in-cleanup debugger) nil)
            (interrupt-evaluation evaluation)
            (give-up evaluation))
        (handler-case (sb-thread:interrupt-thread thread (lambda () (when (member debugger *debuggers*) (end-user-thread))))
          (sb-thread:interrupt-thread-error () nil)))))

;;; Running code within a debugger

(defun call-in-debugger (function)
  "Call FUNCTION. Backtraces of code that runs in a debugger end at this frame."
  (let ((values (multiple-value-list (with-users-printing (funcall function)))))
    values))

(defun run-in-debugger (debugger request function)
  "Call FUNCTION as user code, one level deeper. Return the result in wire format; printed output goes to the evaluation's output. The guard
is on if it is on for the evaluation, or if REQUEST requires it, because an agent may act in the person's debugger."
  (let* ((evaluation (debugger-evaluation debugger))
         (*guard* (or *guard* (field request "guard")))
         (*lends* (and (eq *lends* t) (not *guard*)))
         (*persons-code* (and *persons-code* (not *guard*)))
         (printed '())
         (*abort-report* (format nil "Return to level ~D of the debugger." (debugger-level debugger))))
    (multiple-value-bind (status condition)
        (call-nested-with-outcome
         evaluation
         (lambda ()
           (with-questions-in-place (debugger)
             (setf printed (printed-values function (debugger-id debugger))))
           (finish-output-of evaluation)))
      (object "status" status
              "values" (array-of (and (string= status "ok") printed))
              "condition" condition))))

(defun printed-values (function holder)
  "Call FUNCTION as user code. Return its values in wire format, with handles for HOLDER."
  (let ((values (call-in-debugger function)))
    (call-with-room (lambda () (print-values values 20000 holder)))))
