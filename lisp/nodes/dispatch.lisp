;;;; Handles # for the tolerant reader in reader.lisp.

(in-package #:lisp-workbench/nodes)

(defun dispatched-node (scan start)
  "Return the node that starts with the # at START. Return NIL for a comment and for code that a feature expression hides."
  (let* ((digits (loop for distance from 1
                       while (let ((char (peek-ahead scan distance))) (and char (digit-char-p char)))
                       finally (return (1- distance))))
         (skip (+ 2 digits))
         (char (peek-ahead scan (1+ digits))))
    (flet ((child (kind) (prefixed-node scan kind start skip)))
      (case (and char (char-downcase char))
        (#\' (child :function))
        (#\( (list-node scan start skip :vector))
        (#\\ (character-node scan start skip))
        (#\| (skip-nested-comment scan start))
        ((#\+ #\-) (featured-node scan start (char= char #\+)))
        (#\: (setf (scan-at scan) (+ start 1))
         (let ((token (token-node scan (+ start 1))))
           (make-node :token start (node-end token) :name (node-name token) :prefix "#" :colons 1)))
        ((#\. #\p #\s #\c #\a #\=) (child :other))
        ((#\# #\* #\b #\o #\x #\r) (plain-node scan start skip))
        (t (unknown-dispatch scan start char digits))))))

(defun plain-node (scan start skip)
  (setf (scan-at scan) (+ start skip))
  (let ((token (token-node scan (scan-at scan))))
    (make-node :other start (node-end token))))

(defun character-node (scan start skip)
  (setf (scan-at scan) (min (scan-end scan) (+ start skip 1)))
  (loop for char = (peek-ahead scan)
        while (and char (not (blank-p char)) (not (find char "()\"';`,")))
        do (incf (scan-at scan)))
  (make-node :character start (scan-at scan)))

(defun skip-nested-comment (scan start)
  "Skip the comment between #| and |#, and return NIL."
  (let ((depth 0) (text (scan-text scan)) (end (scan-end scan)))
    (loop for at from start below (1- end)
          do (cond ((and (char= (schar text at) #\#) (char= (schar text (1+ at)) #\|)) (incf depth) (incf at))
                   ((and (char= (schar text at) #\|) (char= (schar text (1+ at)) #\#))
                    (incf at)
                    (when (zerop (decf depth))
                      (setf (scan-at scan) (1+ at))
                      (return-from skip-nested-comment nil)))))
    (note-problem scan start "unterminated-comment" "This comment is never closed.")
    (setf (scan-at scan) end)
    nil))

(defun featured-node (scan start wanted)
  (setf (scan-at scan) (+ start 2))
  (let ((test (next-node scan)))
    (cond ((not (node-p test))
           (note-problem scan start "incomplete" "A feature expression must follow this.")
           (when (eq test :close) (decf (scan-at scan)))
           nil)
          ((eq :shown (scan-features scan)) (make-node :feature start (node-end test) :children (list test)))
          ((or (not (scan-features scan)) (eq wanted (feature-node-p test))) nil)
          (t (let ((problems (scan-problems scan)) (before (scan-suppressed scan)))
               (setf (scan-suppressed scan) t)
               (when (eq :close (next-node scan)) (decf (scan-at scan)))
               (setf (scan-suppressed scan) before
                     (scan-problems scan) problems))
             nil))))

(defun feature-node-p (node)
  "Return true if the feature expression NODE is true."
  (let ((operator (operator-name node)))
    (flet ((holds-p (child) (feature-node-p child)))
      (cond ((eq (node-kind node) :token)
             (and (find (node-name node) *features* :test #'string=) t))
            ((equal operator "AND") (every #'holds-p (rest (node-children node))))
            ((equal operator "OR") (and (some #'holds-p (rest (node-children node))) t))
            ((equal operator "NOT") (notany #'holds-p (rest (node-children node))))))))

(defun unknown-dispatch (scan start char digits)
  (cond ((null char)
         (note-problem scan start "incomplete" "Nothing follows this.")
         (setf (scan-at scan) (scan-end scan)))
        ((user-dispatch-p scan char)
         (setf (scan-at scan) (+ start digits 2))
         (next-node scan))
        (t
         (if (or (blank-p char) (find char "<)"))
             (note-problem scan start "dispatch" (format nil "#~A is not known to the reader." char))
             (note-problem scan start "reader-macro" (unknown-reader-macro char)))
         (setf (scan-at scan) (min (scan-end scan) (+ start digits 2)))
         ;; In hidden code, SBCL skips such a macro and continues to read.
         (when (scan-suppressed scan) (return-from unknown-dispatch nil))
         ;; The macro reads the name that directly follows it, as in #_NSMakeRect.
         (let ((next (peek-ahead scan)))
           (unless (or (blank-p char) (null next) (blank-p next) (find next "()\"';`,#"))
             (token-node scan (scan-at scan))))))
  (make-node :other start (scan-at scan)))

(defun unknown-reader-macro (char)
  (format nil "#~A is not a defined reader macro. Load the code that defines it." char))

(defun user-dispatch-p (scan char)
  "Return true if the user's readtable gives CHAR after # a different meaning than the standard readtable."
  (and (scan-readtable scan)
       (not (digit-char-p char))
       (ignore-errors
        (let ((function (get-dispatch-macro-character #\# char (scan-readtable scan))))
          (and function (not (eq function (get-dispatch-macro-character #\# char nil))))))))
