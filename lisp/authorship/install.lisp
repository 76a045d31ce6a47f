;;;; The entry point of this room: installs what follows authors, one part after another, and tries each on this SBCL. A part that
;;;; fails its trial is taken off again and is reported as lacking; without the first part there are no others.

(in-package #:lisp-workbench/authorship)

(defparameter *parts*
  `((,*following* install-entries entries-fault)
    (,*following* nil files-fault)
    (,*following* install-expanders)
    ("the compiler's remarks on inline functions of agents" install-inline-remarks)
    ("comparing code of agents that is made again" install-code-digests digests-fault)
    ("keeping the guard on what agents have interpreted" install-interpreted interpreted-fault)
    ("keeping the guard on what agents' transforms return" install-transforms)
    ("guarding code that uses agents' definitions" install-copied-forms copied-forms-fault)
    ("keeping the guard on what ASDF evaluates" install-asdf-data))
  "Each part: its feature in the table of internals, its installer, and its trial, a function that returns what is at fault, or NIL.")

(defvar *installed* '() "Functions that take off what was installed, the latest part first.")

(defun install-authorship ()
  "Install what follows authors, as far as this SBCL can have it. Called once, when the core is built, before the guard itself."
  (loop for (feature installer trial) in *parts*
        when (and (following-p) (null (lacking feature)))
          do (let* ((removers (if installer (call-removably installer) '()))
                    (fault (and trial (fault-in trial))))
               (cond (fault (mapc #'funcall removers)
                            (turn-off feature fault)
                            (unless (following-p) (uninstall-authorship)))
                     (t (setf *installed* (append removers *installed*)))))))

(defun uninstall-authorship ()
  "Leave SBCL, UIOP and ASDF as they were before INSTALL-AUTHORSHIP. Code that was compiled meanwhile keeps its tests."
  (mapc #'funcall (shiftf *installed* '()))
  (when (following-p) (turn-off *following* "an uninstalled part")))

(defun fault-in (trial)
  (handler-case (without-recording (funcall trial))
    (error (condition) (format nil "~A (~A)" trial (remove #\Newline (princ-to-string condition))))))
