;;;; The guarded printer: whatever PRINT-OBJECT methods do (signal, loop, print without end), the text is bounded in
;;;; characters and time. Everything that the engine shows of user objects goes through here.

(in-package #:lisp-workbench/evaluation)

(defconstant +print-seconds+ 2)

(defvar *escape-from-debugger* nil
  "A tag to throw to when code that the engine runs for itself, such as a print method, enters the debugger. Such code is guarded,
whoever asked for it, and never waits for a decision.")

(defvar *guarded-printing* t
  "True while OUTPUT-UGLY-OBJECT replaces objects that fail to print: in all that the engine prints, so that a method on T does
not reach it; false while the user's code runs.")

(defmacro with-engine-variables (&body body)
  "Bind what evaluated code may have set and what the engine's own work would run into."
  `(let ((*guarded-printing* t) (*macroexpand-hook* 'funcall) (*break-on-signals* nil) (*print-readably* nil)) ,@body))

(defmacro with-users-printing (&body body)
  `(let ((*guarded-printing* nil)) ,@body))

(defclass bounded-stream (sb-gray:fundamental-character-output-stream)
  ((limit :initarg :limit :reader bounded-limit :type fixnum)
   (text :initform (make-string 0) :accessor bounded-text :type (simple-array character (*)))
   (count :initform 0 :accessor bounded-count :type fixnum)
   (column :initform 0 :accessor bounded-column :type fixnum))
  (:documentation "Keeps the first LIMIT characters and counts the rest. TEXT grows with what comes: limits are large, texts small."))

(defun ensure-room (stream end)
  "The text of STREAM, with room for the characters up to END or for as many as its limit allows."
  (let* ((text (bounded-text stream)) (limit (bounded-limit stream)) (wanted (min end limit)))
    (declare (type (simple-array character (*)) text) (type fixnum end limit wanted))
    (if (<= wanted (length text))
        text
        (setf (bounded-text stream)
              (replace (make-string (min limit (max wanted 200 (* 2 (length text))))) text)))))

(defmethod sb-gray:stream-write-char ((stream bounded-stream) character)
  (let* ((count (bounded-count stream)) (text (ensure-room stream (1+ count))))
    (declare (type fixnum count) (type (simple-array character (*)) text))
    (when (< count (length text))
      (setf (schar text count) character))
    (setf (bounded-count stream) (1+ count))
    (if (char= character #\Newline)
        (setf (bounded-column stream) 0)
        (incf (the fixnum (bounded-column stream)))))
  character)

(defmethod sb-gray:stream-write-string ((stream bounded-stream) string &optional (start 0) end)
  (let* ((end (or end (length string)))
         (count (bounded-count stream))
         (text (ensure-room stream (+ count (- end start))))
         (newline (position #\Newline string :start start :end end :from-end t)))
    (when (< count (length text))
      (replace text string :start1 count :start2 start :end2 end))
    (setf (bounded-count stream) (+ count (- end start)))
    (if newline
        (setf (bounded-column stream) (- end newline 1))
        (incf (bounded-column stream) (- end start))))
  string)

(defmethod sb-gray:stream-line-column ((stream bounded-stream))
  (bounded-column stream))

(defun print-guarded (limit function)
  "Call FUNCTION with a stream. Returns its text, at most LIMIT characters, and how many more there were."
  (let* ((stream (make-instance 'bounded-stream :limit limit))
         (problem (call-guarded (lambda () (funcall function stream))))
         (kept (min limit (bounded-count stream)))
         (text (subseq (bounded-text stream) 0 kept)))
    (values (if problem (concatenate 'string text problem) text)
            (- (bounded-count stream) kept))))

(defun call-guarded (function)
  "Call FUNCTION for its effect. Returns NIL, or a text that says what went wrong."
  (let ((tag (list nil)) (trouble nil))
    (flet ((fail (condition)
             (setf trouble (symbol-name (type-of-condition condition)))
             (throw tag :failed)))
      (case (catch tag
              (let ((*escape-from-debugger* tag) (*guard* t) (*macroexpand-hook* 'funcall) (*break-on-signals* nil))
                (with-deadline (+print-seconds+)
                  (handler-bind ((error #'fail)
                                 (storage-condition #'fail))
                    (funcall function))
                  nil)))
        ((nil) nil)
        (:late "#<printing took too long>")
        (t (trouble-label trouble))))))

(defun trouble-label (type)
  (if type
      (concatenate 'string "#<error " type " while printing>")
      "#<printing entered the debugger>"))

(defun type-of-condition (condition)
  (let ((type (type-of condition)))
    (if (symbolp type) type (first type))))

(defmacro with-value-printing (&body body)
  "The printer's variables as the evaluate-lisp contract fixes them; base, case and radix stay the context's."
  `(let ((*print-length* 100) (*print-level* 10) (*print-circle* t) (*print-pretty* t)
         (*print-escape* t) (*print-readably* nil) (*print-lines* nil) (*print-array* t)
         (*print-miser-width* nil))
     ,@body))

(defmacro with-plain-printing (&body body)
  "Standard printer variables, one line, short: for labels, arguments, types."
  `(let ((*print-length* 8) (*print-level* 3) (*print-circle* t) (*print-pretty* nil)
         (*print-escape* t) (*print-readably* nil) (*print-lines* nil) (*print-array* t)
         (*print-base* 10) (*print-radix* nil) (*print-case* :upcase) (*print-gensym* t)
         (*read-default-float-format* 'single-float))
     ,@body))

(defun print-value (value limit)
  "VALUE by prin1 under the contract's limits: text and the number of characters cut."
  (with-value-printing
    (typecase value
      ((or fixnum single-float double-float null)
       (let ((text (prin1-to-string value)))
         (values text 0)))
      (t (print-guarded limit (lambda (stream) (prin1-naming-culprit value stream)))))))

(defun prin1-naming-culprit (value stream)
  "PRIN1 that shows an object whose method fails as #<error TYPE printing CLASS> within the rest."
  (let ((*guarded-printing* t))
    (prin1 value stream)))

(defun print-ugly-object (original stream object)
  "Encapsulates the function of SBCL that prints objects by their kind; it is the one that calls PRINT-OBJECT."
  (if (and *guarded-printing* (not (consp object)))
      (let ((failure (block attempt
                       (handler-bind ((error (lambda (condition)
                                               (return-from attempt (failure-label object condition)))))
                         (funcall original stream object)
                         nil))))
        (when failure (write-string failure stream)))
      (funcall original stream object)))

(defun failure-label (object condition)
  "What stands for OBJECT. A symbol or a string fails only where somebody put a method on T."
  (typecase object
    (symbol (symbol-name object))
    (integer (decimal-text object))
    (string object)
    (t (concatenate 'string "#<error " (symbol-name (type-of-condition condition))
                    " printing " (class-label object) ">"))))

(defun decimal-text (integer)
  "Its digits, without the printer."
  (let ((digits '()) (rest (abs integer)))
    (loop do (multiple-value-bind (quotient digit) (truncate rest 10)
               (push (code-char (+ 48 digit)) digits)
               (setf rest quotient))
          until (zerop rest))
    (coerce (if (minusp integer) (cons #\- digits) digits) 'string)))

(defun print-symbol-plainly (original stream symbol &rest arguments)
  "Encapsulates what SBCL's reports print names with, always with a package; ours leave out the current one."
  (if *guarded-printing*
      (prin1 symbol stream)
      (apply original stream symbol arguments)))

(defun class-label (object)
  (let ((name (class-name (class-of object))))
    (if (symbolp name) (symbol-name name) "an object")))

(defun print-short (object limit &key whole)
  "OBJECT on one line of at most LIMIT characters; with WHOLE nothing else cuts it."
  (with-plain-printing
    (when whole (setf *print-length* nil *print-level* nil))
    (multiple-value-bind (text cut)
        (print-guarded limit (lambda (stream) (prin1-naming-culprit object stream)))
      (let ((line (substitute #\Space #\Newline text)))
        (if (plusp cut) (concatenate 'string line "…") line)))))

(defun print-report (condition limit)
  "The report of CONDITION in SBCL's words."
  (let ((*print-length* 100) (*print-level* 10) (*print-circle* nil) (*print-pretty* t)
        (*print-escape* nil) (*print-readably* nil) (*print-lines* nil))
    (multiple-value-bind (text cut)
        (print-guarded limit (lambda (stream)
                               (let ((*guarded-printing* t))
                                 (format stream "~A" condition))))
      (if (plusp cut) (concatenate 'string text "…") text))))

(defun value-object (value limit &optional handle)
  "A value as the wire has it."
  (multiple-value-bind (text cut) (print-value value limit)
    (object "text" text "type" (type-label value) "cut" cut "handle" handle)))

(defun type-label (value)
  (typecase value
    (null "NULL")
    (fixnum "FIXNUM")
    (string "STRING")
    (cons "CONS")
    (t (let ((type (type-of value)))
         (print-short (cond ((atom type) type)
                            ((member (first type) '(simple-array array simple-vector simple-bit-vector)) type)
                            ((eq (first type) 'integer) 'integer)
                            (t (first type)))
                      80)))))
