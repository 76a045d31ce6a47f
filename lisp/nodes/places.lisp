;;;; Converts SBCL's form numbers to nodes, and offsets on the wire to characters of a text.

(in-package #:lisp-workbench/nodes)

(defun cons-children (node)
  "Return the elements of the list that the reader creates for NODE. An operator that is written as a prefix, such as a quote, is
represented by :SYMBOL. Return NIL for an atom."
  (case (node-kind node)
    (:list (node-children node))
    ((:quote :quasiquote :function) (and (node-children node) (cons :symbol (node-children node))))
    (:unquote (and *commas-numbered* (node-children node) (cons :symbol (node-children node))))))

(defun numbered-nodes (node)
  "Return the conses of NODE in the order in which SBCL numbers them, so that a form number is an index into this vector. Older versions of
SBCL number a quoted object, but nothing inside it."
  (let ((found (make-array 32 :fill-pointer 0 :adjustable t)))
    (labels ((walk (node)
               (vector-push-extend node found)
               (loop for (child . more) on (and (or *quoted-numbered* (not (eq (node-kind node) :quote))) (cons-children node))
                     unless (or (eq child :symbol) (and (null more) (node-dotted node)))
                       do (let ((inner (without-comma child)))
                            (when (cons-children inner) (walk inner))))))
      (walk node))
    found))

(defun without-comma (node)
  "Return NODE, or the node after the comma if NODE is a comma that SBCL does not count as a form."
  (loop while (and (eq (node-kind node) :unquote) (node-children node) (not *commas-numbered*))
        do (setf node (first (node-children node))))
  node)

(defun node-at-path (node path)
  "Return the node to which PATH, a list of indexes, leads from NODE, or NIL."
  (loop for index in path
        for children = (cons-children node)
        for child = (and (< -1 index (length children)) (nth index children))
        do (if (node-p child) (setf node (without-comma child)) (return nil))
        finally (return node)))

;;; Offsets

(defun character-offset (text offset)
  "Return the index of the character in TEXT at OFFSET, which is in wire units. The index is always within the bounds of TEXT."
  (loop with units = 0
        for at from 0 below (length text)
        until (>= units offset)
        do (incf units (if (> (char-code (char text at)) #xffff) 2 1))
        finally (return at)))

(defun newlines (text end)
  (declare (type fixnum end))
  (if (typep text '(simple-array character (*)))
      (loop with newlines of-type fixnum = 0
            for index of-type fixnum below end
            do (when (char= #\Newline (schar text index)) (incf newlines))
            finally (return newlines))
      (count #\Newline text :end end)))

(defun line-and-column (text position)
  "Return the line, from 1, and the column, from 0, of POSITION in TEXT."
  (let ((newline (position #\Newline text :end position :from-end t)))
    (values (1+ (newlines text position))
            (if newline (- position newline 1) position))))
