;;;; How well a name answers to what was typed: as its beginning, as the beginnings of its words (mvb, w-o-t-s), or as
;;;; characters that come in this order.

(in-package #:lisp-workbench/introspection)

(defun match-name (typed name)
  "Score and the indexes of the matched characters in NAME, NIL when NAME does not answer to TYPED. Both in one case. The
first character must begin a word; so most names are rejected at once."
  (declare (type simple-string typed name))
  (cond ((zerop (length typed)) (values 500 '()))
        ((> (length typed) (length name)) nil)
        ((string= typed name :end2 (length typed))
         (values (if (= (length typed) (length name)) 1000 (- 900 (min 99 (length name))))
                 (loop for index below (length typed) collect index)))
        ((not (in-order-p typed name)) nil)
        (t (let ((indexes (matched-indexes typed name)))
             (and indexes (values (score indexes name) indexes))))))

(defun in-order-p (typed name)
  "Whether the characters of TYPED come in NAME in their order."
  (let ((at 0) (end (length name)))
    (declare (type fixnum at end))
    (loop for char across typed
          always (loop while (< at end)
                       thereis (char= char (schar name (1- (incf at))))))))

(defun word-start-p (name index)
  (or (zerop index)
      (and (not (alphanumericp (schar name (1- index)))) (alphanumericp (schar name index)))))

(defun matched-indexes (typed name)
  "Where TYPED matches NAME: at the next word's beginning, else where a run goes on, else anywhere. NIL when its first
character begins no word. The work is bounded."
  (let ((tries 400))
    (labels ((match (at from previous)
               (cond ((= at (length typed)) '())
                     ((minusp (decf tries)) :none)
                     (t (or (first-match at (candidates at from previous)) :none))))
             (first-match (at candidates)
               (dolist (index candidates)
                 (let ((rest (match (1+ at) (1+ index) index)))
                   (unless (eq rest :none) (return (cons index rest))))))
             (candidates (at from previous)
               (let ((char (schar typed at)) (runs '()) (starts '()) (others '()))
                 (loop for index from from below (length name)
                       when (char= char (schar name index))
                         do (cond ((eql index (and previous (1+ previous))) (push index runs))
                                  ((or (word-start-p name index) (not (alphanumericp char))) (push index starts))
                                  (previous (push index others))))
                 (append (reverse starts) runs (reverse others)))))
      (let ((indexes (match 0 0 nil)))
        (if (eq indexes :none) nil indexes)))))

(defun score (indexes name)
  "At most 799: what a prefix gets is never reached."
  (let* ((starts (count-if (lambda (index) (word-start-p name index)) indexes))
         (runs (loop for (one other) on indexes count (eql other (1+ one))))
         (words (loop for index below (length name) count (word-start-p name index)))
         (whole (if (and (= starts (length indexes)) (= starts words)) 150 0)))
    (max 1 (min 799 (+ 200 whole
                       (round (* 300 (/ (+ starts (* 2/3 (max 0 (- runs (min runs starts))))) (length indexes))))
                       (if (zerop (first indexes)) 60 0)
                       (- (min 100 (length name))))))))

(defun index-ranges (indexes)
  "INDEXES as (start . end) of the runs."
  (let ((ranges '()))
    (dolist (index indexes (nreverse ranges))
      (if (and ranges (= index (cdr (first ranges))))
          (incf (cdr (first ranges)))
          (push (cons index (1+ index)) ranges)))))
