;;;; Collections of similar objects as a table. The rows are lists, plists, vectors, structures, instances or hash tables; the columns are
;;;; their parts.

(in-package #:lisp-workbench/inspection)

(defconstant +sample+ 50 "The number of rows that are examined to find the columns.")
(defconstant +most-columns+ 30)
(defconstant +most-cells+ 1500 "The maximum number of cells of a page.")
(defconstant +cell-text+ 120 "The maximum length of a cell's text, in characters.")

(define-operation "inspect-table" (:looking-up request)
  (multiple-value-bind (object found) (held-object (field request "handle"))
    (with-page-time ()
      (let* ((*package* (page-package request)) (table (and found (table-of object))))
        (if table
            (table-object table request)
            (object "expired" (json-boolean (not found)) "columns" (array-of '()) "rows" (array-of '())
                    "total" 0 "offset" 0 "more" :false))))))

(defstruct table
  "A table of objects. ROWS is a COUNTED of (label . object). COLUMNS is a list of (label . function); each function takes a row's object
and returns the cell."
  rows columns)

(defun table-of (object)
  "Return OBJECT as a table, or NIL if its elements are not similar."
  (let* ((rows (carefully (rows-of object)))
         (sample (and rows (>= (counted-total rows) 2)
                      (mapcar #'cdr (carefully (funcall (counted-function rows) 0 (min +sample+ (counted-total rows)))))))
         (columns (and sample (carefully (columns-of sample)))))
    (and columns (make-table :rows rows :columns (subseq columns 0 (min +most-columns+ (length columns)))))))

(defun rows-of (object)
  "Return a COUNTED of the objects in OBJECT that could be rows of a table, or NIL."
  (flet ((labelled (start elements)
           (loop for element in elements
                 for index from start
                 collect (cons (princ-to-string index) element))))
    (typecase object
      (cons (multiple-value-bind (count shape) (list-shape object)
              (and (eq shape :proper)
                   (counted count (lambda (start end) (labelled start (subseq (nthcdr start object) 0 (- end start))))))))
      (string nil)
      (vector (counted (length object)
                       (lambda (start end) (labelled start (coerce (subseq object start end) 'list)))))
      ((array * (* *))
       (destructuring-bind (rows columns) (array-dimensions object)
         (counted rows
                  (lambda (start end)
                    (loop for row from start below end
                          collect (cons (princ-to-string row)
                                        (make-array columns :element-type (array-element-type object) :displaced-to object
                                                            :displaced-index-offset (* row columns))))))))
      (hash-table (let ((keys (keys-in-order object)))
                    (counted (length keys)
                             (lambda (start end)
                               (loop for index from start below end
                                     collect (cons (label-text (aref keys index)) (gethash (aref keys index) object))))))))))

(defun columns-of (sample)
  "Return the columns of a table whose rows are like the objects in the list SAMPLE. Return NIL if these objects have no parts in common."
  (let ((first (first sample)))
    (flet ((all (predicate) (every predicate sample)))
      (cond ((and (consp first) (all #'short-property-list-p))
             (loop for (key) on first by #'cddr
                   collect (let ((key key)) (cons (label-text key) (lambda (row) (getf row key '%none))))))
            ((and (consp first) (all #'proper-list-p) (all (lambda (row) (= (length row) (length first)))))
             (numbered (length first) (lambda (row index) (nth index row))))
            ((and (typep first '(and vector (not string)))
                  (all (lambda (row) (and (typep row '(and vector (not string))) (= (length row) (length first))))))
             (numbered (length first) #'aref))
            ((all #'hash-table-p)
             (loop for key across (keys-in-order first)
                   collect (let ((key key)) (cons (label-text key) (lambda (row) (gethash key row '%none))))))
            ((and (typep first '(or structure-object standard-object))
                  (all (lambda (row) (eq (class-of row) (class-of first)))))
             (loop for slot in (slots-of first)
                   collect (let ((name (sb-mop:slot-definition-name slot)))
                             (cons (symbol-label name)
                                   (lambda (row)
                                     (if (and (slot-exists-p row name) (slot-boundp row name)) (slot-value row name) '%none))))))))))

(defun proper-list-p (object)
  (and (consp object) (eq :proper (nth-value 1 (list-shape object)))))

(defun short-property-list-p (object)
  (and (proper-list-p object) (evenp (length object)) (<= (length object) 200)
       (loop for (key) on object by #'cddr always (keywordp key))))

(defun numbered (count reader)
  (loop for index below count
        collect (let ((index index))
                  (cons (princ-to-string index) (lambda (row) (funcall reader row index))))))

(defun table-object (table request)
  (let* ((rows (table-rows table))
         (columns (table-columns table))
         (total (counted-total rows))
         (start (min (field request "offset") total))
         (end (min total (+ start (min (field request "limit") (max 1 (floor +most-cells+ (length columns)))))))
         (found (carefully (funcall (counted-function rows) start end))))
    (object "expired" :false
            "columns" (array-of (mapcar #'car columns))
            "rows" (array-of (loop for (label . row) in found
                                   collect (row-object label row columns (field request "holder"))))
            "total" total
            "offset" start
            "more" (json-boolean (< end total)))))

(defun row-object (label row columns holder)
  (object "label" label
          "handle" (hold row holder)
          "cells" (array-of (loop for (nil . reader) in columns collect (cell-object reader row holder)))))

(defun cell-object (reader row holder)
  "Return a cell in wire form. The cell has no value if its row differs from the others."
  (multiple-value-bind (value problem) (carefully (funcall reader row))
    (cond (problem (object "text" (if (typep row 'sequence) "" problem) "handle" nil))
          ((eq value '%none) (object "text" "" "handle" nil))
          (t (object "text" (carefully (print-short value +cell-text+))
                     "handle" (and (not (typep value '(or number character (member t nil)))) (hold value holder)))))))
