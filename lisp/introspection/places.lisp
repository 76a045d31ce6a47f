;;;; Exact places: from what SBCL says of a definition or a reference (form numbers, or the plist of an evaluation) to
;;;; characters of the file as it is now.

(in-package #:lisp-workbench/introspection)

(defstruct place
  file offset line                      ; of the wire; FILE is NIL when there is none to show
  end snippet
  evaluation actor
  why)                                  ; a sentence when there is no file

(defun definition-place (source symbol)
  "Where the definition of SYMBOL that SOURCE, of SB-INTROSPECT or NIL, tells of begins and ends."
  (place-with source symbol #'definition-node))

(defun place-with (source symbol find-node)
  (let ((plist (and source (definition-source-plist source)))
        (pathname (and source (definition-source-pathname source))))
    (cond ((getf plist :evaluation) (evaluated-place plist symbol find-node))
          (pathname (file-place source pathname symbol find-node))
          (t (make-place :actor (and symbol (originator symbol))
                         :why "SBCL kept no place for this definition.")))))

(defun place-fields (place)
  "Of the reply, to be added to others."
  (list "source" (and (place-file place)
                      (object "file" (place-file place) "offset" (place-offset place) "line" (place-line place)))
        "end" (place-end place)
        "snippet" (place-snippet place)
        "evaluation" (place-evaluation place)
        "actor" (place-actor place)
        "why" (place-why place)))

;;; Evaluated text

(defun evaluated-place (plist symbol find-node)
  "What was evaluated from a file's text is where it was then, unless the text there is another now."
  (let* ((file (getf plist :file))
         (text (and file (file-text file)))
         (place (make-place :evaluation (getf plist :evaluation) :actor (getf plist :actor))))
    (cond ((null file)
           (setf (place-why place) "It was evaluated in the REPL."))
          (t
           (setf (place-file place) file
                 (place-offset place) (getf plist :offset)
                 (place-line place) (getf plist :line))
           (when text
             (let* ((start (character-offset text (getf plist :offset)))
                    (top (first (read-nodes text :start start :count 1)))
                    (node (and top (node-text-mentions-p text top symbol) (funcall find-node top nil symbol))))
               (when node (put-node place text node))))))
    place))

(defun node-text-mentions-p (text node symbol)
  (or (null symbol)
      (search (symbol-name symbol) text :start2 (node-start node) :end2 (node-end node) :test #'char-equal)))

(defun put-node (place text node)
  "Let PLACE be that of NODE."
  (let ((start (node-start node)))
    (setf (place-offset place) (utf-16-offset text start)
          (place-line place) (line-and-column text start)
          (place-end place) (utf-16-offset text (node-end node))
          (place-snippet place) (line-around text start))))

(defun line-around (text position)
  "The line at POSITION, without its indentation."
  (let ((start (1+ (or (position #\Newline text :end position :from-end t) -1)))
        (end (or (position #\Newline text :start position) (length text))))
    (first-line (string-trim '(#\Space #\Tab #\Return) (subseq text start end)))))

;;; Files

(defun file-place (source pathname symbol find-node)
  (let* ((file (existing-file pathname))
         (text (and file (file-text file)))
         (place (make-place :file file)))
    (cond ((null file)
           (setf (place-why place) (if (sbcl-source-p pathname)
                                       "SBCL's own source is not installed."
                                       "The file is no longer there.")))
          ((null text)
           (setf (place-why place) "The file could not be read."))
          (t (let ((node (node-of-source source file text symbol find-node)))
               (if node
                   (put-node place text node)
                   (put-named-place place text symbol)))))
    place))

(defun sbcl-source-p (pathname)
  (and (typep pathname 'logical-pathname)
       (string-equal "SYS" (pathname-host-name pathname))))

(defun pathname-host-name (pathname)
  (let ((host (pathname-host pathname)))
    (if (stringp host) host (subseq (namestring pathname) 0 (or (position #\: (namestring pathname)) 0)))))

(defun put-named-place (place text symbol)
  (multiple-value-bind (offset line) (and symbol (place-in-text text (symbol-name symbol)))
    (setf (place-offset place) offset
          (place-line place) line)
    (when offset
      (let ((node (first (read-nodes text :start (character-offset text offset) :count 1))))
        (when node (put-node place text node))))))

(defun node-of-source (source file text symbol find-node)
  "The node that FIND-NODE finds at SOURCE's form number; by the symbol's name when the file is another by now."
  (let* ((number (first (definition-source-form-path source)))
         (nodes (and number (top-level-nodes text)))
         (top (and nodes (< number (length nodes)) (aref nodes number)))
         (form-number (definition-source-form-number source))
         (named (and symbol
                     (or (null top) (changed-since-p source file) (not (find-definition-within top symbol)))
                     (named-node text symbol))))
    (cond (named (funcall find-node named nil symbol))
          ((and top (or (node-text-mentions-p text top symbol) (not (changed-since-p source file))))
           (let ((numbered (and form-number (numbered-nodes top))))
             (funcall find-node top
                      (and numbered (< form-number (length numbered)) (aref numbered form-number))
                      symbol))))))

(defun changed-since-p (source file)
  (let ((date (definition-source-file-write-date source)))
    (and date (not (eql date (ignore-errors (file-write-date file)))))))

(defun named-node (text symbol)
  "The first definition in TEXT that begins a line and names SYMBOL."
  (let ((start (search-definition text (symbol-name symbol))))
    (and start (first (read-nodes text :start start :count 1)))))

(defvar *top-level* '() "(text . nodes) of files that were looked at lately; the texts are those of FILE-TEXT.")

(defun top-level-nodes (text)
  "A vector of the top-level nodes of a file's TEXT as SBCL counts them."
  (let ((known (assoc text *top-level* :test #'eq)))
    (if known
        (cdr known)
        (let ((nodes (coerce (read-nodes text :features t) 'vector)))
          (setf *top-level* (cons (cons text nodes) (subseq *top-level* 0 (min 7 (length *top-level*)))))
          nodes))))

;;; Nodes

(defun definition-node (top numbered symbol)
  "The definition of SYMBOL around the node NUMBERED in TOP: the innermost that names it, else the innermost, else TOP."
  (let* ((around (if numbered
                     (reverse (nodes-around (list top) (1+ (node-start numbered))))
                     (list top)))
         (definitions (remove-if-not #'definition-node-p around)))
    (or (find-if (lambda (node) (node-defines-p node symbol)) definitions)
        (find-definition-within top symbol)
        (first definitions)
        top)))

(defun definition-node-p (node)
  (let ((operator (operator-name node)))
    (and operator
         (or (and (>= (length operator) 3) (string= "DEF" operator :end2 3))
             (string= operator "METHOD")))))

(defun node-defines-p (node symbol)
  "Whether NODE's second element is SYMBOL's name, or a list that begins with it, perhaps after SETF; or NODE is (:METHOD …)."
  (let ((named (second (node-children node))))
    (or (string= "METHOD" (operator-name node))
        (and named (naming-node-p named (symbol-name symbol))))))

(defun naming-node-p (node name)
  (case (node-kind node)
    (:token (string= name (node-name node)))
    (:string nil)
    ((:quote :other) (and (node-children node) (naming-node-p (first (node-children node)) name)))
    (:list (let ((first (first (node-children node))))
             (cond ((null first) nil)
                   ((token-named-p first "SETF")
                    (and (second (node-children node)) (naming-node-p (second (node-children node)) name)))
                   (t (token-named-p first name)))))))

(defun find-definition-within (top symbol)
  "The first definition of SYMBOL in TOP, such as one within PROGN."
  (labels ((look (node depth)
             (if (and (definition-node-p node) (second (node-children node))
                      (naming-node-p (second (node-children node)) (symbol-name symbol)))
                 node
                 (and (< depth 6) (some (lambda (child) (look child (1+ depth))) (node-children node))))))
    (look top 0)))

(defun mention-in (node symbol &optional (depth most-positive-fixnum))
  "The first token that names SYMBOL in NODE, at most DEPTH lists deep."
  (and symbol (first (mentions-in node symbol depth))))

(defun mentions-in (node symbol &optional (depth most-positive-fixnum))
  "All tokens in NODE that name SYMBOL, first to last; those in quoted lists are no references."
  (let ((found '()))
    (labels ((look (node depth)
               (cond ((eq (node-kind node) :token)
                      (when (string= (symbol-name symbol) (node-name node)) (push node found)))
                     ((and (plusp depth) (not (quoted-list-p node)))
                      (dolist (child (node-children node))
                        (look child (if (eq (node-kind node) :list) (1- depth) depth)))))))
      (look node depth)
      (nreverse found))))

(defun quoted-list-p (node)
  (and (eq (node-kind node) :quote)
       (let ((child (first (node-children node)))) (and child (eq (node-kind child) :list)))))
