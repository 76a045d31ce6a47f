;;;; The effect of a call outside the image, determined from the call's arguments before the call is made. Each function `look-at-…` takes
;;;; the arguments of the operators that the table assigns to it. It returns an EFFECT, or NIL if the call has no effect outside the image.
;;;; This file defines EFFECT; the functions are in the files `…-targets.lisp`, by kind of target.

(in-package #:lisp-workbench/effects)

(defconstant +longest-target+ 20000 "The maximum length, in characters, of a target that is displayed in full.")
(defconstant +longest-fact+ 2000 "The maximum length, in characters, of a target that is displayed in full in a reply's list of effects.")

(defstruct (effect (:constructor make-effect (target &key path other-path facts links change)))
  "The effect that a call would have outside the image. PATH and OTHER-PATH are real names, LINKS the names of the links on the way to them.
KIND, OPERATOR and OPENS come from the table. CHANGE names the change to a file in one or two words; a rule for one change does not apply to
another. FACTS is a list of (name . value) with all displayed facts, which must still be true when the call is made. REFUSED is the reason
to deny the effect without a request for approval, or NIL. HELD is NIL if the path identifies the object; otherwise it is a function that
takes the call's arguments and returns arguments that denote the displayed objects. INSTEAD is NIL, or a list: the native name of the
program or library that the call starts, and the name of the file that is read in its place."
  kind operator (opens nil) target path other-path facts links change (refused nil) (held nil) (instead nil))

(defvar *name-reader* 'lisp-name
  "A function that returns the native name for an argument: LISP-NAME, or POSIX-NAME for SB-POSIX, which does not change strings.")

(defvar *holding* nil
  "The HOLDING structure of the approved call that this thread is about to make; NIL while a call is only displayed.")

(defvar *instead* nil
  "The native name of the program or library that this thread's call starts, and the name of the file that is read in its place; NIL if the
file itself is read.")

(sb-ext:defglobal *held-folders* '()) ; the real names of folders with files that are held for calls, see holding.lisp

(defun file-effect (argument &key (follow t) change facts)
  "Return the effect on the file that ARGUMENT names. CHANGE names the change, and FACTS are additional facts to display. Both may be
functions of the file's status, which is NIL if the file does not exist."
  (multiple-value-bind (path links) (real-name (funcall *name-reader* argument) follow)
    (let ((stat (stat-of path follow)))
      (flet ((of-stat (what) (if (functionp what) (funcall what stat) what)))
        (let ((change (of-stat change)))
          (refuse-held
           (make-effect path :path path :links links :change change
                             :facts (append (and change (list (cons "change" change)))
                                            (of-stat facts)
                                            (file-facts stat path follow)))))))))

(defun refuse-held (effect)
  "Return EFFECT. Mark it as refused if it affects a copy that the engine runs or is about to run."
  (when (some (lambda (folder) (or (string= folder (effect-path effect)) (within-p (effect-path effect) folder))) *held-folders*)
    (setf (effect-refused effect) "The engine stores copies of programs there, and compares them before it runs them"))
  effect)

(defun file-facts (stat path follow)
  (when stat
    (let ((link (and (not follow) (link-target path))) (names (stat-links stat)))
      (list* (cond (link (cons "link to" link))
                   ((folder-p stat) (cons "directory" "yes"))
                   (t (cons "size" (format nil "~D" (stat-size stat)))))
             (cons "modified" (timestamp (stat-modified stat)))
             (cons "inode" (format nil "~D:~D" (stat-device stat) (stat-inode stat)))
             ;; The path does not show that the same file has other names.
             (if (and (not link) (not (folder-p stat)) (> names 1))
                 (list (cons "hard links" (format nil "~D: the same file also has other names" names)))
                 '())))))

(defun timestamp (unix-time)
  "Return UNIX-TIME, in seconds, as an ISO 8601 string in UTC."
  (multiple-value-bind (second minute hour day month year)
      (decode-universal-time (+ unix-time #.(encode-universal-time 0 0 0 1 1 1970 0)) 0)
    (format nil "~4,'0D-~2,'0D-~2,'0DT~2,'0D:~2,'0D:~2,'0DZ" year month day hour minute second)))

(defun two-files (effect other)
  "Add OTHER, the effect on a second file, to EFFECT, and return EFFECT."
  (setf (effect-other-path effect) (effect-path other)
        (effect-target effect) (concatenate 'string (effect-path effect) " -> " (effect-path other))
        (effect-links effect) (append (effect-links effect) (effect-links other))
        (effect-refused effect) (or (effect-refused effect) (effect-refused other))
        (effect-change effect) (if (stat-of (effect-path other) nil) "overwrites" "new file")
        (effect-facts effect) (append (effect-facts effect)
                                      (list (cons "change" (effect-change effect)))
                                      (loop for (name . value) in (effect-facts other)
                                            collect (cons (format nil "overwritten ~A" name) value))))
  effect)
