;;;; ASDF and UIOP evaluate data: forms in the registry, hooks that are lists or texts, descriptions of where files lie. What is
;;;; evaluated so belongs to whoever wrote the data, and that cannot be seen on it. So it is evaluated with the guard, and what
;;;; ASDF itself does around it goes on as before.

(in-package #:lisp-workbench/systems)

(defun install-asdf-data ()
  "Put the guard around the functions by which ASDF and UIOP evaluate data."
  (put-around 'uiop:ensure-function #'lend-ensured)
  (put-around 'uiop:register-hook-function #'register-ensured)
  (surround 'uiop:call-around-hook 'lisp-workbench #'call-around-guarded)
  (surround 'asdf:perform 'lisp-workbench-authors #'perform-guarded)
  (surround 'sysdef-central-registry-search 'lisp-workbench #'search-guarded)
  (surround 'asdf:initialize-source-registry 'lisp-workbench #'call-with-data-guarded)
  (surround 'asdf:initialize-output-translations 'lisp-workbench #'call-with-data-guarded))

(defun program-p (data)
  "True when UIOP evaluates DATA, or takes a function and its arguments from it."
  (or (consp data) (stringp data)))

(defun lend-ensured (original function &rest keys)
  "A closure of UIOP's over a list or text of guarded code is that code's."
  (let ((ensured (apply original function keys)))
    (if (and *guard* (program-p function) (functionp ensured) (null (function-authors ensured)))
        (lend-function ensured)
        ensured)))

(defun register-ensured (original variable hook &rest more)
  (apply original variable (if (and *guard* (program-p hook)) (uiop:ensure-function hook) hook) more))

;;; Data evaluated in the person's turn

(defun registry-forms ()
  "The forms of its registry that ASDF evaluates. The engine's own form is no code of anybody's."
  (sound
    (remove-if (lambda (entry) (or (atom entry) (equal entry '(trusted-project-directory)))) asdf:*central-registry*)))

(defun call-as-agents (function)
  "Call FUNCTION with the guard, also where the person's code runs. Nobody knows whose the data is."
  (if *guard*
      (funcall function)
      (with-guard-of ((unknown-author)) (funcall function))))

(defun as-before (function)
  "FUNCTION, to be called with the guard as it is now."
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
  "HOOK, of whatever is data, has the guard; FUNCTION, which it is put around, is the person's work as before."
  (if (and (program-p hook) (not *guard*))
      (let ((function (as-before function)))
        (call-as-agents (lambda () (funcall original hook function))))
      (funcall original hook function)))

;;; Systems in files that agents wrote unasked

(defun perform-guarded (original operation component)
  "Perform OPERATION on COMPONENT; with the guard on when an agent wrote its file unasked, whoever asked ASDF for it: the person has not put that
file there. With the guard on as well when an agent's code says which files these are: it could name any."
  (multiple-value-bind (unseen files named) (action-unseen-p operation component)
    (let ((*unseen-files* (if unseen (remove nil (mapcar #'true-name files)) '())))
      (if (and (or unseen named) (not *guard*))
          (call-as-agents (lambda () (funcall original operation component)))
          (funcall original operation component)))))

(sb-ext:defglobal *caches-of-names* (remove nil (list (find-symbol "*ASDF-SESSION*" "ASDF/SESSION")))
  "Variables of ASDF's that hold what was computed before, such as names of files.")

(defun action-unseen-p (operation component)
  "True when a file that OPERATION reads for COMPONENT may have been written unasked. The second value is the list of those that it takes in.
The third is true when code of an agent took part in naming the files that it reads and writes."
  (flet ((unseen-p (pathname) (and pathname (ignore-errors (written-unasked-p pathname)))))
    (multiple-value-bind (files named)
        (call-noting-agents-part
         (lambda ()
           (progv *caches-of-names* '(nil) ; else ASDF says again what it was told while it made its plan
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
  "Have ASDF compile the source of the compiled file NAME, which it loads just now in this thread; return the native name of what it made. NIL
when ASDF loads another file, or none."
  (when (and (typep *component* 'asdf:cl-source-file)
             (typep *operation* 'asdf:load-op)
             (find name (asdf:input-files *operation* *component*) :key #'true-name :test #'equal))
    (let ((operation (asdf:make-operation 'asdf:compile-op)))
      (asdf:perform operation *component*)
      (true-name (first (asdf:output-files operation *component*))))))

;;; Code of agents within an action of ASDF

(defun agents-code-within-p ()
  "True when ASDF's action, on this thread's stack, has called code that an agent brought otherwise than by a
system's file."
  (unless (or (not (following-p)) (lacking "the debugger's frames") (lacking "stack traces"))
    (block walk
      (map-backtrace
       (lambda (frame)
         (let* ((debug-function (frame-debug-fun frame)) (function (debug-fun-fun debug-function)))
           (cond ((eq (frame-call frame) 'count-action) (return-from walk nil))
                 ((and function (notevery #'author-of-system-p (function-authors function)))
                  (return-from walk t)))))))))
