;;;; Determines which evaluations can be repeated. The core does not need a checkpoint after such an evaluation: if the image ends, the core
;;;; repeats the evaluation in the previous checkpoint, which produces the same image.

(in-package #:lisp-workbench/evaluation)

(defvar *descriptors-held-p* (constantly t) "A function without arguments that returns true if this process has an open descriptor that
evaluated code opened.")

(sb-ext:defglobal *held-before* nil)    ; the result of *DESCRIPTORS-HELD-P* at the end of the previous evaluation

(defun redoable-p (evaluation)
  "Return true if EVALUATION, which ends now, stayed within the image, as far as the engine can know, and no code runs in the background. No
descriptor may be open, because the evaluation could have written to a descriptor that an earlier one opened."
  (and (nothing-held-p)
       (not (evaluation-outside evaluation))
       (not (evaluation-beside evaluation))
       (null (user-threads))
       (null (parked-evaluations))
       (null (sb-ext:list-all-timers))
       (null sb-sys:*shared-objects*))) ; foreign code may do anything

(defun nothing-held-p ()
  "Return true if evaluated code has no descriptor open now, and had none open when the previous evaluation ended."
  (let ((held (cond (*may-have-opened*
                     (setf *may-have-opened* nil)
                     (funcall *descriptors-held-p*))
                    (t *held-before*))))
    (when held (setf *may-have-opened* t))
    (not (or (shiftf *held-before* held) held))))
