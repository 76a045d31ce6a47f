;;;; Computes how well a name matches a typed text. The text may be a prefix of the name, prefixes of its words (mvb, w-o-t-s), or some of
;;;; its characters in the same order.

(in-package #:lisp-workbench/introspection)

(defun match-name (typed name)
  "Return two values: the score of NAME, and the indexes of its characters that match TYPED. Return NIL if NAME does not match. Both strings
must be in the same case. The first character of TYPED must match the start of a word, which rejects most names at once."
  (declare (type simple-string typed name))
  (cond ((zerop (length typed)) (values 500 '()))
        ((> (length typed) (length name)) nil)
        ((string= typed name :end2 (length typed))
         (values (if (= (length typed) (length name)) 1000 (- 900 (min 99 (length name))))
                 (loop for index below (length typed) collect index)))
        ((not (in-order-p typed name)) nil)
        (t (let ((indexes (matched-indexes typed name)))
             (and indexes (values (score indexes name) indexes))))))

(defmacro with-representations ((&rest strings) form)
  "Run FORM, which is compiled separately for each string representation. STRINGS are variables whose values are simple strings of
characters or of base characters."
  (let ((string (first strings)))
    (if string
        `(etypecase ,string
           ((simple-array character (*)) (with-representations ,(rest strings) ,form))
           (simple-base-string (with-representations ,(rest strings) ,form)))
        form)))

;; This test runs for every name in a package after each key press.
(defun in-order-p (typed name)
  "Return true if NAME contains the characters of TYPED in this order."
  (declare (type simple-string typed name) (optimize speed))
  (with-representations (typed name)
    (let ((at 0) (end (length name)))
      (declare (type (mod #.array-dimension-limit) at end))
      (loop for char across typed
            always (loop while (< at end)
                         thereis (char= char (schar name at))
                         do (incf at))
            do (incf at)))))

(defun word-start-p (name index)
  (or (zerop index)
      (and (not (alphanumericp (schar name (1- index)))) (alphanumericp (schar name index)))))

;; An index is chosen only if the rest of TYPED fits after it, so the search never backtracks. Its time is proportional to the length of
;; NAME.
(defun matched-indexes (typed name)
  "Return the indexes in NAME of the characters of TYPED, which NAME contains in this order. Prefer the start of the next word, then the
next character of a run, then any index. Return NIL if the first character is not at the start of any word."
  (declare (type simple-string typed name))
  (let ((indexes '()) (last-places (last-places typed name)))
    (loop for char across typed
          for last across last-places
          for at = (place-of-character char name (first indexes) last)
          do (if at (push at indexes) (return-from matched-indexes nil)))
    (nreverse indexes)))

(defun last-places (typed name)
  "Return a vector with an index in NAME for each character of TYPED: the last index that leaves room for the remaining characters."
  (declare (type simple-string typed name))
  (let ((places (make-array (length typed))) (end (length name)))
    (loop for at downfrom (1- (length typed)) to 0
          do (setf end (position (schar typed at) name :end end :from-end t)
                   (aref places at) end))
    places))

(defun place-of-character (char name previous last)
  "Return the index in NAME, after PREVIOUS and up to LAST, at which CHAR is matched. If PREVIOUS is NIL, the index must be the start of a
word."
  (declare (type simple-string name) (type fixnum last))
  (let ((other nil))
    (loop for index from (if previous (1+ previous) 0) to last
          when (char= char (schar name index))
            do (cond ((or (word-start-p name index) (not (alphanumericp char)))
                      (unless (eql index (and previous (1+ previous))) (return-from place-of-character index))
                      (setf other (or other index)))
                     (previous (setf other (or other index)))))
    other))

(defun score (indexes name)
  "Return the score of a match at INDEXES. It is at most 799, which is below the score of a prefix."
  (let* ((starts (count-if (lambda (index) (word-start-p name index)) indexes))
         (runs (loop for (one other) on indexes count (eql other (1+ one))))
         (words (loop for index below (length name) count (word-start-p name index)))
         (whole (if (and (= starts (length indexes)) (= starts words)) 150 0)))
    (max 1 (min 799 (+ 200 whole
                       (round (* 300 (/ (+ starts (* 2/3 (max 0 (- runs (min runs starts))))) (length indexes))))
                       (if (zerop (first indexes)) 60 0)
                       (- (min 100 (length name))))))))

(defun index-ranges (indexes)
  "Return the runs of consecutive INDEXES as a list of (start . end)."
  (let ((ranges '()))
    (dolist (index indexes (nreverse ranges))
      (if (and ranges (= index (cdr (first ranges))))
          (incf (cdr (first ranges)))
          (push (cons index (1+ index)) ranges)))))
