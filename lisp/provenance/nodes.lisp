;;;; A tolerant reader that makes nothing: a text becomes lists and tokens with their places. It interns no symbol, runs no
;;;; reader macro, and takes text in which parentheses are missing.

(in-package #:lisp-workbench/provenance)

(defstruct (node (:copier nil) (:predicate nil))
  "A token or a list of a text. TEXT is a token in upper case, except quoted parts; it is NIL for a list, which has CHILDREN."
  (start 0 :type fixnum) (end 0 :type fixnum) (text nil) (children '()))

(defun read-nodes (text)
  "The top-level nodes of TEXT."
  (let ((open '()) (top '()) (at 0))
    (flet ((add (node)
             (if open (push node (node-children (first open))) (push node top)))
           (finish (node end)
             (setf (node-end node) end
                   (node-children node) (nreverse (node-children node)))
             node))
      (loop
        (setf at (skip-blanks text at))
        (when (>= at (length text)) (return))
        (case (char text at)
          (#\( (push (make-node :start at) open)
           (incf at))
          (#\) (incf at)
           (when open
             (let ((node (finish (pop open) at))) (add node))))
          (t (let ((end (token-end text at)))
               (add (make-node :start at :end end :text (token-text text at end)))
               (setf at end)))))
      (loop while open
            do (let ((node (finish (pop open) (length text)))) (add node))))
    (nreverse top)))

(defun skip-blanks (text at)
  "Return the position after white space and comments."
  (loop while (< at (length text))
        do (let ((char (char text at)))
             (cond ((blank-p char) (incf at))
                   ((char= char #\;)
                    (setf at (or (position #\Newline text :start at) (length text))))
                   ((and (char= char #\#) (eql #\| (next-char text at)))
                    (setf at (comment-end text at)))
                   (t (return)))))
  at)

(defun blank-p (char)
  (member char '(#\Space #\Tab #\Newline #\Return #\Page)))

(defun next-char (text at)
  (and (< (1+ at) (length text)) (char text (1+ at))))

(defun comment-end (text at)
  (let ((depth 0))
    (loop while (< at (length text))
          do (cond ((and (char= #\# (char text at)) (eql #\| (next-char text at))) (incf depth) (incf at 2))
                   ((and (char= #\| (char text at)) (eql #\# (next-char text at)))
                    (incf at 2)
                    (when (zerop (decf depth)) (return)))
                   (t (incf at))))
    (min at (length text))))

(defun token-end (text at)
  (let ((char (char text at)) (next (next-char text at)))
    (case char
      (#\" (quoted-end text at))
      ((#\' #\`) (1+ at))
      (#\, (if (member next '(#\@ #\.)) (+ at 2) (1+ at)))
      (#\# (case next
             (#\' (+ at 2))
             (#\( (1+ at))
             (#\\ (symbol-end text (min (length text) (+ at 3))))
             (t (max (1+ at) (symbol-end text (1+ at))))))
      (t (max (1+ at) (symbol-end text at))))))

(defun quoted-end (text at)
  "Return the position after the string that begins at AT."
  (loop for i from (1+ at) below (length text)
        do (case (char text i)
             (#\\ (incf i))
             (#\" (return (1+ i))))
        finally (return (length text))))

(defun symbol-end (text at)
  (loop with bars = nil
        for i from at below (length text)
        for char = (char text i)
        do (cond ((char= char #\\) (incf i))
                 ((char= char #\|) (setf bars (not bars)))
                 (bars)
                 ((or (blank-p char) (find char "()\"';`,")) (return i)))
        finally (return (length text))))

(defun token-text (text start end)
  "Return the token of TEXT from START to END as the standard reader sees it: in upper case, except in strings, characters, bars and after
backslashes."
  (let ((token (subseq text start end)))
    (if (or (char= #\" (char token 0))
            (and (> end (1+ start)) (string= "#\\" token :end2 2)))
        token
        (let ((bars nil) (escaped nil))
          (map 'string (lambda (char)
                         (cond (escaped (setf escaped nil) char)
                               ((char= char #\\) (setf escaped t) char)
                               ((char= char #\|) (setf bars (not bars)) char)
                               (bars char)
                               (t (char-upcase char))))
               token)))))

;;; The text of a node

(defun node-tokens (node)
  "Return a string that is the same for nodes that differ only in comments, white space and case."
  (with-output-to-string (stream) (write-tokens node stream)))

(defun write-tokens (node stream)
  (cond ((node-text node) (write-string (node-text node) stream) (write-char #\Space stream))
        (t (write-char #\( stream)
           (dolist (child (node-children node)) (write-tokens child stream))
           (write-char #\) stream))))

(defun form-operator (node)
  "Name of the operator without its package, NIL when NODE is no form."
  (let ((first (and node (first (node-children node)))))
    (and first (node-text first) (bare-name (node-text first)))))

(defun bare-name (token)
  (let ((colon (position #\: token :from-end t)))
    (string-trim "|" (if colon (subseq token (1+ colon)) token))))
