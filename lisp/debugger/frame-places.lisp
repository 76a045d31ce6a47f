;;;; The exact place of the form that a frame is in: in the file it was compiled from, or in the text that was evaluated.

(in-package #:lisp-workbench/debugger)

(defconstant +longest-text+ 20000 "Characters of a top-level form that is sent along.")

(defun running-place (record)
  "Text of the frame's top-level form, offset of that text in the file (0 for what was evaluated), start and end of the running
form within the text, all as the wire counts, and the line of the file on which that form begins (NIL for what is from no file);
NIL when it cannot be told."
  (let* ((location (frame-code-location (frame-record-frame record)))
         (source (code-location-debug-source location)))
    ;; What LOAD reads as source has no form of its own, but the file's name.
    (if (and (core-debug-source-p source) (core-debug-source-form source))
        (evaluated-place record source location)
        (file-place-of source location))))

(defun file-place-of (source location)
  (let* ((file (existing-file (debug-source-namestring source)))
         (text (and file (file-text file)))
         (tops (and text (top-level-nodes text)))
         (index (code-location-toplevel-form-offset location))
         (top (and tops (< index (length tops)) (aref tops index)))
         (number (code-location-form-number location))
         (numbered (and top (numbered-nodes top))))
    (when (and top (eql (debug-source-created source) (file-write-date file)))
      (place-within text top (if (< number (length numbered)) (aref numbered number) top)))))

(defun place-within (text top node)
  (let ((start (node-start top)) (end (node-end top)))
    (when (<= (- end start) +longest-text+)
      (let ((shown (subseq text start end)))
        (values shown
                (utf-16-offset text start)
                (utf-16-offset shown (- (node-start node) start))
                (utf-16-offset shown (- (node-end node) start))
                (1+ (count #\Newline text :end (node-start node))))))))

(defun evaluated-place (record source location)
  (let* ((name (frame-record-name record))
         (symbol (if (consp name) (second name) name))
         (text (and symbol (symbolp symbol) (evaluated-text name (getf (debug-source-plist source) :evaluation))))
         (top (and text (first (read-nodes text :features t :count 1))))
         (definition (and top (find-definition-within top symbol)))
         (path (and definition
                    (source-path (form-path (core-debug-source-form source) location)
                                 (core-debug-source-form source) definition)))
         (node (and definition (or (node-at-path definition path) definition))))
    (when node
      (multiple-value-bind (shown offset start end line) (place-within text top node)
        (declare (ignore offset))
        (values shown 0 start end (line-of-file source line))))))

(defun line-of-file (source line)
  "The file's line of the LINE, from 1, of a text that was evaluated from it; NIL when it was in no file."
  (let ((first (getf (debug-source-plist source) :line)))
    (and first line (+ first line -1))))

(defun evaluated-text (name evaluation)
  "The text of the form that defined the function NAME in EVALUATION, as the record of definitions has it."
  (map-events (lambda (event)
                (when (and (equal (event-evaluation event) evaluation)
                           (equal (event-key event) (cons :function name))
                           (event-text event))
                  (return-from evaluated-text (event-text event))))))

(defun source-path (path form definition)
  "PATH leads into (NAMED-LAMBDA NAME LAMBDA-LIST … (BLOCK NAME . BODY)), which DEFUN made of its own; the same in DEFINITION."
  (let ((block (position-if (lambda (part) (and (consp part) (eq (first part) 'block))) form))
        (leading (length (leading-nodes (nthcdr 3 (node-children definition))))))
    (when (and block (eql (first path) block) (rest path))
      (list* (+ 3 leading (- (second path) 2)) (cddr path)))))

(defun leading-nodes (nodes)
  "Those of the documentation and the declarations."
  (loop for (node . more) on nodes
        while (or (equal "DECLARE" (operator-name node))
                  (and (eq (node-kind node) :string) more))
        collect node))
