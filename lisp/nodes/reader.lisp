;;;; Parses a text into nodes with positions. The parser is tolerant: it interns no symbols, evaluates no code and signals no errors, but
;;;; reports errors in the text as problems. The syntax is the standard one; a dispatch character that only the user's readtable defines
;;;; counts as one token.

(in-package #:lisp-workbench/nodes)

(defstruct (node (:constructor make-node (kind start end &key children name prefix (colons 0) (closed t) dotted)))
  "A syntactic unit of a text. KIND is :LIST, :VECTOR, :TOKEN, :STRING, :CHARACTER, :QUOTE, :QUASIQUOTE, :UNQUOTE, :FUNCTION, :FEATURE for
#+ or #- and its test, or :OTHER."
  kind start end children
  name                                  ; the token's name, in the case that the standard reader produces
  prefix                                ; the package name before the colons, or NIL
  (colons 0)
  closed                                ; false if the text ends before the node is complete
  dotted)                               ; true for (A . B), whose last child is the tail

(defstruct (scanner (:conc-name scan-))
  (text "" :type simple-string)
  (at 0 :type fixnum)
  (end 0 :type fixnum)
  (problems '())
  (depth 0)                             ; the number of backquotes around the current position
  features                              ; true to leave out code hidden by #+ and #-, as the reader does; :SHOWN to include the tests as
                                        ; separate nodes
  suppressed                            ; true while reading code hidden by #+ or #-
  readtable)

(defun read-nodes (text &key (start 0) (end (length text)) features readtable (count most-positive-fixnum))
  "Return two values: the top-level nodes of TEXT, at most COUNT, and the problems, each (start kind message). If FEATURES is T, leave out
the code that #+ and #- hide, as SBCL does when it counts forms. Otherwise include this code; if FEATURES is :SHOWN, a node of the test
precedes it."
  (let ((scan (make-scanner :text (coerce text 'simple-string) :at start :end end :features features :readtable readtable))
        (nodes '()))
    (loop until (>= (length nodes) count)
          do (let ((node (next-node scan)))
               (cond ((null node) (return))
                     ((eq node :close)
                      (note-problem scan (1- (scan-at scan)) "unmatched" "This closing parenthesis has no matching opening one."))
                     (t (push node nodes)))))
    (values (nreverse nodes)
            (sort (scan-problems scan) #'< :key #'first))))

(defun node-text (text node)
  (subseq text (node-start node) (node-end node)))

(defun node-tokens (text node)
  "Return the tokens of NODE as one string. The strings of two nodes are equal if the nodes differ only in comments, white space and case."
  (with-output-to-string (stream) (write-tokens text node stream)))

(defun write-tokens (text node stream)
  (let ((children (node-children node)) (written (node-text text node)))
    (flet ((write-children ()
             (loop for (child . more) on children
                   do (when (and (null more) (node-dotted node)) (write-string ". " stream))
                      (write-tokens text child stream)
                      (when more (write-char #\Space stream)))))
      (case (node-kind node)
        (:list (write-char #\( stream) (write-children) (write-char #\) stream))
        (:vector (write-string "#(" stream) (write-children) (write-char #\) stream))
        ((:string :character) (write-string written stream))
        (t (cond (children
                  (let ((sign (subseq written 0 (- (node-start (first children)) (node-start node)))))
                    ;; Comments and blanks may follow a prefix such as a quote.
                    (write-string (string-upcase (subseq sign 0 (position-if (lambda (char) (or (blank-p char) (char= char #\;))) sign)))
                                  stream))
                  (write-children))
                 ;; Case is significant between bars and after backslashes.
                 ((find-if (lambda (char) (find char "|\\")) written) (write-string written stream))
                 (t (write-string (string-upcase written) stream))))))))

(defun token-named-p (node name)
  (and (node-p node) (eq (node-kind node) :token) (string= name (node-name node))))

(defun operator-name (node)
  "Return the name of the symbol at the start of the list NODE. Return NIL if NODE is NIL or is not such a list."
  (and node
       (eq (node-kind node) :list)
       (let ((first (first (node-children node))))
         (and first (eq (node-kind first) :token) (node-name first)))))

(defun nodes-around (nodes offset)
  "Return the nodes that contain OFFSET, outermost first. A token also contains the position directly after it."
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

(defun blank-p (char)
  (member char '(#\Space #\Tab #\Newline #\Return #\Page)))

(defun note-problem (scan at kind message)
  (push (list at kind message) (scan-problems scan)))

(defun peek-ahead (scan &optional (distance 0))
  (let ((at (+ (scan-at scan) distance)))
    (and (< at (scan-end scan)) (schar (scan-text scan) at))))

(defun next-node (scan)
  "Return the next node, :CLOSE for a closing parenthesis, or NIL at the end of the text."
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
  (let ((children '()) (dot nil) (before nil))
    (loop
      (let ((node (next-node scan)))
        (cond ((null node)
               (note-problem scan start "unclosed" "This parenthesis is never closed.")
               (return (make-node kind start (scan-at scan) :children (nreverse children) :closed nil :dotted (and dot t))))
              ((eq node :close)
               (when dot (check-dot scan kind dot (reverse before) (ldiff children before)))
               (return (make-node kind start (scan-at scan) :children (nreverse children) :dotted (and dot t))))
              ((lone-dot-p scan node)
               (if dot
                   (note-problem scan (node-start node) "dot" "There is a dot in this list already.")
                   (setf dot node before children)))
              (t (push node children)))))))

(defun check-dot (scan kind dot before after)
  "Report problems with the DOT of a list. If a feature expression may hide some forms after the dot, do not report extra forms there."
  (let ((at (node-start dot)))
    (cond ((eq kind :vector) (note-problem scan at "dot" "A vector cannot contain a dot."))
          ((null before) (note-problem scan at "dot" "Nothing precedes this dot."))
          ((null after) (note-problem scan at "dot" "Nothing follows this dot."))
          ((and (rest after) (not (features-between-p scan at)))
           (note-problem scan at "dot" "More than one form follows this dot.")))))

(defun features-between-p (scan start)
  (let ((text (scan-text scan)) (end (scan-at scan)))
    (or (search "#+" text :start2 start :end2 end) (search "#-" text :start2 start :end2 end))))

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
  "Return a node with one child, which starts SKIP characters after START."
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
