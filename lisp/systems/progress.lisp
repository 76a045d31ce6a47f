;;;; How far ASDF is. It is told by events while a load, a compilation or a test is under way; ASDF's own PERFORM has methods
;;;; of every kind already, so its function is encapsulated and never given one.

(in-package #:lisp-workbench/systems)

(defvar *progress* nil "The PROGRESS of the run under way.")

(defconstant +event-interval+ 1/20 "Seconds between two events.")

(defstruct progress evaluation system (total 0) (done 0) (sent-at nil) (hook nil))

(defun install-progress ()
  "Called once, when the core is built."
  (encapsulate 'perform-plan 'lisp-workbench #'count-plan)
  (encapsulate 'asdf:perform 'lisp-workbench #'count-action))

(defun call-with-progress (evaluation system function &optional hook)
  "Call FUNCTION and tell how far ASDF is. HOOK is called after each action. Returns what FUNCTION returns, and the PROGRESS."
  (let* ((progress (make-progress :evaluation (evaluation-id evaluation) :system system :hook hook))
         (*progress* progress))
    (unwind-protect (values (funcall function) progress)
      (when (progress-sent-at progress)
        (send-progress progress "other" system)))))

(defun count-plan (original plan &rest arguments)
  (when *progress*
    (incf (progress-total *progress*) (or (ignore-errors (length (plan-actions plan))) 0)))
  (apply original plan arguments))

(defvar *component* nil "What ASDF is at in this thread.")

(defun system-under-way ()
  "Name of the system whose component ASDF compiles or loads in this thread, NIL when none."
  (and *component*
       (ignore-errors (asdf:component-name (asdf:component-system *component*)))))

(defun count-action (original operation component)
  (let ((progress *progress*) (*component* component))
    (if (null progress)
        (funcall original operation component)
        (progn
          (tell-when-due progress operation component)
          (multiple-value-prog1 (funcall original operation component)
            (incf (progress-done progress))
            (when (progress-hook progress) (funcall (progress-hook progress))))))))

(defun tell-when-due (progress operation component)
  (let ((now (get-internal-real-time)))
    (when (or (null (progress-sent-at progress))
              (>= (- now (progress-sent-at progress)) (* +event-interval+ internal-time-units-per-second)))
      (setf (progress-sent-at progress) now)
      (send-progress progress (action-name operation) (component-label component)))))

(defun send-progress (progress action component)
  (send-event "system-progress"
              "evaluation" (progress-evaluation progress)
              "system" (progress-system progress)
              "done" (progress-done progress)
              "total" (max (progress-done progress) (progress-total progress))
              "action" action
              "component" component))

(defun action-name (operation)
  (typecase operation
    (asdf:compile-op "compile")
    ((or asdf:load-op asdf:load-source-op) "load")
    (t "other")))

(defun component-label (component)
  "system/module/file."
  (or (ignore-errors (format nil "~{~A~^/~}" (asdf:component-find-path component)))
      "?"))
