;;;; Exact places: converts SBCL's information about a definition or a reference (form numbers, or the plist of an evaluation) to characters
;;;; of the present file.

(in-package #:lisp-workbench/introspection)

(defstruct place
  file offset line                      ; the start, in wire units; FILE is NIL if there is no file to show
  end snippet
  evaluation actor
  why)                                  ; a sentence that explains why there is no file

(defun definition-place (source symbol)
  "Return the place of SYMBOL's definition at SOURCE, including its end. SOURCE is a definition source of SB-INTROSPECT or NIL."
  (place-with source symbol #'definition-node))

(defun place-with (source symbol find-node &optional (code source))
  "Return the place of the node that FIND-NODE finds at SOURCE. CODE is the source of the function, if there is one. CODE is needed because
SBCL records the file's date and the octet at which reading started only for functions."
  (let ((plist (and source (definition-source-plist source)))
        (pathname (and source (definition-source-pathname source))))
    (cond ((getf plist :evaluation) (evaluated-place plist symbol find-node))
          ((getf plist :emacs-string) (emacs-place plist symbol find-node))
          (pathname (file-place source pathname symbol find-node (or code source)))
          (t (make-place :actor (and symbol (originator symbol))
                         :why "SBCL recorded no source location for this definition.")))))

(defun source-of-place (place)
  (and (place-file place)
       (object "file" (place-file place) "offset" (place-offset place) "line" (place-line place))))

(defun place-fields (place)
  "Return the fields of PLACE, ready to be combined with other fields of a reply."
  (list "source" (source-of-place place)
        "end" (place-end place)
        "snippet" (place-snippet place)
        "evaluation" (place-evaluation place)
        "actor" (place-actor place)
        "why" (place-why place)))

;;; Evaluated text

(defun evaluated-place (plist symbol find-node)
  "Return the place of code that was evaluated from a file's text. This is the recorded place if the text there has not changed since the
evaluation."
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

(defun location-for-emacs (source symbol)
  "Return the place of SYMBOL's definition at SOURCE as a SLIME location. If there is none, signal an error with the reason."
  (let* ((place (definition-place source symbol)) (file (place-file place)) (text (and file (file-text file))))
    (unless file (error "~A" (place-why place)))
    (list :location
          (list :file file)
          (list :position (1+ (if text (character-offset text (place-offset place)) (place-offset place))))
          (and (place-snippet place) (list :snippet (place-snippet place))))))

;;; Text that Emacs compiled: SLIME records the text and its start, counted from 1, in the buffer that visits the file

(defun emacs-place (plist symbol find-node)
  "Return the place of code that Emacs compiled from a buffer: the current position of the code's text in the file. If the text is no longer
there, return the place of SYMBOL's definition in the file."
  (let* ((file (getf plist :emacs-filename))
         (native (and file (existing-file (pathname file))))
         (text (and native (file-text native)))
         (place (make-place :file native :actor (and symbol (originator symbol)))))
    (cond ((null file)
           (setf (place-why place) (format nil "It was compiled from the Emacs buffer ~A, which has no file." (getf plist :emacs-buffer))))
          ((null native)
           (setf (place-why place) "The file no longer exists."))
          ((null text)
           (setf (place-why place) "The file could not be read."))
          (t (let* ((string (getf plist :emacs-string))
                    (start (start-of-text text string (getf plist :emacs-position)))
                    (top (and start (find-if (lambda (node) (node-text-mentions-p text node symbol))
                                             (read-nodes text :start start :end (+ start (length string))))))
                    (node (and top (funcall find-node top nil symbol))))
               (if node
                   (put-node place text node)
                   (put-named-place place text symbol)))))
    place))

(defun start-of-text (text string position)
  "Return the index of STRING in TEXT: POSITION, which is counted from 1, if STRING is there; otherwise the index of its first occurrence,
or NIL."
  (let ((start (and (integerp position) (max 0 (1- position)))))
    (flet ((at-p (start) (and (<= (+ start (length string)) (length text))
                              (string= string text :start2 start :end2 (+ start (length string))))))
      (if (and start (at-p start)) start (search string text)))))

(defun node-text-mentions-p (text node symbol)
  (or (null symbol)
      (search (symbol-name symbol) text :start2 (node-start node) :end2 (node-end node) :test #'char-equal)))

(defun put-node (place text node)
  "Set PLACE to the place of NODE in TEXT."
  (let ((start (node-start node)))
    (setf (place-offset place) (utf-16-offset text start)
          (place-line place) (line-and-column text start)
          (place-end place) (utf-16-offset text (node-end node))
          (place-snippet place) (line-around text start))))

(defun line-around (text position)
  "Return the line that contains POSITION, without its indentation."
  (let ((start (1+ (or (position #\Newline text :end position :from-end t) -1)))
        (end (or (position #\Newline text :start position) (length text))))
    (first-line (string-trim '(#\Space #\Tab #\Return) (subseq text start end)))))

;;; Files

(defun file-place (source pathname symbol find-node code)
  (let* ((file (existing-file pathname))
         (text (and file (file-text file)))
         (place (make-place :file file)))
    (cond ((null file)
           (setf (place-why place) (if (sbcl-source-p pathname)
                                       "SBCL's own source is not installed."
                                       "The file no longer exists.")))
          ((null text)
           (setf (place-why place) "The file could not be read."))
          (t (let ((node (node-of-source source file text symbol find-node code)))
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

(defvar *numbers-shifted-at* nil
  "The position in the text after which SBCL's form numbers are unreliable, because reading evaluates code there (#.), which may put any
number of conses into the form. NIL if there is no such position.")

(defun node-of-source (source file text symbol find-node code)
  "Return the node that FIND-NODE finds at the form number of SOURCE. SBCL recorded this number itself, so other occurrences of SYMBOL's
name do not matter. Search by name only if the file has changed since, or has no form with that number."
  (let* ((date (source-date code))
         (changed (and date (not (eq text (nth-value 1 (source-texts file date))))))
         (top (top-of-source source text (and (not changed) (definition-source-character-offset code))))
         (form-number (definition-source-form-number source))
         (named (and symbol (moved-node text symbol top date changed))))
    (cond (named (funcall find-node named nil symbol))
          ((and top (or (not changed) (node-text-mentions-p text top symbol)))
           (let ((numbered (and form-number (numbered-nodes top)))
                 (*numbers-shifted-at* (search "#." text :start2 (node-start top) :end2 (node-end top))))
             (funcall find-node top
                      (and numbered (< form-number (length numbered)) (aref numbered form-number))
                      symbol))))))

(defun certain (numbered)
  "Return NUMBERED, or NIL if it may be the wrong node."
  (and numbered
       (or (null *numbers-shifted-at*) (<= (node-start numbered) *numbers-shifted-at*))
       numbered))

(defun top-of-source (source text octets)
  "Return the top-level form of SOURCE in TEXT: the form at OCTETS, where SBCL started to read, or, without OCTETS, the form with SOURCE's
number. The number is wrong if the file has its own readtable, or if a #. in a feature expression hides or splits a form."
  (let ((number (first (definition-source-form-path source))))
    (or (and octets (node-read-at text (index-of-octet text octets)))
        (and number (top-level-node text number)))))

(defun index-of-octet (text octets)
  "Return the index in TEXT of the character that follows the first OCTETS octets of the file, which is encoded in UTF-8."
  (declare (type simple-string text) (type fixnum octets))
  (loop with seen of-type fixnum = 0
        for index of-type fixnum from 0 below (length text)
        until (>= seen octets)
        do (let ((code (char-code (schar text index))))
             (incf seen (cond ((< code #x80) 1) ((< code #x800) 2)
                              ((= code #xfffd) 1) ; this character replaces an octet that is not valid UTF-8
                              ((< code #x10000) 3) (t 4))))
        finally (return index)))

(defun moved-node (text symbol top date changed)
  "Return the form in TEXT that defines SYMBOL if the definition is certainly no longer in TOP. SBCL records the file's DATE for functions
only. For other definitions, the only indication is that TOP does not contain the name; a function definition is not returned then."
  (cond ((or changed (null top)) (named-node text symbol))
        ((and (null date) (not (names-anywhere-p top symbol)))
         (let ((node (named-node text symbol)))
           (and node
                (not (member (operator-name node) '("DEFUN" "DEFMACRO" "DEFGENERIC" "DEFMETHOD") :test #'string=))
                node)))))

(defun names-anywhere-p (node symbol)
  (labels ((look (node)
             (case (node-kind node)
               (:token (string= (symbol-name symbol) (node-name node)))
               (:string nil)
               (t (some #'look (node-children node))))))
    (look node)))

(defun source-date (source)
  (and source (definition-source-file-write-date source)))

(defun named-node (text symbol)
  "Return the first definition of SYMBOL in TEXT. If there is none in SYMBOL's package, return the first definition that begins at the start
of a line and has SYMBOL's name."
  (or (let ((form (find symbol (parsed-forms (parsed-text text)) :key (lambda (form) (form-symbol form)))))
        (and form (file-form-node form)))
      (let ((start (search-definition text (symbol-name symbol))))
        (and start (first (read-nodes text :start start :count 1))))))

(defun form-symbol (form)
  "Return the symbol that FORM, a FILE-FORM, defines; NIL if the image has no such symbol."
  (and (file-form-key form) (key-symbol (file-form-key form))))

(defvar *top-level-starts* (make-weak-map)
  "A table that maps a text returned by FILE-TEXT to the positions at which its top-level forms start.")

(defun top-level-node (text number)
  "Return the top-level form with number NUMBER of a file's TEXT, counted as SBCL counts, or NIL."
  (let ((starts (or (associated text *top-level-starts*)
                    (setf (associated text *top-level-starts*)
                          (map 'vector #'node-start (read-nodes text :features t))))))
    (and (< number (length starts))
         (node-read-at text (aref starts number)))))

(defvar *nodes-read* '() "A list of (text start . node), latest first. It saves repeated parsing, because requests for the definitions of a
file arrive one after the other.")

(defun node-read-at (text start)
  "Return the first form in TEXT at or after START."
  (let ((known (find-if (lambda (entry) (and (eq text (first entry)) (= start (second entry)))) *nodes-read*)))
    (if known
        (cddr known)
        (let ((node (first (read-nodes text :start start :count 1 :features t))))
          (setf *nodes-read* (list* (list* text start node) (subseq *nodes-read* 0 (min 15 (length *nodes-read*)))))
          node))))

;;; Nodes

(defun definition-node (top numbered symbol)
  "Return the definition of SYMBOL at or around the node NUMBERED in TOP: the innermost definition that names SYMBOL, otherwise one within
NUMBERED, otherwise NUMBERED itself, for example a call of a macro that defines SYMBOL."
  (let ((certain (certain numbered)))
    (or (naming-definition top certain symbol)
        (find-definition-within (or certain top) symbol)
        (if (and certain (not (eq certain top)))
            certain
            top))))

(defun naming-definition (top numbered symbol)
  "Return the innermost definition that contains NUMBERED and names SYMBOL; it may be TOP itself."
  (find-if (lambda (node) (and (definition-node-p node) (node-defines-p node symbol)))
           (if numbered
               (reverse (nodes-around (list top) (1+ (node-start numbered))))
               (list top))))

(defun definition-node-p (node)
  (let ((operator (operator-name node)))
    (and operator
         (or (and (>= (length operator) 3) (string= "DEF" operator :end2 3))
             (string= operator "METHOD")))))

(defun node-defines-p (node symbol)
  "Return true if NODE's second element is SYMBOL's name, or a list that begins with this name or with SETF and this name. Also return true
if NODE is (:METHOD …)."
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
  "Return the first definition of SYMBOL within TOP, for example one inside a PROGN."
  (labels ((look (node depth)
             (if (and (definition-node-p node) (second (node-children node))
                      (naming-node-p (second (node-children node)) (symbol-name symbol)))
                 node
                 (and (< depth 6) (some (lambda (child) (look child (1+ depth))) (node-children node))))))
    (look top 0)))

(defun mention-in (node symbol &optional (depth most-positive-fixnum))
  "Return the first token in NODE that names SYMBOL, nested at most DEPTH lists deep."
  (and symbol (first (mentions-in node symbol depth))))

(defun mentions-in (node symbol &optional (depth most-positive-fixnum))
  "Return all tokens in NODE that name SYMBOL, in order. Leave out tokens in quoted lists, which are not references."
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
