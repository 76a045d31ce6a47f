;;;; Questions: requests for lines that code reads from the person while it runs in a debugger, for example in a restart's interactive
;;;; function. The debugger asks these questions one at a time. The thread that waits for the answer also serves the debugger, so that the
;;;; person can look at frames before answering. The person may also cancel; the restart is then not invoked.

(in-package #:lisp-workbench/debugger)

(sb-ext:defglobal *question-count* 0)
(sb-ext:defglobal *questions-lock* (sb-thread:make-mutex :name "lisp-workbench questions"))

(defvar *asking-restart* nil "The number of the restart whose interactive function is running; NIL for other code.")
(defvar *written* nil "The stream that retains the last output since the previous question; NIL if output is not retained.")

(defconstant +most-written+ 10000 "The maximum number of output characters sent with a question; only the last characters are sent.")

(defmacro with-questions-in-place ((debugger) &body body)
  "Run BODY, user code. Request its input from the person in DEBUGGER. If the person cancels a question, BODY ends as if ABORT had been
called."
  `(call-with-questions-in-place ,debugger (lambda () ,@body)))

(defun call-with-questions-in-place (debugger function)
  (let* ((tag (list nil))
         (*asking-restart* nil)
         (*written* nil)
         (*ask-in-place* (lambda () (ask debugger (lambda () (throw tag tag))))))
    ;; The throw has left the code's own restarts, so this ABORT invokes the one that the caller established.
    (when (eq tag (catch tag (funcall function) nil)) (abort))))

(defun ask (debugger cancel)
  "Ask the person for a line in DEBUGGER. Return the line, or NIL for end of file. Call CANCEL if the person cancels."
  (let* ((id (next-question-id))
         (form (reads-form-p))
         (question (question-object id form))
         (answer (unwind-protect-without-interrupts
                      (progn (send-event "question-asked" "debugger" (debugger-id debugger) "question" question)
                             (await-answer debugger id))
                   (send-event "question-over" "debugger" (debugger-id debugger) "question" id))))
    (cond ((eq answer :cancelled) (funcall cancel))
          ((null answer) nil)
          ;; READ consumes one character after a form. The trailing whitespace is removed, because nothing must remain: the next line that
          ;; code reads must be another question.
          (form (as-line (string-right-trim '(#\Space #\Tab #\Newline #\Return) answer)))
          (t (as-line answer)))))

(defun question-object (id form)
  "Return the question ID as a wire object. FORM is true if the Lisp reader requests the input."
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
  "Serve DEBUGGER until the question ID is answered. Until then, code evaluated in the debugger runs on top of the code that asked."
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
  "Reply to COMMAND, which contains an answer, that its question is no longer open."
  (reply-ok (command-id command) (object "found" (json-boolean nil))))

;;; The text that is sent with a question

(defun take-written ()
  "Return two values: the last output since the previous question, and the number of omitted characters before it."
  (if *written* (take-last-text *written*) (values "" 0)))

(defun reads-form-p ()
  "Return true if the Lisp reader requests the input, which means that lines are needed until a form is complete. Return false if a line or
a character is read."
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

;;; A dialog with the person

(defun call-in-dialogue (evaluation restart function)
  "Call FUNCTION, the interactive function of the restart with the number RESTART. All input that it reads, from any stream, is requested
from the person, and its output is displayed with the question."
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
          ;; If a client's code has set *QUERY-IO* to a stream of its own, binding *TERMINAL-IO* would not affect that stream.
          (*terminal-io* (if (eq query terminal) terminal *terminal-io*))
          (*query-io* query)
          (*debug-io* query))
      (funcall function))))

(defun written-too (stream written)
  "Return a stream that copies its text to STREAM and to WRITTEN."
  (make-broadcast-stream (stream-behind stream) written))

(defun stream-behind (stream)
  "Return the stream to which STREAM refers. A synonym stream must be resolved, because it would refer to another stream once its variable
is bound."
  (if (typep stream 'synonym-stream)
      (stream-behind (symbol-value (synonym-stream-symbol stream)))
      stream))
