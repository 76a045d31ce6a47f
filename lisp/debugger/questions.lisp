;;;; Questions: lines that code reads from the person while it runs in a debugger, such as the interactive function of a restart.
;;;; They are asked in the debugger, one at a time, and the thread that waits for the answer serves the debugger meanwhile, so
;;;; that frames can be looked at before it is given. The person may also call the whole off: then nothing was invoked.

(in-package #:lisp-workbench/debugger)

(sb-ext:defglobal *question-count* 0)
(sb-ext:defglobal *questions-lock* (sb-thread:make-mutex :name "lisp-workbench questions"))

(defvar *asking-restart* nil "The number of the restart whose interactive function runs now; NIL when other code does.")
(defvar *written* nil "The stream that keeps the last of what was written since the last question; NIL where that is not kept.")

(defconstant +most-written+ 10000 "The longest text that is told with a question, in characters: the last ones.")

(defmacro with-questions-in-place ((debugger) &body body)
  "Run BODY, code of the user's; what it reads is asked in DEBUGGER. When the person cancels a question, BODY ends as by ABORT."
  `(call-with-questions-in-place ,debugger (lambda () ,@body)))

(defun call-with-questions-in-place (debugger function)
  (let* ((tag (list nil))
         (*asking-restart* nil)
         (*written* nil)
         (*ask-in-place* (lambda () (ask debugger (lambda () (throw tag tag))))))
    ;; The restart that the outcome has established around this: one that the code has is not reached any more.
    (when (eq tag (catch tag (funcall function) nil)) (abort))))

(defun ask (debugger cancel)
  "Ask the person for a line in DEBUGGER. Return it, or NIL for the end of file; call CANCEL when nothing shall come of the whole."
  (let* ((id (next-question-id))
         (form (reads-form-p))
         (question (question-object id form))
         (answer (unwind-protect-without-interrupts
                      (progn (send-event "question-asked" "debugger" (debugger-id debugger) "question" question)
                             (await-answer debugger id))
                   (send-event "question-over" "debugger" (debugger-id debugger) "question" id))))
    (cond ((eq answer :cancelled) (funcall cancel))
          ((null answer) nil)
          ;; READ takes one character after a form: then nothing is left, and a line that is read next is another question.
          (form (as-line (string-right-trim '(#\Space #\Tab #\Newline #\Return) answer)))
          (t (as-line answer)))))

(defun question-object (id form)
  "Return the question of that ID as an object of the wire; FORM is true when the Lisp reader asks."
  (multiple-value-bind (text left-out) (take-written)
    (object "id" id
            "restart" *asking-restart*
            "author" (and *author* (author-actor *author*))
            "text" text
            "leftOut" left-out
            "reads" (if form "form" "line"))))

(defun next-question-id ()
  (sb-thread:with-mutex (*questions-lock*)
    (format nil "q~D" (incf *question-count*))))

(defun await-answer (debugger id)
  "Serve DEBUGGER until the question ID is answered; code that runs in it meanwhile runs within the one that asks."
  (loop
    (let ((command (with-parked-worker () (serve-looking debugger))))
      (if (eq (command-running command) :answer)
          (destructuring-bind (question text cancel) (funcall (command-function command))
            (cond ((equal question id)
                   (reply-ok (command-id command) (object "found" t))
                   (return (if cancel :cancelled text)))
                  (t (answer-too-late command))))
          (serve-running command)))))

(defun answer-too-late (command)
  "Reply that nobody waits for the answer that COMMAND brings."
  (reply-ok (command-id command) (object "found" (json-boolean nil))))

;;; The text that is told with a question

(defun take-written ()
  "Return the last of what was written since the last question, and the number of characters before it."
  (if *written* (take-last-text *written*) (values "" 0)))

(defun reads-form-p ()
  "True when the Lisp reader asks, so that lines are wanted until a form is complete; false when a line or a character is read."
  (unless (lacking "stack traces")
    (block walk
      (map-backtrace (lambda (frame)
                       (let ((name (frame-call frame)))
                         (when (eq name 'call-in-debugger) (return-from walk nil))
                         (when (and (symbolp name) (member (symbol-name name) '("READ" "READ-PRESERVING-WHITESPACE" "%READ-PRESERVING-WHITESPACE") :test #'string=)
                                    (member (symbol-package name) (list (find-package '#:common-lisp) (find-package '#:sb-impl))))
                           (return-from walk t))))
                     :from :current-frame
                     :count 100)
      nil)))

;;; A dialogue with the person

(defun call-in-dialogue (evaluation restart function)
  "Call FUNCTION, the interactive function of the restart of number RESTART: what it reads, from whichever stream, is asked from the person,
and told with what it has written."
  (let* ((written (make-last-text-stream +most-written+))
         (input (make-input-port :evaluation evaluation))
         (output (written-too *standard-output* written))
         (terminal (make-two-way-stream input (written-too *terminal-io* written)))
         (query (if (eq (stream-behind *query-io*) (stream-behind *terminal-io*))
                    terminal
                    (make-two-way-stream input (written-too *query-io* written)))))
    (let ((*asking-restart* restart)
          (*written* written)
          (*standard-input* input)
          (*standard-output* output)
          ;; What a client's code writes to *QUERY-IO* goes another way once *TERMINAL-IO* is bound.
          (*terminal-io* (if (eq query terminal) terminal *terminal-io*))
          (*query-io* query)
          (*debug-io* query))
      (funcall function))))

(defun written-too (stream written)
  "Return a stream whose text goes to STREAM and to WRITTEN."
  (make-broadcast-stream (stream-behind stream) written))

(defun stream-behind (stream)
  "Return the stream that STREAM stands for: a synonym would stand for another once its variable is bound."
  (if (typep stream 'synonym-stream)
      (stream-behind (symbol-value (synonym-stream-symbol stream)))
      stream))
