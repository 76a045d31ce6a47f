;;;; The table of views. Each kind of object has facts and one or more views; a view creates parts.

(in-package #:lisp-workbench/inspection)

(defvar *facts* (make-hash-table :test #'equal) "Kind → function of the object that returns (label . value) pairs.")
(defvar *views* (make-hash-table :test #'equal) "Kind → list of (name condition function), in order.")

(defmacro define-facts (kind (object) &body facts)
  "Define the FACTS of objects of KIND. Each fact is (LABEL FORM); it is left out if FORM returns NIL or signals an error."
  `(setf (gethash ,kind *facts*)
         (lambda (,object)
           (declare (ignorable ,object))
           (list ,@(loop for (label form) in facts collect `(cons ,label (carefully ,form)))))))

(defmacro define-view (kind name (object &key (when t)) &body body)
  "Define the view NAME for objects of KIND for which WHEN is true. BODY returns a list of parts or a COUNTED."
  `(add-view ,kind ,name (lambda (,object) (declare (ignorable ,object)) ,when)
             (lambda (,object) (declare (ignorable ,object)) ,@body)))

(defun add-view (kind name condition function)
  (let ((known (assoc name (gethash kind *views*) :test #'string=)))
    (if known
        (setf (rest known) (list condition function))
        (setf (gethash kind *views*) (append (gethash kind *views*) (list (list name condition function)))))))

(defun yes-or-no (value)
  (if value "yes" "no"))

(defun facts-of (kind object)
  (let ((function (gethash kind *facts*)))
    (array-of (loop for (label . value) in (and function (funcall function object))
                    when value
                      collect (object "label" label "value" (if (stringp value) (bounded value) (label-text value)))))))

(defun bounded (text &optional (limit 1000))
  (if (> (length text) limit) (concatenate 'string (subseq text 0 limit) "…") text))

(defun views-of (kind object)
  "Return the entries (name condition function) of the views that apply to OBJECT."
  (remove-if-not (lambda (view) (carefully (funcall (second view) object))) (gethash kind *views*)))

(defun object-kind (object)
  (typecase object
    (symbol "symbol")
    (cons (if (listp (cdr object)) "list" "cons"))
    (string "string")
    (array "array")
    (number "number")
    (character "character")
    (hash-table "hash-table")
    (package "package")
    (pathname "pathname")
    (stream "stream")
    (sb-thread:thread "thread")
    (condition "condition")
    (method "method")
    (class "class")
    (generic-function "generic-function")
    (function (if (closurep object) "closure" "function"))
    (readtable "readtable")
    (random-state "random-state")
    (sb-ext:weak-pointer "weak-pointer")
    (asdf:system "system")
    (structure-object "structure")
    (standard-object "instance")
    (t "other")))
