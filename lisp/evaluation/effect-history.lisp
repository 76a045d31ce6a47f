;;;; The effects of an evaluation, done and denied: told in its reply and to whoever decides about the next effect.

(in-package #:lisp-workbench/evaluation)

(defconstant +most-effects+ 200 "The most effects that are listed of one evaluation; further ones are only counted.")

(sb-ext:defglobal *history-lock* (sb-thread:make-mutex :name "lisp-workbench effects"))

(defun note-effect (evaluation effect once)
  "Keep EFFECT, an object of the wire. With ONCE it is left out when the list has one of the same kind and target. Return false when it was
not put into the list."
  (sb-thread:with-mutex (*history-lock*)
    (unless (and once (find-if (lambda (other) (alike-p other effect)) (evaluation-effects evaluation)))
      (when (<= (incf (evaluation-effect-count evaluation)) +most-effects+)
        (push effect (evaluation-effects evaluation))
        t))))

(defun alike-p (one other)
  (and (equal (field one "kind") (field other "kind"))
       (equal (field one "target") (field other "target"))))

(defun effect-history (evaluation most)
  "The latest MOST of those in the list, oldest first, and how many effects there were in all."
  (sb-thread:with-mutex (*history-lock*)
    (let ((effects (evaluation-effects evaluation)))
      (values (reverse (subseq effects 0 (min most (length effects))))
              (evaluation-effect-count evaluation)))))

(defun effects-array (evaluation)
  (array-of (effect-history evaluation +most-effects+)))

(defun effects-more (evaluation)
  (max 0 (- (evaluation-effect-count evaluation) +most-effects+)))
