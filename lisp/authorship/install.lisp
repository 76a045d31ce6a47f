;;;; The entry point of this folder. Installs the parts of author tracking one by one, and tests each on this SBCL. A part that fails its
;;;; trial is removed and reported as lacking. If the first part fails, none is installed.

(in-package #:lisp-workbench/authorship)

(defparameter *parts*
  `((,*following* install-entries entries-fault)
    (,*following* nil files-fault)
    (,*following* install-expanders)
    ("compiler notes on agents' inline functions" install-inline-remarks)
    ("comparing agents' code that is compiled again" install-code-digests digests-fault)
    ("guarding code that agents interpret" install-interpreted interpreted-fault)
    ("guarding code that agents' compiler transforms return" install-transforms)
    ("guarding code that uses agents' definitions" install-copied-forms copied-forms-fault)
    ("guarding code that ASDF evaluates" install-asdf-data))
  "The parts. Each has the name of its feature in the table of internals, its installer, and its trial: a function that returns a
description of the fault, or NIL.")

(defvar *installed* '() "Functions that uninstall the installed parts, latest part first.")

(defun install-authorship ()
  "Install all parts of author tracking that this SBCL supports. Called once, when the core is built, before the guard itself is installed."
  (loop for (feature installer trial) in *parts*
        when (and (following-p) (null (lacking feature)))
          do (let* ((removers (if installer (call-removably installer) '()))
                    (fault (and trial (fault-in trial))))
               (cond (fault (mapc #'funcall removers)
                            (turn-off feature fault)
                            (unless (following-p) (uninstall-authorship)))
                     (t (setf *installed* (append removers *installed*)))))))

(defun uninstall-authorship ()
  "Restore SBCL, UIOP and ASDF to their state before INSTALL-AUTHORSHIP. Code that was compiled before this call keeps its tests."
  (mapc #'funcall (shiftf *installed* '()))
  (when (following-p) (turn-off *following* "an uninstalled part")))

(defun fault-in (trial)
  (handler-case (without-recording (funcall trial))
    (error (condition) (format nil "~A (~A)" trial (remove #\Newline (princ-to-string condition))))))
