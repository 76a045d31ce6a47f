;;;; Functions that SBCL and UIOP call when an image starts, is saved, collects garbage or exits. An agent's function is called with the
;;;; guard on. It is not called at all while approval is impossible: during SBCL's own start-up, and in a process that saves the image.

(in-package #:lisp-workbench/evaluation)

(defparameter *hook-lists*
  '((sb-ext:*init-hooks* . "start") (uiop:*image-restore-hook* . "start")
    (sb-ext:*save-hooks* . "save") (uiop:*image-dump-hook* . "save")
    (sb-ext:*after-gc-hooks* . "collection") (sb-ext:*exit-hooks* . "exit"))
  "Variables that contain lists of functions, each with the occasion on which these functions are called.")

(sb-ext:defglobal *vouched-hooks* '())  ; hooks that were added while only the code of SBCL, the engine or the person was running
(sb-ext:defglobal *hook-owners* '())    ; (hook . actor) for hooks that an agent's evaluation added
(sb-ext:defglobal *hooks-seen* '())     ; the lists of hooks after the latest evaluation
(sb-ext:defglobal *hook-numbers* '())   ; (hook . number) for hooks that `list-hooks` has returned
(sb-ext:defglobal *postponed-hooks* '()) ; agents' hooks that should have been called when the image started
(sb-ext:defglobal *without-workbench* nil) ; true in a program that was saved from an image

(defun hooks-in (variable)
  "Return the hooks in the global value of VARIABLE, in a fresh list."
  (let ((value (ignore-errors (sb-ext:symbol-global-value variable))))
    (and (listp value) (ignore-errors (list-length value)) (copy-list value))))

(defun note-hooks (actor)
  "Record the owner of the hooks that were added since the last call: ACTOR, or the person if ACTOR is NIL. Called when an evaluation has
ended."
  (let ((lists (mapcar (lambda (each) (hooks-in (car each))) *hook-lists*)))
    (unless (equal lists *hooks-seen*)
      (dolist (list lists)
        (dolist (hook list)
          (unless (some (lambda (seen) (member hook seen)) *hooks-seen*)
            (if actor
                (push (cons hook actor) *hook-owners*)
                (pushnew hook *vouched-hooks*)))))
      (setf *hooks-seen* lists))))

(defun hook-function (hook)
  (typecase hook
    (function hook)
    (symbol (and (fboundp hook) (not (macro-function hook)) (not (special-operator-p hook)) (fdefinition hook)))
    (cons (ignore-errors (fdefinition hook)))))

(defun hook-author (hook)
  "Return the author whose guard is on while HOOK runs. Return NIL if the hook is the person's, SBCL's or the engine's, or if its code was
reviewed."
  (let* ((function (hook-function hook)) (authors (and function (function-authors function))))
    (cond ((find-if-not #'author-trusted authors))
          ((member hook *vouched-hooks*) nil)
          ((and authors (not (closurep function))) nil)
          (t (let ((actor (cdr (assoc hook *hook-owners*))))
               (if actor (make-author :actor actor) (unknown-author)))))))

(defun call-agents-hook (hook call)
  "Call CALL, which calls HOOK, under the guard of HOOK's author."
  (with-guard-of ((hook-author hook)) (funcall call)))

(defun call-hooks-guarded (original kind hooks &rest keys)
  "Call SBCL's HOOKS. The hooks of the garbage collector run in any thread, so they do not belong to any evaluation, not even the person's."
  (flet ((call (hooks) (apply original kind hooks keys)))
    (cond (*without-workbench* (call hooks))
          ((equal kind "after-GC")
           (call (intersection '(check-heap) hooks))
           (let ((*evaluation* nil))
             (call-interrupting t (lambda () (call (remove 'check-heap hooks))) (unknown-author))))
          (t (call-apart hooks (cdr (assoc kind '(("initialization" . :start) ("save" . :save)) :test #'equal)) #'call)))))

(defun call-apart (hooks kind call)
  "Call CALL with the list of those HOOKS that do not belong to agents. Then call it with each of the agents' hooks under the guard of the
hook's author. At the start of the image (:START), the agents' hooks wait for RUN-POSTPONED-HOOKS; in a process that saves the image
(:SAVE), they are skipped."
  (let ((agents (remove-if-not #'hook-author hooks)))
    (funcall call (remove-if (lambda (hook) (member hook agents)) hooks))
    (ecase kind
      (:start (setf *postponed-hooks* (append *postponed-hooks* agents)))
      (:save)
      ((nil) (dolist (hook agents) (call-agents-hook hook (lambda () (funcall call (list hook)))))))))

(defun install-image-hooks ()
  "Put the guard around UIOP's hook calls. Called once, when the core is built, while all hooks are SBCL's or the engine's."
  (put-around 'uiop:call-image-restore-hook
              (lambda (original) (call-uiops-hooks original uiop:*image-restore-hook* (if *evaluation* nil :start))))
  (put-around 'uiop:call-image-dump-hook
              (lambda (original) (call-uiops-hooks original uiop:*image-dump-hook* (if *evaluation* nil :save)))))

(defun call-uiops-hooks (original hooks kind)
  (if (or *without-workbench* (notany #'hook-author hooks))
      (funcall original)
      (call-apart hooks kind #'uiop:call-functions)))

(define-run "run-start-hooks" (evaluation request)
  (let ((hooks (shiftf *postponed-hooks* '())))
    (dolist (hook hooks)
      (handler-case (if (hook-author hook)
                        (call-agents-hook hook (lambda () (funcall hook)))
                        (funcall hook))
        (error (condition)
          (warn "A start-up hook of the image failed: ~A" (print-report condition 1000)))))
    (object "hooks" (length hooks))))

;;; Saving a program that runs without the workbench

(define-operation "list-hooks" (:control request)
  (object "due" (length *postponed-hooks*)
          "hooks"
          (array-of
           (loop for (variable . occasion) in *hook-lists*
                 append (loop for hook in (hooks-in variable)
                              for actor = (agent-of-hook hook)
                              when actor
                                collect (object "id" (hook-number hook)
                                                "text" (with-guard-at-once (print-short hook 200))
                                                "variable" (symbol-name variable)
                                                "occasion" occasion
                                                "actor" actor
                                                "reviewed" (json-boolean (null (hook-author hook)))))))))

(defun agent-of-hook (hook)
  "Return the agent that installed or wrote HOOK; NIL if the hook does not belong to an agent."
  (let* ((function (hook-function hook)) (authors (and function (function-authors function))))
    (cond ((cdr (assoc hook *hook-owners*)))
          (authors (author-actor (first authors)))
          ((hook-author hook) (author-actor (hook-author hook))))))

(defun hook-number (hook)
  (or (cdr (assoc hook *hook-numbers*))
      (let ((number (length *hook-numbers*)))
        (push (cons hook number) *hook-numbers*)
        number)))

(defun leave-hooks (kept)
  "Remove agents' hooks from their lists, in preparation for a program that runs without the workbench. Keep the hooks whose numbers are in
KEPT."
  (setf *without-workbench* t)
  (loop for (variable) in *hook-lists*
        do (setf (sb-ext:symbol-global-value variable)
                 (remove-if (lambda (hook) (and (agent-of-hook hook) (not (member (cdr (assoc hook *hook-numbers*)) kept))))
                            (hooks-in variable)))))
