;;;; The operations of the debugger.

(in-package #:lisp-workbench/debugger)

(defun install-debugger ()
  "Replace SBCL's debugger with this one. Called once, when the core is built."
  (setf *debugger* 'enter-debugger
        *break-on-signals-type* 'break-type
        *keep-locals* 'keep-locals
        *after-definition* 'definition-changed
        sb-ext:*stepper-hook* 'stop-at-step))

(defun definition-changed (key)
  "Called after a definition of KEY was created, changed or removed."
  (note-compiled-text key)
  (note-breakpoint-target key))

(defun debugger-object (debugger)
  (let ((condition (debugger-condition debugger))
        (evaluation (debugger-evaluation debugger)))
    (object "id" (debugger-id debugger)
            "evaluation" (evaluation-id evaluation)
            "actor" (evaluation-actor evaluation)
            "held" (json-boolean (evaluation-answered evaluation))
            "thread" (let ((name (sb-thread:thread-name (debugger-thread debugger)))) (if (stringp name) name ""))
            "kind" (debugger-kind debugger)
            "level" (debugger-level debugger)
            "type" (type-name condition)
            "message" (print-report condition 4000)
            "package" (package-name (live-package *package*))
            "step" (step-object condition (debugger-id debugger))
            "steps" (if (member (debugger-kind debugger) '("step" "break" "interrupt") :test #'string=)
                        (steps-object debugger)
                        (object "within" (json-boolean nil) "out" (json-boolean nil)))
            "handle" (condition-handle debugger)
            "restarts" (array-of (restart-objects (debugger-restarts debugger) (null (debugger-exhausted debugger))))
            "frames" (frame-objects debugger 0)
            "moreFrames" (json-boolean (debugger-more-frames debugger)))))

(defun frame-objects (debugger from)
  "Return the frames of DEBUGGER from index FROM on, in wire format."
  (array-of (loop for index from from below (length (debugger-frames debugger))
                  collect (frame-object (svref (debugger-frames debugger) index) index (debugger-id debugger)))))

(defun condition-handle (debugger)
  "Return the handle of DEBUGGER's condition. The handle is created once, and again only after all handles were released."
  (let ((handle (debugger-handle debugger)))
    (if (and handle (nth-value 1 (held-object handle)))
        handle
        (setf (debugger-handle debugger) (hold (debugger-condition debugger) (debugger-id debugger))))))

(defmacro define-debugger-operation (name running (debugger request) &body body)
  "Define an operation that the thread in the debugger serves. RUNNING is true if the operation runs user code or leaves the debugger."
  `(define-operation ,name (:deferred ,request)
     (let ((,debugger (find-debugger (field ,request "debugger"))))
       (if ,debugger
           (post-command (innermost ,debugger) (field ,request "id") ,running (lambda () ,@body))
           (reply-error (field ,request "id") "left" "This debugger is no longer open.")))))

(defun requested-frame (debugger request)
  (let ((index (field request "frame")))
    (if (< -1 index (length (debugger-frames debugger)))
        (svref (debugger-frames debugger) index)
        (error "There is no frame ~D." index))))

(define-debugger-operation "debugger" nil (debugger request)
  (debugger-object debugger))

(define-debugger-operation "further-frames" nil (debugger request)
  (let ((from (field request "from")))
    (when (debugger-exhausted debugger)
      (error 'refused :format-control "The stack is exhausted: only its innermost frames can be shown."))
    ;; A repeated request returns the same frames, so more frames are collected only if all known ones were sent.
    (when (= from (length (debugger-frames debugger))) (collect-further-frames debugger))
    (object "frames" (frame-objects debugger from)
            "moreFrames" (json-boolean (debugger-more-frames debugger)))))

(define-debugger-operation "frame-locals" nil (debugger request)
  (let ((record (requested-frame debugger request)))
    (object "locals" (array-of (frame-locals record (debugger-id debugger))))))

(define-debugger-operation "disassemble-frame" nil (debugger request)
  (disassemble-frame (requested-frame debugger request)))

(define-debugger-operation "eval-in-frame" t (debugger request)
  (run-in-debugger debugger request
                   (lambda ()
                     (evaluate-in-frame (requested-frame debugger request) (field request "code") (field request "package")))))

(define-debugger-operation "return-from-frame" t (debugger request)
  (run-in-debugger debugger request
                   (lambda ()
                     (return-from-frame (requested-frame debugger request) (field request "code") (field request "package")))))

(define-debugger-operation "restart-frame" t (debugger request)
  (run-in-debugger debugger request (lambda () (restart-frame (requested-frame debugger request)))))

(define-debugger-operation "invoke-restart" t (debugger request)
  (run-in-debugger debugger request
                   (lambda ()
                     (let* ((index (field request "restart"))
                            (restart (nth index (debugger-restarts debugger))))
                       (unless restart (error "There is no restart ~D." index))
                       (if (eq (restart-name restart) 'sb-ext:step-out)
                           (take-step debugger "out")
                           (take-restart (debugger-evaluation debugger) restart (field request "arguments")
                                         (and (field request "asks") index)))))))

(define-debugger-operation "answer-question" :answer (debugger request)
  (list (field request "question") (field request "text") (field request "cancel")))

(define-debugger-operation "step" t (debugger request)
  (run-in-debugger debugger request (lambda () (take-step debugger (field request "kind")))))

;;; Entering and leaving

(define-operation "quit-debugger" (:control request)
  (let ((debugger (find-debugger (field request "debugger"))))
    (when debugger (quit-debugger debugger))
    (object "found" (json-boolean debugger))))

(define-operation "break-in" (:control request)
  (let ((evaluation (find-evaluation (field request "evaluation"))))
    (object "found" (json-boolean (and evaluation (progn (break-in evaluation) t))))))

(define-operation "set-breakpoint" (:control request)
  (if (field request "set")
      (want-breakpoint (field request "function") (field request "when") (wanted-lines (field request "lines")))
      (forget-breakpoint (field request "function")))
  (breakpoints-object))

;; This operation is separate from setting the breakpoint, because reading a text may take a long time.
(define-operation "check-breakpoint-condition" (:looking-up request)
  (object "problem" (condition-problem (field request "when") (field request "function"))))

(define-operation "check-breakpoint-line" (:looking-up request)
  (object "problem" (line-problem (field request "function") (field request "line") (field request "text"))))

(define-operation "break-on-conditions" (:control request)
  (want-condition-types (coerce (field request "types") 'list))
  (breakpoints-object))

(define-operation "keep-breakpoints" (:control request)
  (want-breakpoints (coerce (field request "functions") 'list) (coerce (field request "conditions") 'list)
                    (field request "when") (field request "lines"))
  (breakpoints-object))

(defun named-function (text)
  (let ((name (let ((*package* (find-package '#:common-lisp-user)) (*read-eval* nil)) (read-from-string text))))
    (unless (and (or (symbolp name) (and (consp name) (eq (first name) 'setf)))
                 (fboundp name)
                 (not (and (symbolp name) (or (macro-function name) (special-operator-p name)))))
      (error "~A is not the name of a function." text))
    name))
