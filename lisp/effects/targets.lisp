;;;; The effect of a call outside the image, told from its arguments before the call is made. Each function `look-at-…` takes the
;;;; arguments of the operators that the table gives it and returns an EFFECT, or NIL when that call does nothing outside. This file
;;;; defines EFFECT; the functions stand in the files `…-targets.lisp`, by the kind of target.

(in-package #:lisp-workbench/effects)

(defconstant +longest-target+ 20000 "The longest target, in characters, that is told whole.")
(defconstant +longest-fact+ 2000 "The longest target, in characters, that the list of effects in a reply holds whole.")

(defstruct (effect (:constructor make-effect (target &key path other-path facts links change)))
  "The effect that a call would have outside the image. PATH and OTHER-PATH are real names, LINKS the names of the links on the way to them. KIND,
OPERATOR and OPENS come from the table. CHANGE says in one word or two what is done to a file; a rule made for one change does not hold for
another. FACTS is a list of (name . value): all that was shown, which must still be so when the call is made. REFUSED is a reason to deny
without asking, or NIL. HELD, where the path alone is not enough, is a function from the arguments to those with which the call is made,
which mean what was shown. INSTEAD is NIL, or the native
name of the program or library that the call starts and that of what is read in its place."
  kind operator (opens nil) target path other-path facts links change (refused nil) (held nil) (instead nil))

(defvar *name-reader* 'lisp-name
  "Function that gives the native name for an argument: LISP-NAME, or POSIX-NAME for SB-POSIX, which takes strings as they are.")

(defvar *holding* nil
  "The HOLDING of the decided call that this thread is about to make; NIL while a call is only shown.")

(defvar *instead* nil
  "The native name of the program or library that this thread's call starts, and that of what is read in its place; NIL when that is itself.")

(sb-ext:defglobal *held-folders* '()) ; real names of folders with what is held for calls, see holding.lisp

(defun file-effect (argument &key (follow t) change facts)
  "Return the effect on the file that ARGUMENT names. CHANGE says what is done, FACTS what else is shown; both may be functions of the file's
status, which is NIL when the file does not exist."
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
  "Return EFFECT, refused where it is on a copy that the engine runs or is about to run."
  (when (some (lambda (folder) (or (string= folder (effect-path effect)) (within-p (effect-path effect) folder))) *held-folders*)
    (setf (effect-refused effect) "The engine stores copies there that it compares before it runs them"))
  effect)

(defun file-facts (stat path follow)
  (when stat
    (let ((link (and (not follow) (link-target path))) (names (stat-links stat)))
      (list* (cond (link (cons "link to" link))
                   ((folder-p stat) (cons "directory" "yes"))
                   (t (cons "size" (format nil "~D" (stat-size stat)))))
             (cons "modified" (timestamp (stat-modified stat)))
             (cons "inode" (format nil "~D:~D" (stat-device stat) (stat-inode stat)))
             ;; The path does not tell where else its bytes are.
             (if (and (not link) (not (folder-p stat)) (> names 1))
                 (list (cons "hard links" (format nil "~D: the same file has other names elsewhere" names)))
                 '())))))

(defun timestamp (unix-time)
  "Return UNIX-TIME, in seconds, as a text in ISO 8601, UTC."
  (multiple-value-bind (second minute hour day month year)
      (decode-universal-time (+ unix-time #.(encode-universal-time 0 0 0 1 1 1970 0)) 0)
    (format nil "~4,'0D-~2,'0D-~2,'0DT~2,'0D:~2,'0D:~2,'0DZ" year month day hour minute second)))

(defun two-files (effect other)
  "Return EFFECT with a second file."
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
