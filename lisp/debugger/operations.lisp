;;;; The operations of the debugger.

(in-package #:lisp-workbench/debugger)

(defun install-debugger ()
  "Called once, when the core is built."
  (setf *debugger* 'enter-debugger
        *break-on-signals-type* 'break-type
        sb-ext:*stepper-hook* 'stop-at-step))

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
            "step" (step-object condition)
            "handle" (hold condition (debugger-id debugger))
            "restarts" (array-of (loop for restart in (debugger-restarts debugger)
                                       for index from 0
                                       collect (restart-object restart index)))
            "frames" (array-of (loop for record across (debugger-frames debugger)
                                     for index from 0
                                     collect (frame-object record index)))
            "moreFrames" (json-boolean (debugger-more-frames debugger)))))

(defmacro define-debugger-operation (name running (debugger request) &body body)
  "An operation that the thread in the debugger serves; RUNNING when it runs the user's code, or leaves."
  `(define-operation ,name (:deferred ,request)
     (let ((,debugger (find-debugger (field ,request "debugger"))))
       (if ,debugger
           (post-command (innermost ,debugger) (field ,request "id") ,running (lambda () ,@body))
           (reply-error (field ,request "id") "left" "This debugger was left.")))))

(defun requested-frame (debugger request)
  (let ((index (field request "frame")))
    (if (< -1 index (length (debugger-frames debugger)))
        (svref (debugger-frames debugger) index)
        (error "There is no frame ~D." index))))

(define-debugger-operation "debugger" nil (debugger request)
  (debugger-object debugger))

(define-operation "debuggers" (:control request)
  (object "debuggers" (array-of (mapcar #'debugger-id *debuggers*))))

(define-debugger-operation "frame-locals" nil (debugger request)
  (let ((record (requested-frame debugger request)))
    (object "locals" (array-of (frame-locals record (debugger-id debugger))))))

(define-debugger-operation "disassemble-frame" nil (debugger request)
  (disassemble-frame (requested-frame debugger request)))

(define-debugger-operation "eval-in-frame" t (debugger request)
  (run-in-debugger debugger request
                   (lambda () (evaluate-in-frame (requested-frame debugger request) (field request "code")))))

(define-debugger-operation "return-from-frame" t (debugger request)
  (run-in-debugger debugger request
                   (lambda () (return-from-frame (requested-frame debugger request) (field request "code")))))

(define-debugger-operation "restart-frame" t (debugger request)
  (run-in-debugger debugger request (lambda () (restart-frame (requested-frame debugger request)))))

(define-debugger-operation "invoke-restart" t (debugger request)
  (run-in-debugger debugger request
                   (lambda ()
                     (let ((restart (nth (field request "restart") (debugger-restarts debugger))))
                       (unless restart (error "There is no restart ~D." (field request "restart")))
                       (take-restart restart (field request "arguments"))))))

(define-debugger-operation "step" t (debugger request)
  (run-in-debugger debugger request (lambda () (take-step debugger (field request "kind")))))

;;; Breaks

(define-operation "break-in" (:control request)
  (let ((evaluation (find-evaluation (field request "evaluation"))))
    (object "found" (json-boolean (and evaluation (progn (break-in evaluation) t))))))

(define-operation "set-breakpoint" (:looking-up request)
  (let ((name (named-function (field request "function"))))
    (cond ((not (field request "set")) (forget-breakpoint name))
          ((needed-by-debugger-p name)
           (error "~S is part of Lisp itself and the debugger needs it too. Break on a function of your own." name))
          (t (break-on-entry name)))
    (breakpoints-object)))

(defun named-function (text)
  (let ((name (let ((*package* (find-package '#:common-lisp-user)) (*read-eval* nil)) (read-from-string text))))
    (unless (and (or (symbolp name) (and (consp name) (eq (first name) 'setf)))
                 (fboundp name)
                 (not (and (symbolp name) (or (macro-function name) (special-operator-p name)))))
      (error "~A names no function." text))
    name))

(define-operation "break-on-conditions" (:looking-up request)
  (setf *break-types*
        (loop for text across (field request "types")
              for name = (let ((*package* (find-package '#:common-lisp-user)) (*read-eval* nil)) (read-from-string text))
              do (unless (and (symbolp name) (find-class name nil) (subtypep name 'condition))
                   (error "~A names no condition type." text))
              collect name))
  (breakpoints-object))

(define-operation "breakpoints" (:control request)
  (breakpoints-object))

(defun breakpoints-object ()
  (let ((*package* (find-package '#:common-lisp-user)))
    (flet ((texts (names) (array-of (mapcar (lambda (name) (print-short name 300)) names))))
      (object "functions" (texts *breakpoints*)
              "conditions" (texts *break-types*)))))
