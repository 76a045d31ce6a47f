;;;; The places of warnings in evaluated code. The compiler's context contains the list object that was read. The list indexes that lead
;;;; from the top-level form to this list also lead to its place in the text.

(in-package #:lisp-workbench/compilation)

(defconstant +most-conses+ 200000 "The maximum number of conses that are searched for the list that a warning is about. The limit is
necessary because the search of a circular constant would never end.")

(defun place-warning (code start form condition)
  "Return two values: the start and the end, in characters of CODE, of the subform or symbol that CONDITION is about; NIL if unknown. FORM
is the top-level form that was read at START."
  (let* ((context (find-error-context nil))
         (original (and context (compiler-error-context-original-form context)))
         (top (first (read-nodes code :start start :features t :count 1)))
         (node (and top (consp original) (node-of original form top)))
         (names (mapcar #'symbol-name (mentioned-names (innermost condition) original)))
         (token (and top names (token-in (or node top) names)))
         (found (or token node)))
    (and found (values (node-start found) (node-end found)))))

(defun node-of (part form top)
  "Return the node of PART, a list within FORM. TOP is the node of FORM. Return NIL if PART is not in FORM, for example because a macro
created it."
  (multiple-value-bind (path found) (path-to part form)
    (and found (node-at-path top path))))

(defun path-to (part form)
  "Return two values: the list indexes that lead from FORM to the list PART, which is found by identity, and true if PART was found."
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
  "Return the first token within NODE that is one of NAMES."
  (if (eq (node-kind node) :token)
      (and (member (node-name node) names :test #'equal) node)
      (loop for child in (node-children node)
            thereis (token-in child names))))

(setf *warning-placer* #'place-warning)
