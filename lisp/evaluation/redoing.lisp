;;;; Decides whether an evaluation can be made again. The core need not copy the image before what follows one that can:
;;;; should the image end, the evaluation is made again in the copy of before it, and leaves the same image.

(in-package #:lisp-workbench/evaluation)

(defvar *descriptors-held-p* (constantly t) "Function: whether this process has something open outside that evaluated code opened.")

(sb-ext:defglobal *held-before* nil)    ; what *DESCRIPTORS-HELD-P* said at the end of the evaluation before

(defun redoable-p (evaluation)
  "True when EVALUATION, which ends now, stayed within the image, as far as can be told, and nothing works there by
itself. It may have written to what was opened before it: so nothing may be open."
  (and (nothing-held-p)
       (not (evaluation-outside evaluation))
       (null (user-threads))
       (null (parked-evaluations))
       (null (sb-ext:list-all-timers))
       (null sb-sys:*shared-objects*))) ; foreign code does what it likes

(defun nothing-held-p ()
  "True when nothing was open outside when the evaluation before ended, and nothing is now."
  (let ((held (cond (*may-have-opened*
                     (setf *may-have-opened* nil)
                     (funcall *descriptors-held-p*))
                    (t *held-before*))))
    (when held (setf *may-have-opened* t))
    (not (or (shiftf *held-before* held) held))))
