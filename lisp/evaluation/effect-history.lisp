;;;; The effects of an evaluation, both performed and denied. They are included in the evaluation's reply, and displayed to the person who
;;;; decides about the next effect.

(in-package #:lisp-workbench/evaluation)

(defconstant +most-effects+ 200 "The maximum number of effects listed for one evaluation; further effects are only counted.")

(sb-ext:defglobal *history-lock* (sb-thread:make-mutex :name "lisp-workbench effects"))

(defun note-effect (evaluation effect once)
  "Record EFFECT, a wire object. With ONCE, do nothing if the list already contains an effect of the same kind and target. Return false if
EFFECT was not added to the list."
  (sb-thread:with-mutex (*history-lock*)
    (unless (and once (find-if (lambda (other) (alike-p other effect)) (evaluation-effects evaluation)))
      (when (<= (incf (evaluation-effect-count evaluation)) +most-effects+)
        (push effect (evaluation-effects evaluation))
        t))))

(defun alike-p (one other)
  (and (equal (field one "kind") (field other "kind"))
       (equal (field one "target") (field other "target"))))

(defun effect-history (evaluation most)
  "Return two values: the latest effects in EVALUATION's list, at most MOST, oldest first; and the total number of effects."
  (sb-thread:with-mutex (*history-lock*)
    (let ((effects (evaluation-effects evaluation)))
      (values (reverse (subseq effects 0 (min most (length effects))))
              (evaluation-effect-count evaluation)))))

(defun effects-array (evaluation)
  (array-of (effect-history evaluation +most-effects+)))

(defun effects-more (evaluation)
  (max 0 (- (evaluation-effect-count evaluation) +most-effects+)))
