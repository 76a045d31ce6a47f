;;;; The places of warnings in code that is evaluated. The compiler's context names the very list that was read; the indexes that lead
;;;; to it from the top-level form lead to its place in the text as well.

(in-package #:lisp-workbench/compilation)

(defconstant +most-conses+ 200000 "Conses that are searched for the list that a warning is about; circular constants have no end.")

(defun place-warning (code start form condition)
  "Return the start and the end, in characters of CODE, of what CONDITION is about; NIL when that is not known. FORM is the top-level form
that was read at START."
  (let* ((context (find-error-context nil))
         (original (and context (compiler-error-context-original-form context)))
         (top (first (read-nodes code :start start :features t :count 1)))
         (node (and top (consp original) (node-of original form top)))
         (names (mapcar #'symbol-name (mentioned-names (innermost condition) original)))
         (token (and top names (token-in (or node top) names)))
         (found (or token node)))
    (and found (values (node-start found) (node-end found)))))

(defun node-of (part form top)
  "Return the node of PART, a list within FORM, whose node is TOP; NIL when PART is none of its lists, as in what a macro made."
  (multiple-value-bind (path found) (path-to part form)
    (and found (node-at-path top path))))

(defun path-to (part form)
  "Return the list indexes that lead from FORM to PART, the same list, and true when it is there."
  (let ((left +most-conses+))
    (labels ((search-in (list path)
               (when (eq list part) (return-from path-to (values (reverse path) t)))
               (loop for index from 0
                     for rest = list then (cdr rest)
                     while (consp rest)
                     do (when (minusp (decf left)) (return-from path-to nil))
                        (when (consp (car rest)) (search-in (car rest) (cons index path))))))
      (when (consp form) (search-in form '())))
    nil))

(defun token-in (node names)
  "The first token within NODE that has one of NAMES."
  (if (eq (node-kind node) :token)
      (and (member (node-name node) names :test #'equal) node)
      (loop for child in (node-children node)
            thereis (token-in child names))))

(setf *warning-placer* #'place-warning)
