;;;; Reports ASDF's progress by events during a load, a compilation or a test. The function PERFORM is encapsulated, because ASDF already
;;;; has methods of every kind for it, and another method would replace one of them.

(in-package #:lisp-workbench/systems)

(defvar *progress* nil "The PROGRESS of the running load, compilation or test.")

(defconstant +event-interval+ 1/20 "The minimum number of seconds between two progress events.")

(defstruct progress evaluation system (total 0) (done 0) (sent-at nil) (hook nil) (files '()))

(defun install-progress ()
  "Install advice on ASDF's functions that reports their progress. Called once, when the core is built."
  (setf *system-at-work-p* 'system-at-work-p)
  (install-advice 'asdf:perform-plan 'lisp-workbench #'count-plan)
  (install-advice 'asdf:perform 'lisp-workbench #'count-action)
  (install-advice 'asdf:load-asd 'lisp-workbench
               (lambda (original &rest arguments)
                 (let ((*reads-definitions* t))
                   (call-noting-agents-part (lambda () (apply original arguments))))))
  (install-advice 'asdf:initialize-source-registry 'lisp-workbench-lock #'call-with-registry)
  (install-advice 'sysdef-source-registry-search 'lisp-workbench-lock #'call-with-registry)
  (install-advice 'asdf:operate 'lisp-workbench #'note-loaded-system)
  (install-advice 'require 'lisp-workbench #'note-required-modules)
  (unless (lacking "compiling like plain SBCL, even after a contributed module is loaded")
    (install-advice 'module-provide-contrib 'lisp-workbench #'call-keeping-restrictions))
  (install-kept-exports)
  (install-exact-stamps))

(defvar *reads-definitions* nil "True while ASDF loads a file that defines systems.")
(defvar *operating* nil "True within an ASDF operation. Operations called inside it are parts of it and are not reported.")
(defvar *loaded-files* '() "Native names of the source files that the current ASDF operation has loaded, latest first.")

(defun note-loaded-system (original &rest arguments)
  "Report a system that was not loaded before, or whose files were loaded again. This works however code loads the system: with LOAD-SYSTEM,
QUICKLOAD or REQUIRE."
  (if *operating*
      (apply original arguments)
      (let ((loaded (loaded-system-name (second arguments))) (*loaded-files* '()))
        (multiple-value-prog1 (let ((*operating* t))
                                (call-telling-diagnostics (lazy-membership (second arguments))
                                                          (lambda () (apply original arguments))))
          (let ((name (loaded-system-name (second arguments))))
            (when (and name (or *loaded-files* (not loaded)))
              (when (tool-system-p name) (attach-to-client))
              (tell-loaded name (reverse *loaded-files*))))))))

(defun lazy-membership (designator)
  "Return a predicate of native file names that is true for files of the system that DESIGNATOR names. The system is looked up when the
predicate is first called, because it may not be defined earlier."
  (let ((membership nil))
    (lambda (file)
      (unless membership
        (let ((system (sound (if (typep designator 'asdf:component)
                                 (asdf:component-system designator)
                                 (asdf:registered-system (asdf:coerce-name designator))))))
          (setf membership (if system (file-membership system) (constantly nil)))))
      (funcall membership file))))

(defun note-loaded-file (operation component)
  (when (and *operating*
             (typep operation '(or asdf:load-op asdf:load-source-op))
             (typep component 'asdf:cl-source-file))
    (sound
      (let ((file (sb-ext:native-namestring (asdf:component-pathname component))))
        (push file *loaded-files*)
        (when *progress* (push file (progress-files *progress*)))))))

(defun loaded-system-name (designator)
  "Return the name of the system that DESIGNATOR names if the system is loaded, otherwise NIL. Do not read any file."
  (sound
    (let ((system (if (typep designator 'asdf:component)
                      (asdf:component-system designator)
                      (asdf:registered-system (asdf:coerce-name designator)))))
      (and system (asdf:component-loaded-p system) (asdf:component-name system)))))

(defun note-required-modules (original &rest arguments)
  "Report contribs that REQUIRE loads, because ASDF does not load them."
  (let ((before *modules*))
    (multiple-value-prog1 (apply original arguments)
      (let ((modules (ldiff *modules* before)))
        (when (find "SB-" modules :key (lambda (module) (subseq module 0 (min 3 (length module)))) :test #'string-equal)
          (accept-essentials))
        (dolist (module modules)
          (tell-loaded (string-downcase module)))))))

(defvar *tells-loaded* t "False while a system is being loaded that does not belong to the user, because a fresh image must not load such a
system automatically.")

(defun tell-loaded (name &optional files)
  (unless (or (not *tells-loaded*) (tool-system-p name))
    (send-event "system-loaded"
                "evaluation" (and *evaluation* (evaluation-id *evaluation*))
                "actor" (author-name)
                "system" name
                "files" (array-of files))))

(defun call-with-progress (evaluation system function &optional hook)
  "Call FUNCTION and report the progress of ASDF. Call HOOK after each action. Return two values: the value of FUNCTION, and the PROGRESS."
  (let* ((progress (make-progress :evaluation (evaluation-id evaluation) :system system :hook hook))
         (*progress* progress))
    (unwind-protect (values (funcall function) progress)
      (when (progress-sent-at progress)
        (send-progress progress "other" system)))))

(defun count-plan (original plan &rest arguments)
  (when *progress*
    (incf (progress-total *progress*) (or (ignore-errors (length (plan-actions plan))) 0)))
  (apply original plan arguments))

(defvar *component* nil "The component on which ASDF is working in this thread.")
(defvar *operation* nil "The operation that ASDF is performing on *COMPONENT*.")

(defun seal-progress ()
  "Hide the progress variables from code, because permissions for a system depend on them. Called before the core is saved."
  (seal '(*component* *reads-definitions* *client-homes* *library-guard* *dist-guard* *guarded-p* *core-installs* *dist-home*)))

(defun system-at-work-p ()
  (and (or *component* *reads-definitions*) t))

(defun system-under-way ()
  "Return the name of the system whose component ASDF is compiling or loading in this thread, or NIL if there is none. Also return NIL if an
agent's code from outside the system's files is running during this, for example in a method that the agent added to ASDF."
  (and *component*
       (not (agents-code-within-p))
       (ignore-errors (asdf:component-name (asdf:component-system *component*)))))

(defun system-file-under-way ()
  "Return the native name of the file that defines the current system; NIL if the system is defined only in the image."
  (let ((file (and *component* (not (agents-code-within-p)) (ignore-errors (asdf:system-source-file (asdf:component-system *component*))))))
    (and file (ignore-errors (probe-file file)) (sb-ext:native-namestring file))))

(defvar *left-out* '() "Names of systems that must not be loaded now.")

(defun refuse-left-out (component)
  (let ((name (asdf:component-name (asdf:component-system component))))
    (when (member name *left-out* :test #'string=)
      (error "It depends on the system ~A, which an agent had loaded and which could not be loaded again." name))))

(defun count-action (original operation component)
  (when *left-out* (refuse-left-out component))
  (let ((progress *progress*) (*component* component) (*operation* operation))
    (when progress
      (tell-when-due progress operation component)
      (when (and *evaluation* (typep operation 'asdf:test-op)) (renew-output-limit *evaluation*)))
    (multiple-value-prog1 (call-noting-outcome operation component
                                               (lambda ()
                                                 (call-noting-text operation component
                                                                   (lambda () (call-original-action original operation component)))))
      (note-loaded-file operation component)
      (when progress
        (incf (progress-done progress))
        (when (progress-hook progress) (funcall (progress-hook progress)))))))

(declaim (notinline call-original-action))
(defun call-original-action (original operation component)
  "Make ASDF perform one action. This function's frame ends the search when the stack of a component's code is searched."
  (let ((values (multiple-value-list (call-noting-agents-part (lambda () (funcall original operation component))))))
    (values-list values)))

(defun call-noting-agents-part (function)
  "Call FUNCTION, a part of ASDF's work, and detect agents' code that runs in it. Even in guarded code, calls of agents' functions are
handled like calls by the person."
  (let ((*agents-part* (list nil)) (*lends* t))
    (funcall function)))

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
