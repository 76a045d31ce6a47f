;;;; Guards the data that ASDF and UIOP evaluate: forms in the registry, hooks that are lists or strings, and descriptions of file
;;;; locations. The author of the data is unknown, so the guard is on while the data is evaluated. ASDF's own work around the data runs with
;;;; the guard unchanged.

(in-package #:lisp-workbench/systems)

(defun install-asdf-data ()
  "Put the guard around the functions with which ASDF and UIOP evaluate data."
  (put-around 'uiop:ensure-function #'lend-ensured)
  (put-around 'uiop:register-hook-function #'register-ensured)
  (surround 'uiop:call-around-hook 'lisp-workbench #'call-around-guarded)
  (surround 'asdf:perform 'lisp-workbench-authors #'perform-guarded)
  (surround 'sysdef-central-registry-search 'lisp-workbench #'search-guarded)
  (surround 'asdf:initialize-source-registry 'lisp-workbench #'call-with-data-guarded)
  (surround 'asdf:initialize-output-translations 'lisp-workbench #'call-with-data-guarded))

(defun program-p (data)
  "Return true if DATA is a form or string that UIOP evaluates, or a list of a function and its arguments."
  (or (consp data) (stringp data)))

(defun lend-ensured (original function &rest keys)
  "Call ORIGINAL. If guarded code passed a list or string, wrap the resulting closure, so that the closure belongs to that code."
  (let ((ensured (apply original function keys)))
    (if (and *guard* (program-p function) (functionp ensured) (null (function-authors ensured)))
        (lend-function ensured)
        ensured)))

(defun register-ensured (original variable hook &rest more)
  (apply original variable (if (and *guard* (program-p hook)) (uiop:ensure-function hook) hook) more))

;;; Data evaluated during the person's evaluation

(defun registry-forms ()
  "Return the forms that ASDF evaluates in its registry, without the engine's own form."
  (sound
    (remove-if (lambda (entry) (or (atom entry) (equal entry '(trusted-project-directory)))) asdf:*central-registry*)))

(defun call-as-agents (function)
  "Call FUNCTION with the guard on, even if the person's code is running, because the author of the data is unknown."
  (if *guard*
      (funcall function)
      (with-guard-of ((unknown-author)) (funcall function))))

(defun as-before (function)
  "Return a function that calls FUNCTION with the guard's current state restored."
  (let ((guard *guard*) (lends *lends*) (author *author*) (may-wait *may-wait*))
    (lambda (&rest arguments)
      (let ((*guard* guard) (*lends* lends) (*author* author) (*may-wait* may-wait))
        (apply function arguments)))))

(defun search-guarded (original system)
  (let ((forms (registry-forms)))
    (if forms
        (call-as-agents (lambda () (funcall original system)))
        (funcall original system))))

(defun call-with-data-guarded (original &rest arguments)
  (call-as-agents (lambda () (apply original arguments))))

(defun call-around-guarded (original hook function)
  "Call ORIGINAL with HOOK and FUNCTION. If HOOK is data, turn the guard on for it, but run FUNCTION, which the hook surrounds, as the
person's work."
  (if (and (program-p hook) (not *guard*))
      (let ((function (as-before function)))
        (call-as-agents (lambda () (funcall original hook function))))
      (funcall original hook function)))

;;; Systems with files that agents wrote without approval

(defun perform-guarded (original operation component)
  "Perform OPERATION on COMPONENT. Turn the guard on if an agent wrote one of the component's files without approval. This applies even if
the person called ASDF, because the person has not accepted that file. Also turn the guard on if an agent's code took part in naming the
files, because that code could name any file."
  (multiple-value-bind (unseen files named) (action-unseen-p operation component)
    (let ((*unseen-files* (if unseen (remove nil (mapcar #'true-name files)) '())))
      (if (and (or unseen named) (not *guard*))
          (call-as-agents (lambda () (funcall original operation component)))
          (funcall original operation component)))))

(sb-ext:defglobal *caches-of-names* (remove nil (list (find-symbol "*ASDF-SESSION*" "ASDF/SESSION")))
  "ASDF's variables that cache computed values, such as file names.")

(defun action-unseen-p (operation component)
  "Return three values: true if a file that OPERATION reads for COMPONENT may have been written without approval; the list of the input
files; and true if an agent's code took part in naming the files that OPERATION reads and writes."
  (flet ((unseen-p (pathname) (and pathname (ignore-errors (written-unasked-p pathname)))))
    (multiple-value-bind (files named)
        (call-noting-agents-part
         (lambda ()
           (progv *caches-of-names* '(nil) ; otherwise ASDF would return the names that it cached while planning
             (ignore-errors (asdf:output-files operation component))
             (values (ignore-errors (asdf:input-files operation component)) (agents-part-p)))))
      (values (or (unseen-p (ignore-errors (asdf:system-source-file (asdf:component-system component))))
                  (unseen-p (ignore-errors (asdf:component-pathname component)))
                  (some #'unseen-p files))
              files
              named))))

(defun true-name (pathname)
  (ignore-errors (sb-ext:native-namestring (truename pathname))))

(defun compile-component-again (name)
  "Make ASDF recompile the source of the compiled file NAME, which ASDF is loading in this thread. Return the native name of the new
compiled file, or NIL if ASDF is not loading NAME."
  (when (and (typep *component* 'asdf:cl-source-file)
             (typep *operation* 'asdf:load-op)
             (find name (asdf:input-files *operation* *component*) :key #'true-name :test #'equal))
    (let ((operation (asdf:make-operation 'asdf:compile-op)))
      (asdf:perform operation *component*)
      (true-name (first (asdf:output-files operation *component*))))))

;;; Agents' code within an ASDF action

(defun agents-code-within-p ()
  "Return true if ASDF's action on this thread's stack has called an agent's code that did not come from a system's file."
  (unless (or (not (following-p)) (lacking "the debugger's frames") (lacking "stack traces"))
    (block walk
      (map-backtrace
       (lambda (frame)
         (let* ((debug-function (frame-debug-fun frame)) (function (debug-fun-fun debug-function)))
           (cond ((eq (frame-call frame) 'count-action) (return-from walk nil))
                 ((and function (notevery #'author-of-system-p (function-authors function)))
                  (return-from walk t)))))))))
