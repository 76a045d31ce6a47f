;;;; Reads a text as nodes with their places, tolerantly: nothing is interned, nothing evaluated, nothing signalled. What
;;;; is amiss is told as problems. The syntax is the standard one; a dispatch character that only the user's readtable
;;;; knows stands for one token.

(in-package #:lisp-workbench/introspection)

(defstruct (node (:constructor make-node (kind start end &key children name prefix (colons 0) (closed t) dotted)))
  "KIND is :LIST, :VECTOR, :TOKEN, :STRING, :CHARACTER, :QUOTE, :QUASIQUOTE, :UNQUOTE, :FUNCTION, or :OTHER for the rest."
  kind start end children
  name                                  ; of a token, in the case that the standard reader gives it
  prefix                                ; package before the colons, or NIL
  (colons 0)
  closed                                ; false for what the text ends in
  dotted)                               ; true for (A . B), whose last child is the tail

(defstruct (scanner (:conc-name scan-))
  (text "" :type simple-string)
  (at 0 :type fixnum)
  (end 0 :type fixnum)
  (problems '())
  (depth 0)                             ; of backquotes
  features                              ; whether #+ and #- leave out what they would for the reader
  readtable)

(defun read-nodes (text &key (start 0) (end (length text)) features readtable (count most-positive-fixnum))
  "The top-level nodes of TEXT, at most COUNT, and the problems, each (start kind message). With FEATURES the parts that
#+ and #- hide are left out, as SBCL counts forms; else they are read like the rest."
  (let ((scan (make-scanner :text (coerce text 'simple-string) :at start :end end :features features :readtable readtable))
        (nodes '()))
    (loop until (>= (length nodes) count)
          do (let ((node (next-node scan)))
               (cond ((null node) (return))
                     ((eq node :close)
                      (note-problem scan (1- (scan-at scan)) "unmatched" "There is no open parenthesis for this one."))
                     (t (push node nodes)))))
    (values (nreverse nodes)
            (sort (scan-problems scan) #'< :key #'first))))

(defun node-text (text node)
  (subseq text (node-start node) (node-end node)))

(defun token-named-p (node name)
  (and (node-p node) (eq (node-kind node) :token) (string= name (node-name node))))

(defun operator-name (node)
  "Name of the symbol with which the list NODE begins, or NIL."
  (and (eq (node-kind node) :list)
       (let ((first (first (node-children node))))
         (and first (eq (node-kind first) :token) (node-name first)))))

(defun nodes-around (nodes offset)
  "The nodes in which OFFSET stands, outermost first; at the end of a token one still stands in it."
  (loop for node = (find-if (lambda (node) (around-p node offset)) nodes :from-end t)
        while node
        collect node
        do (setf nodes (node-children node))))

(defun around-p (node offset)
  (if (member (node-kind node) '(:token :character))
      (<= (node-start node) offset (node-end node))
      (and (< (node-start node) offset)
           (or (< offset (node-end node)) (not (node-closed node))))))

;;; Reading

(defun note-problem (scan at kind message)
  (push (list at kind message) (scan-problems scan)))

(defun peek-ahead (scan &optional (distance 0))
  (let ((at (+ (scan-at scan) distance)))
    (and (< at (scan-end scan)) (schar (scan-text scan) at))))

(defun next-node (scan)
  "The next node, :CLOSE, or NIL at the end of the text."
  (loop
    (let ((char (peek-ahead scan)) (start (scan-at scan)))
      (cond ((null char) (return nil))
            ((blank-p char) (incf (scan-at scan)))
            ((char= char #\;) (skip-line scan))
            ((char= char #\)) (incf (scan-at scan)) (return :close))
            ((char= char #\() (return (list-node scan start 1)))
            ((char= char #\") (return (string-node scan start)))
            ((char= char #\') (return (prefixed-node scan :quote start 1)))
            ((char= char #\`) (return (quasiquote-node scan start)))
            ((char= char #\,) (return (unquote-node scan start)))
            ((char= char #\#) (let ((node (dispatched-node scan start)))
                                (when node (return node))))
            (t (return (token-node scan start)))))))

(defun skip-line (scan)
  (setf (scan-at scan)
        (or (position #\Newline (scan-text scan) :start (scan-at scan) :end (scan-end scan)) (scan-end scan))))

(defun list-node (scan start skip &optional (kind :list))
  (incf (scan-at scan) skip)
  (let ((children '()) (dotted nil))
    (loop
      (let ((node (next-node scan)))
        (cond ((null node)
               (note-problem scan start "unclosed" "This parenthesis is never closed.")
               (return (make-node kind start (scan-at scan) :children (nreverse children) :closed nil :dotted dotted)))
              ((eq node :close)
               (return (make-node kind start (scan-at scan) :children (nreverse children) :dotted dotted)))
              ((lone-dot-p scan node) (setf dotted t))
              (t (push node children)))))))

(defun lone-dot-p (scan node)
  (and (eq (node-kind node) :token)
       (= 1 (- (node-end node) (node-start node)))
       (char= #\. (schar (scan-text scan) (node-start node)))))

(defun string-node (scan start)
  (loop for at = (1+ start) then (1+ at)
        while (< at (scan-end scan))
        do (case (schar (scan-text scan) at)
             (#\\ (incf at))
             (#\" (setf (scan-at scan) (1+ at))
              (return (make-node :string start (1+ at)))))
        finally (setf (scan-at scan) (scan-end scan))
                (note-problem scan start "unterminated-string" "This string is never closed.")
                (return (make-node :string start (scan-end scan) :closed nil))))

(defun prefixed-node (scan kind start skip)
  "A node whose one child follows SKIP characters after START."
  (setf (scan-at scan) (+ start skip))
  (let ((child (next-node scan)))
    (when (eq child :close)
      (note-problem scan start "incomplete" "Nothing follows this.")
      (decf (scan-at scan)))
    (when (null child)
      (note-problem scan start "incomplete" "Nothing follows this."))
    (if (node-p child)
        (make-node kind start (node-end child) :children (list child) :closed (node-closed child))
        (make-node kind start (scan-at scan) :closed nil))))

(defun quasiquote-node (scan start)
  (incf (scan-depth scan))
  (prog1 (prefixed-node scan :quasiquote start 1)
    (decf (scan-depth scan))))

(defun unquote-node (scan start)
  (when (zerop (scan-depth scan))
    (note-problem scan start "comma" "This comma is not inside a backquote."))
  (let ((depth (scan-depth scan)))
    (setf (scan-depth scan) (max 0 (1- depth)))
    (prog1 (prefixed-node scan :unquote start (if (member (peek-ahead scan 1) '(#\@ #\.)) 2 1))
      (setf (scan-depth scan) depth))))

(defun token-node (scan start)
  (let ((text (scan-text scan)) (at (scan-at scan)) (name (make-string-output-stream)) (prefix nil) (colons 0) (bar nil))
    (loop while (< at (scan-end scan))
          do (let ((char (schar text at)))
               (cond ((char= char #\\)
                      (when (< (incf at) (scan-end scan)) (write-char (schar text at) name)))
                     ((char= char #\|) (setf bar (if bar nil at)))
                     (bar (write-char char name))
                     ((or (blank-p char) (find char "()\"';`,")) (return))
                     ((char= char #\:)
                      (when (zerop colons) (setf prefix (get-output-stream-string name)))
                      (incf colons))
                     (t (write-char (char-upcase char) name))))
             (incf at))
    (when bar
      (note-problem scan bar "unterminated-symbol" "This bar is never closed."))
    (setf (scan-at scan) (min at (scan-end scan)))
    (make-node :token start (scan-at scan) :name (get-output-stream-string name)
                                           :prefix prefix :colons colons :closed (null bar))))

;;; Sharp sign

(defun dispatched-node (scan start)
  "The node at #, or NIL for a comment and for what a feature hides."
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
  "Returns NIL."
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
           (note-problem scan start "incomplete" "No feature follows this.")
           (when (eq test :close) (decf (scan-at scan)))
           nil)
          ((or (not (scan-features scan)) (eq wanted (feature-node-p test))) nil)
          (t (let ((problems (scan-problems scan)))
               (when (eq :close (next-node scan)) (decf (scan-at scan)))
               (setf (scan-problems scan) problems))
             nil))))

(defun feature-node-p (node)
  "Whether the feature expression NODE holds."
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
         (note-problem scan start "dispatch" (format nil "#~A is not known to the reader." char))
         (setf (scan-at scan) (+ start digits 2))))
  (make-node :other start (scan-at scan)))

(defun user-dispatch-p (scan char)
  "Whether the user's readtable gives CHAR after # a meaning that the standard one does not."
  (and (scan-readtable scan)
       (not (digit-char-p char))
       (ignore-errors
        (let ((function (get-dispatch-macro-character #\# char (scan-readtable scan))))
          (and function (not (eq function (get-dispatch-macro-character #\# char nil))))))))

;;; As SBCL counts forms

(defun cons-children (node)
  "What would be in the list that the reader makes of NODE, :SYMBOL for what the text shows as a sign; NIL for an atom."
  (case (node-kind node)
    (:list (node-children node))
    ((:quote :quasiquote :function) (and (node-children node) (cons :symbol (node-children node))))))

(defun numbered-nodes (node)
  "The conses of NODE in the order in which SBCL numbers them: a form number is an index into this vector. A quoted part
is numbered, what is in it is not."
  (let ((found (make-array 32 :fill-pointer 0 :adjustable t)))
    (labels ((walk (node)
               (vector-push-extend node found)
               (loop for (child . more) on (and (not (eq (node-kind node) :quote)) (cons-children node))
                     unless (or (eq child :symbol) (and (null more) (node-dotted node)))
                       do (let ((inner (without-comma child)))
                            (when (cons-children inner) (walk inner)))))
             (without-comma (node)
               (loop while (and (eq (node-kind node) :unquote) (node-children node))
                     do (setf node (first (node-children node))))
               node))
      (walk node))
    found))

(defun node-at-path (node path)
  "The node that the list indexes PATH lead to, or NIL."
  (loop for index in path
        for children = (cons-children node)
        for child = (and (< -1 index (length children)) (nth index children))
        do (if (node-p child) (setf node child) (return nil))
        finally (return node)))

;;; Offsets

(defun character-offset (text offset)
  "The index of a character in TEXT for OFFSET as the wire counts it, within the bounds of TEXT."
  (loop with units = 0
        for at from 0 below (length text)
        until (>= units offset)
        do (incf units (if (> (char-code (char text at)) #xffff) 2 1))
        finally (return at)))

(defun line-and-column (text position)
  "From 1 and from 0."
  (let ((newline (position #\Newline text :end position :from-end t)))
    (values (1+ (count #\Newline text :end position))
            (if newline (- position newline 1) position))))
