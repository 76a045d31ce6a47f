;;;; The contents of an inspector's page: parts, each with a label and a value, and facts, which are only text. A page is always complete
;;;; and ready in time, even if the object's slot readers or print methods signal or loop.

(in-package #:lisp-workbench/inspection)

(defconstant +page-seconds+ 3 "The maximum time, in seconds, for all parts of a page. Parts that are not ready by then are left out.")
(defconstant +part-seconds+ 1)
(defconstant +part-text+ 300 "The maximum length of a part's text, in characters.")

(defvar *page-end* nil "The internal real time after which user code is no longer called.")

(defstruct place
  "The place of a part's value. READER, WRITER (which takes the new value) and REMOVER are functions. TYPE is the type that the place's
values must have. REFUSAL is the reason why the value cannot be changed, or NIL."
  reader writer remover (type t) refusal)

(defstruct part label reader place text key (keyed nil) group note)

(defun part (label reader &key place (key nil keyed) group note)
  "Return a part with a value, which READER returns or PLACE contains. LABEL is a string, or an object that is printed as the label."
  (make-part :label label :reader (or reader (place-reader place)) :place place :key key :keyed keyed
             :group group :note note))

(defun text-part (label text &key group note)
  "Return a part that is only text."
  (make-part :label label :text text :group group :note note))

(defun unbound-part (label &key place group note)
  (make-part :label label :place place :reader (constantly '%unbound) :group group :note note))

(defstruct counted
  "Parts that are created only when a page needs them. TOTAL is their number. FUNCTION creates the parts from a start index to an end index.
INEXACT is true if there may be more than TOTAL."
  total function inexact)

(defun counted (total function &optional inexact)
  (make-counted :total total :function function :inexact inexact))

(defun indexed (total function)
  "Return a COUNTED of TOTAL parts. FUNCTION creates a part from its index."
  (counted total (lambda (start end) (loop for index from start below end collect (funcall function index)))))

;;; Care

(defmacro carefully (&body body)
  "Return two values: the value of BODY and NIL, or NIL and the reason, as text, why there is no value."
  `(call-carefully (lambda () ,@body)))

(defun call-carefully (function)
  (let ((left (if *page-end*
                  (/ (- *page-end* (get-internal-real-time)) internal-time-units-per-second)
                  +part-seconds+))
        (value nil) (problem nil))
    (if (<= left 0)
        (values nil "#<not read: the other parts took too long>")
        (let ((outcome (call-without-debugger
                        (lambda ()
                          (with-deadline ((min left +part-seconds+))
                            (handler-case (progn (setf value (funcall function)) :done)
                              (error (condition) (setf problem (problem-label condition)) :failed)
                              (storage-condition (condition) (setf problem (problem-label condition)) :failed)))))))
          (case outcome
            (:done (values value nil))
            (:late (values nil "#<took too long>"))
            (:debugger (values nil "#<error: reading it entered the debugger>"))
            (t (values nil problem)))))))

(defun problem-label (condition)
  (concatenate 'string "#<error " (type-name condition) ">"))

(defmacro with-page-time (() &body body)
  "Run BODY with a page's time limit, which applies to all calls of user code in BODY together."
  `(let ((*page-end* (+ (get-internal-real-time) (* +page-seconds+ internal-time-units-per-second))))
     ,@body))

;;; Parts in their wire form

(defun label-text (label)
  (if (stringp label)
      label
      (multiple-value-bind (text problem) (carefully (print-short label +part-text+)) (or problem text))))

(defun key-text (key)
  "Return the printed text of a key. A string is printed with its quotes, like any other object."
  (multiple-value-bind (text problem) (carefully (print-short key +part-text+)) (or text problem)))

(defun part-object (part holder)
  "Return PART in wire form, with handles for its value and its place that belong to HOLDER. The place's handle serves as the part's path."
  (multiple-value-bind (value problem)
      (if (part-text part) nil (carefully (funcall (part-reader part))))
    (let* ((state (cond ((part-text part) "text") (problem "error") ((eq value '%unbound) "unbound") (t "value")))
           (valued (string= state "value"))
           (place (part-place part)))
      (object "label" (if (part-keyed part) (key-text (part-label part)) (label-text (part-label part)))
              "text" (cond ((part-text part)) (problem) (valued (value-text value)) (t "#<unbound>"))
              "type" (and valued (values (carefully (shown-type value))))
              "state" state
              "handle" (and valued (hold value holder))
              "keyHandle" (and (part-keyed part) (hold (part-key part) holder))
              "editable" (json-boolean (and place (null (place-refusal place))))
              "path" (and place (hold place holder))
              "group" (part-group part)
              "note" (part-note part)))))

(defun value-text (value)
  (multiple-value-bind (text problem) (carefully (print-short value +part-text+)) (or problem text)))
