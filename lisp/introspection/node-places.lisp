;;;; From SBCL's numbers and the wire's offsets to nodes and characters of a text.

(in-package #:lisp-workbench/introspection)

(defun cons-children (node)
  "What would be in the list that the reader makes of NODE, :SYMBOL for what the text shows as a sign; NIL for an atom."
  (case (node-kind node)
    (:list (node-children node))
    ((:quote :quasiquote :function) (and (node-children node) (cons :symbol (node-children node))))
    (:unquote (and *commas-numbered* (node-children node) (cons :symbol (node-children node))))))

(defun numbered-nodes (node)
  "The conses of NODE in the order in which SBCL numbers them: a form number is an index into this vector. A quoted part
is numbered, what is in it is not."
  (let ((found (make-array 32 :fill-pointer 0 :adjustable t)))
    (labels ((walk (node)
               (vector-push-extend node found)
               (loop for (child . more) on (and (not (eq (node-kind node) :quote)) (cons-children node))
                     unless (or (eq child :symbol) (and (null more) (node-dotted node)))
                       do (let ((inner (without-comma child)))
                            (when (cons-children inner) (walk inner))))))
      (walk node))
    found))

(defun without-comma (node)
  "NODE, or what stands behind the comma where SBCL counts that as the form."
  (loop while (and (eq (node-kind node) :unquote) (node-children node) (not *commas-numbered*))
        do (setf node (first (node-children node))))
  node)

(defun node-at-path (node path)
  "The node that the list indexes PATH lead to, or NIL."
  (loop for index in path
        for children = (cons-children node)
        for child = (and (< -1 index (length children)) (nth index children))
        do (if (node-p child) (setf node (without-comma child)) (return nil))
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
