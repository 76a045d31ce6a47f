;;;; A debugger is one stay of a thread in the debugger: at an error that nobody handled, a break, a step. The thread is set
;;;; aside and serves commands until one of them leaves. Commands that only look are served while others evaluate; those that
;;;; run the user's code wait for the baton. An error in one of these is a debugger of its own, a level deeper.

(in-package #:lisp-workbench/debugger)

(defstruct debugger
  id evaluation condition
  (kind "error")                        ; "error", "break" or "step"
  (level 1)
  (thread sb-thread:*current-thread*)
  (restarts '())
  (frames #())                          ; FRAME-RECORDs, innermost first
  (more-frames nil)                     ; whether the stack goes on beyond them
  (lock (sb-thread:make-mutex :name "lisp-workbench debugger"))
  (changed (sb-thread:make-waitqueue :name "lisp-workbench debugger"))
  (commands '()))                       ; oldest first

(defstruct command
  "RUNNING when FUNCTION runs code of the user's."
  id running function)

(sb-ext:defglobal *debuggers* '())      ; open ones, latest first
(sb-ext:defglobal *debuggers-lock* (sb-thread:make-mutex :name "lisp-workbench debuggers"))
(sb-ext:defglobal *debugger-count* 0)

(defvar *level* 0 "How many debuggers this thread is in.")

(defun find-debugger (id)
  (find id *debuggers* :key #'debugger-id :test #'equal))

(defun enter-debugger (evaluation condition &key (announce #'announce))
  "Stay in the debugger because of CONDITION until a command leaves it by unwinding. ANNOUNCE is called with the debugger's id
once it can be asked."
  (without-stepping
    (let* ((*level* (1+ *level*))
           (sb-ext:*invoke-debugger-hook* 'debugger-hook)
           (*debugger-hook* 'debugger-hook)
           (debugger (make-debugger :id (next-debugger-id)
                                    :evaluation evaluation
                                    :condition condition
                                    :kind (condition-kind condition)
                                    :level *level*
                                    :restarts (visible-restarts condition))))
      (setf (values (debugger-frames debugger) (debugger-more-frames debugger)) (collect-frames))
      (unwind-protect
           (progn
             (sb-thread:with-mutex (*debuggers-lock*) (push debugger *debuggers*))
             (finish-output-of evaluation)
             (unless (eq announce #'announce) (funcall announce (debugger-id debugger)))
             (announce debugger)
             (let ((*stack-top-hint* nil))
               (loop (serve-running (with-parked-worker () (serve-looking debugger))))))
        (sb-thread:with-mutex (*debuggers-lock*) (setf *debuggers* (remove debugger *debuggers*)))
        (release-holder (debugger-id debugger))
        (refuse-commands debugger)
        (send-event "debugger-left" "debugger" (debugger-id debugger) "evaluation" (evaluation-id evaluation))))))

(defun next-debugger-id ()
  (sb-thread:with-mutex (*debuggers-lock*)
    (format nil "d~D" (incf *debugger-count*))))

(defun announce (debugger)
  (send-event "debugger-entered" "debugger" (debugger-object debugger)))

(defun condition-kind (condition)
  (typecase condition
    (sb-ext:step-condition "step")
    (error "error")
    (t "break")))

;;; Commands

(defun innermost (debugger)
  "The debugger in which the thread of DEBUGGER waits now, on top of it: it serves what is asked of those below as well."
  (or (find (debugger-thread debugger) *debuggers* :key #'debugger-thread)
      debugger))

(defun post-command (debugger id running function)
  "Called by the thread that reads frames."
  (sb-thread:with-mutex ((debugger-lock debugger))
    (setf (debugger-commands debugger)
          (nconc (debugger-commands debugger) (list (make-command :id id :running running :function function))))
    (sb-thread:condition-broadcast (debugger-changed debugger))))

(defun serve-looking (debugger)
  "Serve what only looks; return the first command that runs code."
  (loop
    (let ((command (next-command debugger)))
      (when (command-running command) (return command))
      (answer-command command
                      (call-without-debugger
                       (lambda ()
                         (handler-case (funcall (command-function command))
                           (error (condition)
                             (list :failed (type-name condition) (message condition 1000))))))))))

(defun next-command (debugger)
  (sb-thread:with-mutex ((debugger-lock debugger))
    (loop until (debugger-commands debugger)
          do (sb-thread:condition-wait (debugger-changed debugger) (debugger-lock debugger)))
    (pop (debugger-commands debugger))))

(defun answer-command (command result)
  (cond ((eq result :debugger) (reply-error (command-id command) "error" "It entered the debugger."))
        ((eq (first result) :failed) (reply-error (command-id command) (second result) (third result)))
        (t (reply-ok (command-id command) result))))

(defun serve-running (command)
  "The value of the command's function is the result; when it unwinds instead, the debugger is left."
  (let ((result nil))
    (unwind-protect (setf result (funcall (command-function command)))
      (reply-ok (command-id command)
                (object "left" (json-boolean (null result)) "result" result)))))

(defun refuse-commands (debugger)
  "Answer what came too late."
  (dolist (command (sb-thread:with-mutex ((debugger-lock debugger)) (shiftf (debugger-commands debugger) '())))
    (reply-error (command-id command) "left" "The debugger was left meanwhile.")))

;;; Running code within a debugger

(defun call-in-debugger (function)
  "Backtraces of what is run in a debugger end here."
  (let ((values (multiple-value-list (with-users-printing (funcall function)))))
    values))

(defun run-in-debugger (debugger request function)
  "Call FUNCTION as the user's code, one level deeper. The result as the wire has it: what it printed goes where the output of
the evaluation goes. It is guarded when the evaluation is, or when REQUEST says so: an agent may act in the person's debugger."
  (let* ((evaluation (debugger-evaluation debugger))
         (*guard* (or *guard* (field request "guard")))
         (printed '())
         (*abort-report* (format nil "Return to level ~D of the debugger." (debugger-level debugger))))
    (multiple-value-bind (status condition)
        (call-nested-with-outcome
         evaluation
         (lambda ()
           (setf printed (print-values (call-in-debugger function) 20000 (debugger-id debugger)))
           (finish-output-of evaluation)))
      (object "status" status
              "values" (array-of (and (string= status "ok") printed))
              "condition" condition))))
