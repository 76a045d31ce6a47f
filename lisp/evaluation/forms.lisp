;;;; Reads a text form by form, records offsets, and determines what each form defines.

(in-package #:lisp-workbench/evaluation)

(defun skip-to-form (stream)
  "Skip blanks and comments in STREAM, which reads from a string. Return the offset of the next form, or NIL at the end."
  (loop
    (let ((char (peek-char t stream nil nil)))
      (cond ((null char) (return nil))
            ((and (char= char #\;) (standard-syntax-p #\;)) (read-line stream nil))
            ((and (char= char #\#) (block-comment-next-p stream))
             (skip-block-comment stream))
            (t (return (file-position stream)))))))

(defun standard-syntax-p (char)
  (eq (get-macro-character char) (get-macro-character char nil)))

(defun block-comment-next-p (stream)
  "Return true if #| with its standard meaning comes next in STREAM. Do not consume it."
  (let ((position (file-position stream)))
    (read-char stream)
    (prog1 (and (eql (peek-char nil stream nil nil) #\|)
                (eq (ignore-errors (get-dispatch-macro-character #\# #\|))
                    (get-dispatch-macro-character #\# #\| nil)))
      (file-position stream position))))

(defun skip-block-comment (stream)
  (let ((start (file-position stream)) (depth 0))
    (loop
      (let ((char (read-char stream nil nil)))
        (cond ((null char)
               (file-position stream start)
               (read stream)            ; the reader signals the error about the unfinished comment
               (return))
              ((and (char= char #\#) (eql (peek-char nil stream nil nil) #\|))
               (read-char stream)
               (incf depth))
              ((and (char= char #\|) (eql (peek-char nil stream nil nil) #\#))
               (read-char stream)
               (when (zerop (decf depth)) (return))))))))

(defun utf-16-offset (text position)
  "Return POSITION in TEXT in wire units: UTF-16 code units, which the core's strings consist of. Lisp counts characters."
  (declare (type simple-string text) (type fixnum position))
  (let ((end (min position (length text))))
    (typecase text
      (simple-base-string position)
      ((simple-array character (*))     ; this loop must be fast, because a file may have many positions to convert
       (loop with units of-type fixnum = position
             for index of-type fixnum below end
             do (when (> (char-code (schar text index)) #xffff) (incf units))
             finally (return units)))
      (t position))))

(defun read-form (stream end-marker)
  "Return the next form. Return END-MARKER if only code that #- skips was left."
  (read-preserving-whitespace stream nil end-marker))

;;; The definitions that a form makes

(defparameter *declaring-operators*
  '(in-package declaim proclaim use-package unuse-package export unexport import shadow shadowing-import make-package
    rename-package delete-package fmakunbound makunbound unintern remove-method ensure-generic-function
    set-macro-character set-dispatch-macro-character)
  "Operators that FORM-DEFINITION treats as defining, in addition to those whose name starts with DEF.")

(defparameter *definable-places*
  '(fdefinition symbol-function macro-function compiler-macro-function documentation find-class readtable-case
    symbol-plist get)
  "SETF of these places counts as a definition.")

(defparameter *enclosing-operators*
  '((progn . 1) (locally . 1) (eval-when . 2) (let . 2) (let* . 2) (flet . 2) (labels . 2) (macrolet . 2)
    (symbol-macrolet . 2) (when . 2) (unless . 2) (progv . 3))
  "Operators that may contain definitions, and the index where their body starts.")

(defun form-definition (form &optional in-file)
  "Return two values: the operator's name and the printed name of the definition that FORM makes. Return NIL if it makes no definition. If
FORM is IN-FILE, a registration with a library's or user's macro, such as (TEST NAME …), counts too."
  (multiple-value-bind (operator name) (if (and in-file (registration-p form)) (values (first form) (defined-name form)) (definition-in form 0))
    (when operator
      (values (symbol-name operator) (and name (print-short name 200))))))

(defun counts-as-definition-p (form)
  "Return true if FORM makes a definition, and is not only a declaration such as IN-PACKAGE."
  (let ((operator (form-definition form)))
    (and operator (not (member operator *declaring-operators* :test #'string=)))))

(defun definition-in (form depth)
  (when (and (consp form) (symbolp (first form)) (proper-list-p form) (< depth 8))
    (let* ((operator (first form))
           (body (cdr (assoc operator *enclosing-operators*))))
      (cond (body
             (dolist (inner (nthcdr body form))
               (multiple-value-bind (found name) (definition-in inner (1+ depth))
                 (when found (return (values operator name))))))
            ((or (defining-name-p operator) (member operator *declaring-operators*))
             (values operator (defined-name form)))
            ((and (eq operator 'setf) (defining-place-p (second form)))
             (values operator (unquoted (second (second form)))))))))

;;; Registrations: libraries such as test frameworks and routers register objects under a name in their own tables.

(defparameter *acting-prefixes*
  '("WITH" "DO" "ITER" "LET" "IF" "WHEN" "UNLESS" "CASE" "BIND" "RUN" "CALL" "IGNOR" "HANDLER" "RESTART" "ASSERT" "TIME" "TRACE"
    "PRINT" "LOG" "START" "STOP" "REMOVE" "DELETE" "UNDEF" "CLEAR")
  "Prefixes of the names of macros that perform an action instead of registering an object.")

(defun registration-p (form)
  "Return true if FORM calls a registering macro whose first argument names the registered object: (TEST NAME …), (TEST (NAME :SUITE S) …),
(IN-SUITE :S)."
  (and (consp form)
       (proper-list-p form)
       (symbolp (first form))
       (registering-operator-p (first form))
       (consp (rest form))
       (let ((name (second form)))
         (or (name-atom-p name)
             (and (consp name) (proper-list-p name) (name-atom-p (first name))
                  (or (null (rest name)) (keywordp (second name))))))))

(defun name-atom-p (object)
  (and object (or (symbolp object) (stringp object))))

(defun registering-operator-p (symbol)
  "Return true if SYMBOL names a macro that is not SBCL's own, and whose name does not indicate an action (as WITH-LOCK and RUN-ALL do)."
  (let ((package (symbol-package symbol)))
    (and package
         (macro-function symbol)
         (not (defining-name-p symbol))
         (not (lisp-package-p package))
         (notany (lambda (prefix) (eql 0 (search prefix (symbol-name symbol)))) *acting-prefixes*))))

(defun lisp-package-p (package)
  (or (eq package (find-package '#:common-lisp))
      (eql 0 (search "SB-" (package-name package)))))

(defun unquoted (form)
  (if (and (consp form) (eq (first form) 'quote)) (second form) form))

(defun proper-list-p (form)
  (handler-case (list-length form) (type-error () nil)))

(defun defining-name-p (symbol)
  (let ((name (symbol-name symbol)))
    (and (>= (length name) 3) (string= "DEF" name :end2 3))))

(defun defining-place-p (place)
  (and (consp place) (member (first place) *definable-places*) (consp (rest place))))

(defun defined-name (form)
  (let ((name (second form)))
    (cond ((atom name) name)
          ((eq (first name) 'setf) name)
          ((eq (first name) 'quote) (second name))
          (t (first name)))))
