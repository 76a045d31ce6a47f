;;;; A debugger is one stay of a thread in the debugger: at an error that nobody handled, a break, a step. The thread is set
;;;; aside and serves commands until one of them leaves. Commands that only look are served while others evaluate; those that
;;;; run the user's code wait for the baton. An error in one of these is a debugger of its own, a level deeper.

(in-package #:lisp-workbench/debugger)

(defstruct debugger
  id evaluation condition
  (kind "error")                        ; "error", "break", "interrupt" or "step"
  (level 1)
  (handle nil)                          ; that of the condition, once it was asked for
  (thread sb-thread:*current-thread*)
  (restarts '())
  (frames #())                          ; FRAME-RECORDs, innermost first
  (more-frames nil)                     ; true when the stack goes on beyond them
  (lock (sb-thread:make-mutex :name "lisp-workbench debugger"))
  (changed (sb-thread:make-waitqueue :name "lisp-workbench debugger"))
  (commands '())                        ; oldest first
  (exhausted *exhausted*)               ; true when a deputy thread serves what only looks, as the stack has no room for it
  (in-cleanup nil)                      ; true when a cleanup form of an evaluation that is unwinding entered it; until that is given up
  (over nil))                           ; true once it was left

(defstruct command
  "A request to a debugger. RUNNING is true when FUNCTION runs code of the user's, :ANSWER when it returns the answer to a question."
  id running function)

(sb-ext:defglobal *debuggers* '())      ; open debuggers, latest first
(sb-ext:defglobal *debuggers-lock* (sb-thread:make-mutex :name "lisp-workbench debuggers"))
(sb-ext:defglobal *debugger-count* 0)

(defvar *leaving-note* nil "Words about the command that leaves the debugger, for whoever gave it; NIL for none.")

(defvar *level* 0 "The number of debuggers that this thread is in, one within the other.")

(defun find-debugger (id)
  (find id *debuggers* :key #'debugger-id :test #'equal))

(defun enter-debugger (evaluation condition &key (announce #'announce))
  "Stay in the debugger because of CONDITION until a command leaves it by unwinding. ANNOUNCE is called with the debugger's id
once it can be asked."
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
  "Have a thread tell of DEBUGGER and serve what only looks: the stack of the one that waits in it is exhausted."
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
  "The debugger in which the thread of DEBUGGER waits now, on top of it: it serves what is asked of those below as well."
  (or (find (debugger-thread debugger) *debuggers* :key #'debugger-thread)
      debugger))

(defun post-command (debugger id running function)
  "Queue a command for the thread of DEBUGGER. Called by the thread that reads frames."
  (sb-thread:with-mutex ((debugger-lock debugger))
    (setf (debugger-commands debugger)
          (nconc (debugger-commands debugger) (list (make-command :id id :running running :function function))))
    (sb-thread:condition-broadcast (debugger-changed debugger))))

(defun serve-looking (debugger)
  "Serve what only looks; return the first command that runs code."
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
  "Wait for a command for which WANTED returns true; NIL when DEBUGGER was left."
  (sb-thread:with-mutex ((debugger-lock debugger))
    (loop
      (let ((command (find-if wanted (debugger-commands debugger))))
        (when command
          (setf (debugger-commands debugger) (remove command (debugger-commands debugger) :count 1))
          (return command))
        (when (debugger-over debugger) (return nil))
        (sb-thread:condition-wait (debugger-changed debugger) (debugger-lock debugger))))))

(defun answer-command (command result)
  (cond ((eq result :debugger) (reply-error (command-id command) "error" "It entered the debugger."))
        ((eq (first result) :failed) (reply-error (command-id command) (second result) (third result)))
        (t (reply-ok (command-id command) result))))

(defun serve-running (command)
  "Run a command of the debugger. Its result is the value of its function; when that unwinds instead, the debugger is left."
  (if (eq (command-running command) :answer)
      (answer-too-late command)
      (let ((result nil) (*leaving-note* nil))
        (unwind-protect-without-interrupts (setf result (funcall (command-function command)))
          (reply-ok (command-id command)
                    (object "left" (json-boolean (null result)) "result" result "note" (and (null result) *leaving-note*)))))))

(defun refuse-commands (debugger)
  "Answer the commands that came too late, and let the deputy go."
  (dolist (command (sb-thread:with-mutex ((debugger-lock debugger))
                     (setf (debugger-over debugger) t)
                     (sb-thread:condition-broadcast (debugger-changed debugger))
                     (shiftf (debugger-commands debugger) '())))
    (reply-error (command-id command) "left" "The debugger has been closed.")))

(defun quit-debugger (debugger)
  "Unwind the code that waits in DEBUGGER from all of its levels: its evaluation, or the thread of its own that it runs in."
  (let ((evaluation (debugger-evaluation debugger)) (thread (debugger-thread debugger)))
    (if (eq thread (evaluation-thread evaluation))
        ;; A cleanup form that waits in the debugger is given up as well; but one that a key pressed twice would cut short is not.
        (if (shiftf (debugger-in-cleanup debugger) nil)
            (interrupt-evaluation evaluation)
            (give-up evaluation))
        (handler-case (sb-thread:interrupt-thread thread (lambda () (when (member debugger *debuggers*) (end-user-thread))))
          (sb-thread:interrupt-thread-error () nil)))))

;;; Running code within a debugger

(defun call-in-debugger (function)
  "Call FUNCTION. Backtraces of code that is run in a debugger end at this frame."
  (let ((values (multiple-value-list (with-users-printing (funcall function)))))
    values))

(defun run-in-debugger (debugger request function)
  "Call FUNCTION as the user's code, one level deeper. The result as the wire has it: what it printed goes where the output of
the evaluation goes. It is guarded when the evaluation is, or when REQUEST says so: an agent may act in the person's debugger."
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
  "Call FUNCTION as the user's code, and return its values as the wire has them, held for HOLDER."
  (let ((values (call-in-debugger function)))
    (call-with-room (lambda () (print-values values 20000 holder)))))
