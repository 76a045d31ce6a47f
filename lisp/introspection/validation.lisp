;;;; The operation `validate-syntax`: finds errors that make a text unreadable, and names in the text whose packages do not exist.

(in-package #:lisp-workbench/introspection)

(defconstant +most-problems+ 200)

(define-operation "validate-syntax" (:looking-up request)
  (with-request-package (package request)
    (let ((text (field request "text"))
          (readtable (nth-value 1 (context-environment request))))
      (multiple-value-bind (nodes problems) (read-nodes text :readtable readtable)
        (let* ((noted (notes-on text readtable (packages-made-in nodes)))
               (all (stable-sort (append (loop for problem in problems
                                               unless (reader-macro-problem-p problem) collect (cons "error" problem))
                                         (mapcar (lambda (problem) (cons "note" problem)) noted))
                                 #'< :key #'second)))
          (object "problems" (array-of (loop for problem in all
                                             repeat +most-problems+
                                             collect (problem-object problem text)))
                  "total" (length all)
                  "forms" (length nodes)))))))

;; Only characters that the standard forbids after # are errors, because a library may define any other character.
(defun reader-macro-problem-p (problem)
  (equal "reader-macro" (second problem)))

(defun notes-on (text readtable made)
  "Return (start kind message) for each likely mistake in TEXT. MADE contains the names of the packages that its forms define. Skip code
hidden by #+ or #-, because it is written for another Lisp with other packages, characters and reader macros."
  (multiple-value-bind (nodes problems) (read-nodes text :readtable readtable :features t)
    (append (remove-if-not #'reader-macro-problem-p problems)
            (package-notes nodes text made)
            (character-notes nodes text))))

(define-operation "features" (:looking-up request)
  (object "features" (array-of (loop for feature in *features*
                                     when (symbolp feature) collect (symbol-name feature)))))

(defun problem-object (problem text)
  (destructuring-bind (severity position kind message) problem
    (let* ((text (coerce text 'simple-string))
           (newline (position #\Newline text :end position :from-end t))
           (offset (utf-16-offset text position)))
      (object "severity" severity
              "kind" kind
              "message" message
              "offset" offset
              "line" (1+ (count #\Newline text :end position))
              "column" (- offset (if newline (utf-16-offset text (1+ newline)) 0))))))

(defun package-notes (nodes text made)
  "Return (start kind message) for each token whose package does not exist and is not in MADE, or does not export the name. Use the local
nicknames of the package that the latest IN-PACKAGE form of TEXT names."
  (let ((notes '()))
    (labels ((look (node)
               (if (eq (node-kind node) :token)
                   (look-at-token node)
                   (mapc #'look (node-children node))))
             (look-at-token (node)
               (let ((prefix (node-prefix node)))
                 (unless (or (null prefix) (member prefix '("" "#") :test #'string=) (member prefix made :test #'string=))
                   (let ((package (find-package prefix)))
                     (cond ((or (null package) (engine-package-p package))
                            (note node "package" (format nil "There is no package ~A." prefix)))
                           ((and (= 1 (node-colons node))
                                 (not (eq :external (nth-value 1 (find-symbol (node-name node) package)))))
                            (note node "external" (format nil "~A does not export ~A." prefix (node-name node)))))))))
             (note (node kind message)
               (push (list (node-start node) kind message) notes)))
      (let ((*package* *package*))
        (dolist (node nodes)
          (setf *package* (or (entered-package node text) *package*))
          (look node)))
      notes)))

(defun entered-package (node text)
  "Return the package that NODE, a top-level form, makes current, if the package exists. Return NIL for other forms."
  (let ((designator (and (equal (operator-name node) "IN-PACKAGE") (second (node-children node)))))
    (when designator
      (case (node-kind designator)
        (:token (find-package (node-name designator)))
        (:string (find-package (string-trim "\"" (node-text text designator))))))))

(defun character-notes (nodes text)
  "Return (start kind message) for each character name that SBCL does not know. Skip code hidden by #+ or #-, because another Lisp may know
the name."
  (let ((notes '()))
    (labels ((look (node)
               (if (eq (node-kind node) :character)
                   (look-at-character node)
                   (mapc #'look (node-children node))))
             (look-at-character (node)
               (let* ((written (node-text text node))
                      (name (subseq written (min (length written) (1+ (or (position #\\ written) 0))))))
                 (when (and (> (length name) 1) (not (find #\\ name)) (not (find #\| name)) (not (name-char name)))
                   (push (list (node-start node) "character" (format nil "SBCL has no character named ~A." name))
                         notes)))))
      (mapc #'look nodes)
      notes)))

(defun packages-made-in (nodes)
  "Return the names of the packages that the text's forms define, including nicknames and local nicknames."
  (loop for node in nodes
        when (member (operator-name node) '("DEFPACKAGE" "MAKE-PACKAGE" "DEFINE-PACKAGE") :test #'equal)
          append (loop for name in (cons (second (node-children node))
                                         (mapcan #'nicknames-in (rest (rest (node-children node)))))
                       when (and name (eq (node-kind name) :token)) collect (node-name name))))

(defun nicknames-in (option)
  "Return the names in the node OPTION of a package definition: all names of (:NICKNAMES a b), or the first name in each list of
(:LOCAL-NICKNAMES (a p))."
  (let ((name (operator-name option)) (values (rest (node-children option))))
    (cond ((equal name "NICKNAMES") (copy-list values))
          ((equal name "LOCAL-NICKNAMES") (mapcar (lambda (each) (first (node-children each))) values)))))
