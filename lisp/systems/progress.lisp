;;;; ASDF's progress. It is told by events while a load, a compilation or a test is under way; ASDF's own PERFORM has methods
;;;; of every kind already, so its function is encapsulated and never given one.

(in-package #:lisp-workbench/systems)

(defvar *progress* nil "The PROGRESS of the run under way.")

(defconstant +event-interval+ 1/20 "Seconds between two events.")

(defstruct progress evaluation system (total 0) (done 0) (sent-at nil) (hook nil) (files '()))

(defun install-progress ()
  "Follow ASDF's work by advice on its functions. Called once, when the core is built."
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
  (unless (lacking "compiling as plain SBCL does after a contributed module was required")
    (install-advice 'module-provide-contrib 'lisp-workbench #'call-keeping-restrictions))
  (install-kept-exports)
  (install-exact-stamps))

(defvar *reads-definitions* nil "True while ASDF loads a file that defines systems.")
(defvar *operating* nil "True within an operation of ASDF: those within it are parts of it.")
(defvar *loaded-files* '() "Native names of the source files that the operation of ASDF has loaded, latest first.")

(defun note-loaded-system (original &rest arguments)
  "Tell of a system that was not loaded before, or whose files were loaded again, by whatever means code loads it: LOAD-SYSTEM,
QUICKLOAD, REQUIRE."
  (if *operating*
      (apply original arguments)
      (let ((loaded (loaded-system-name (second arguments))) (*loaded-files* '()))
        (multiple-value-prog1 (let ((*operating* t))
                                (call-telling-diagnostics (lazy-membership (second arguments))
                                                          (lambda () (apply original arguments))))
          (let ((name (loaded-system-name (second arguments))))
            (when (and name (or *loaded-files* (not loaded)))
              (tell-loaded name (reverse *loaded-files*))))))))

(defun lazy-membership (designator)
  "A predicate of native file names: whether the file is one of the system's that DESIGNATOR means. The system is looked up at the first
file, since it may be defined by then only."
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
  "The name of the system that DESIGNATOR means when it is loaded, else NIL. No file is read for that."
  (sound
    (let ((system (if (typep designator 'asdf:component)
                      (asdf:component-system designator)
                      (asdf:registered-system (asdf:coerce-name designator)))))
      (and system (asdf:component-loaded-p system) (asdf:component-name system)))))

(defun note-required-modules (original &rest arguments)
  "Tell of contribs that REQUIRE loads, which ASDF does not load."
  (let ((before *modules*))
    (multiple-value-prog1 (apply original arguments)
      (let ((modules (ldiff *modules* before)))
        (when (find "SB-" modules :key (lambda (module) (subseq module 0 (min 3 (length module)))) :test #'string-equal)
          (accept-essentials))
        (dolist (module modules)
          (tell-loaded (string-downcase module)))))))

(defvar *tells-loaded* t "False while a system is loaded that is none of the user's, and that a fresh image shall not have by itself.")

(defun tell-loaded (name &optional files)
  (when *tells-loaded*
    (send-event "system-loaded"
                "evaluation" (and *evaluation* (evaluation-id *evaluation*))
                "actor" (author-name)
                "system" name
                "files" (array-of files))))

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

(defvar *component* nil "The component that ASDF is at in this thread.")
(defvar *operation* nil "The operation that ASDF performs on it.")

(defun seal-progress ()
  "Take the names of the progress from code, which must not set it, since grants for a system go by it. Called before the core is saved."
  (seal '(*component* *reads-definitions*)))

(defun system-at-work-p ()
  (and (or *component* *reads-definitions*) t))

(defun system-under-way ()
  "Return the name of the system whose component ASDF compiles or loads in this thread. NIL when there is none, or when an agent's code that
is not of a system's file does something of its own meanwhile, as in a method around ASDF's."
  (and *component*
       (not (agents-code-within-p))
       (ignore-errors (asdf:component-name (asdf:component-system *component*)))))

(defun system-file-under-way ()
  "Return the native name of the file that defines the system under way; NIL when that system was made in the image alone."
  (let ((file (and *component* (not (agents-code-within-p)) (ignore-errors (asdf:system-source-file (asdf:component-system *component*))))))
    (and file (ignore-errors (probe-file file)) (sb-ext:native-namestring file))))

(defvar *left-out* '() "Names of systems that must not be loaded now.")

(defun refuse-left-out (component)
  (let ((name (asdf:component-name (asdf:component-system component))))
    (when (member name *left-out* :test #'string=)
      (error "It needs the system ~A, which an agent had loaded and which did not load again." name))))

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
  "Have ASDF do one action. What is looked for on the stack of a component's code ends at this frame."
  (let ((values (multiple-value-list (call-noting-agents-part (lambda () (funcall original operation component))))))
    (values-list values)))

(defun call-noting-agents-part (function)
  "Call FUNCTION, work of ASDF's, so that code of agents is noticed that runs in it: for guarded code as well its entries are taken as they
are for the person."
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
