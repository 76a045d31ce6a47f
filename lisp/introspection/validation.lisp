;;;; The operation `validate-syntax`: what keeps a text from being read, and names in it whose package is not there.

(in-package #:lisp-workbench/introspection)

(defconstant +most-problems+ 200)

(define-operation "validate-syntax" (:looking-up request)
  (with-request-package (package request)
    (let ((text (field request "text"))
          (readtable (nth-value 1 (context-environment request))))
      (multiple-value-bind (nodes problems) (read-nodes text :readtable readtable)
        (let* ((errors (mapcar (lambda (problem) (cons "error" problem)) problems))
               (notes (mapcar (lambda (problem) (cons "note" problem))
                              (append (package-notes nodes) (character-notes nodes text))))
               (all (stable-sort (append errors notes) #'< :key #'second)))
          (object "problems" (array-of (loop for problem in all
                                             repeat +most-problems+
                                             collect (problem-object problem text)))
                  "total" (length all)
                  "forms" (length nodes)))))))

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

(defun package-notes (nodes)
  "(start kind message) for each token with a package that is not there, or one that does not export the name."
  (let ((notes '()) (made (packages-made-in nodes)))
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
      (mapc #'look nodes)
      notes)))

(defun character-notes (nodes text)
  "(start kind message) for each character by a name that SBCL does not know; maybe another Lisp does, behind a feature."
  (let ((notes '()))
    (labels ((look (node)
               (if (eq (node-kind node) :character)
                   (look-at-character node)
                   (mapc #'look (node-children node))))
             (look-at-character (node)
               (let* ((written (node-text text node))
                      (name (subseq written (min (length written) (1+ (or (position #\\ written) 0))))))
                 (when (and (> (length name) 1) (not (find #\\ name)) (not (find #\| name)) (not (name-char name)))
                   (push (list (node-start node) "character" (format nil "SBCL knows no character named ~A." name))
                         notes)))))
      (mapc #'look nodes)
      notes)))

(defun packages-made-in (nodes)
  "Names of the packages that forms of the text define."
  (loop for node in nodes
        for name = (and (member (operator-name node) '("DEFPACKAGE" "MAKE-PACKAGE" "DEFINE-PACKAGE") :test #'equal)
                        (second (node-children node)))
        when (and name (eq (node-kind name) :token)) collect (node-name name)))
