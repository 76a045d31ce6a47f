;;;; Tells which evaluations can be done again. The core need not copy the image after such an evaluation: should the image end, the
;;;; evaluation is made again in the copy made before it, and leaves the same image.

(in-package #:lisp-workbench/evaluation)

(defvar *descriptors-held-p* (constantly t) "Function of no arguments, true when this process holds a descriptor that evaluated code opened.")

(sb-ext:defglobal *held-before* nil)    ; result of *DESCRIPTORS-HELD-P* at the end of the previous evaluation

(defun redoable-p (evaluation)
  "True when EVALUATION, which ends now, stayed within the image, as far as can be told, and nothing works there by itself. It could have
written to a descriptor opened before, so none may be open."
  (and (nothing-held-p)
       (not (evaluation-outside evaluation))
       (not (evaluation-beside evaluation))
       (null (user-threads))
       (null (parked-evaluations))
       (null (sb-ext:list-all-timers))
       (null sb-sys:*shared-objects*))) ; foreign code may do anything

(defun nothing-held-p ()
  "True when evaluated code held no descriptor when the previous evaluation ended, and holds none now."
  (let ((held (cond (*may-have-opened*
                     (setf *may-have-opened* nil)
                     (funcall *descriptors-held-p*))
                    (t *held-before*))))
    (when held (setf *may-have-opened* t))
    (not (or (shiftf *held-before* held) held))))
