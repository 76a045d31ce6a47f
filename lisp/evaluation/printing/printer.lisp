;;;; The guarded printer. PRINT-OBJECT methods may signal errors, loop or print endlessly, but the length of the text and the time are
;;;; limited in any case. The engine prints all user objects through these functions.

(in-package #:lisp-workbench/evaluation)

(defconstant +print-seconds+ 2)

(defvar *escape-from-debugger* nil
  "The tag to throw to if code that the engine runs for its own purposes, such as a print method, enters the debugger. Such code always runs
with the guard on, and never waits for a decision.")

(defvar *guarded-printing* t
  "True while OUTPUT-UGLY-OBJECT prints a label for each object that fails to print. It is true whenever the engine prints, so that a
failing method on T does not affect the engine. False while user code runs.")

(defmacro with-engine-variables (&body body)
  "Run BODY with standard values of the variables that evaluated code may have set and that could disturb the engine's own work."
  `(let ((*guarded-printing* t) (*macroexpand-hook* 'funcall) (*break-on-signals* nil) (*print-readably* nil)) ,@body))

(defmacro with-users-printing (&body body)
  `(let ((*guarded-printing* nil)) ,@body))

(defclass bounded-stream (sb-gray:fundamental-character-output-stream)
  ((limit :initarg :limit :reader bounded-limit :type fixnum)
   (text :initform (make-string 0) :accessor bounded-text :type (simple-array character (*)))
   (count :initform 0 :accessor bounded-count :type fixnum)
   (column :initform 0 :accessor bounded-column :type fixnum))
  (:documentation "A stream that stores the first LIMIT characters and only counts the rest. TEXT grows as needed, because limits are large
and most texts are small."))

(defun ensure-room (stream end)
  "Return the text of STREAM, with room for the characters up to END, or as many of them as the stream's limit allows."
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

(defclass ending-stream (bounded-stream)
  ()
  (:documentation "A bounded stream that stops its writer when the stream is full, by a throw to the stream itself."))

(defun end-when-full (stream)
  (when (> (bounded-count stream) (bounded-limit stream)) (throw stream nil)))

(defmethod sb-gray:stream-write-char :after ((stream ending-stream) character)
  (declare (ignore character))
  (end-when-full stream))

(defmethod sb-gray:stream-write-string :after ((stream ending-stream) string &optional start end)
  (declare (ignore string start end))
  (end-when-full stream))

(defun print-guarded (limit function)
  "Call FUNCTION with a stream. Return two values: the stream's text, at most LIMIT characters, and the number of characters beyond the
limit."
  (let* ((stream (make-instance 'bounded-stream :limit limit))
         (problem (call-guarded (lambda () (funcall function stream))))
         (kept (min limit (bounded-count stream)))
         (text (subseq (bounded-text stream) 0 kept)))
    (values (if problem (concatenate 'string text problem) text)
            (- (bounded-count stream) kept))))

(defun call-guarded (function)
  "Call FUNCTION for its effect. Return NIL, or a text that describes the failure."
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

(defvar *prints-as-set* nil
  "True while values are printed for the person, whose printer settings apply. The contract of evaluate-lisp then determines only the length
and level limits that the person did not set. The value is :WHOLLY if only the person's settings apply, as in SBCL's own REPL.")

(defmacro with-value-printing (&body body)
  "Run BODY with the printer variables that the contract of evaluate-lisp fixes. Base, case and radix keep the values that they have in the
context."
  `(let ((*print-length* (or (and *prints-as-set* *print-length*) 100))
         (*print-level* (or (and *prints-as-set* *print-level*) 10))
         (*print-pretty* (or (not *prints-as-set*) *print-pretty*))
         (*print-array* (or (not *prints-as-set*) *print-array*))
         (*print-lines* (and *prints-as-set* *print-lines*))
         (*print-miser-width* (and *prints-as-set* *print-miser-width*))
         (*print-circle* t) (*print-escape* t) (*print-readably* nil))
     ,@body))

(defmacro with-wholly-set-printing (&body body)
  "Run BODY with the current printer variables, changing only those that PRIN1 binds."
  `(let ((*print-escape* t) (*print-readably* nil)) ,@body))

(defmacro with-plain-printing (&body body)
  "Run BODY with standard printer variables that keep the output short and on one line. Used for labels, arguments and types."
  `(let ((*print-length* 8) (*print-level* 3) (*print-circle* t) (*print-pretty* nil)
         (*print-escape* t) (*print-readably* nil) (*print-lines* nil) (*print-array* t)
         (*print-base* 10) (*print-radix* nil) (*print-case* :upcase) (*print-gensym* t)
         (*read-default-float-format* 'single-float))
     ,@body))

(defun print-value (value limit)
  "Print VALUE with PRIN1 under the contract's limits. Return the text and the number of omitted characters."
  (multiple-value-bind (text cut) (and (eq *prints-as-set* :wholly) (print-as-set value limit))
    (if text
        (values text cut)
        (with-value-printing
          (if (typep value '(and integer (not fixnum)))
              (print-integer value limit)
              (print-guarded limit (lambda (stream) (prin1-naming-culprit value stream))))))))

(defun print-as-set (value limit)
  "Print VALUE with PRIN1 and the current printer variables. Return the text and 0, or NIL if printing takes too long or produces more than
LIMIT characters, as for a circular list. If the result is NIL, the caller prints VALUE under the contract's limits."
  (unless (typep value '(and integer (not fixnum)))
    (let* ((stream (make-instance 'ending-stream :limit limit))
           (in-time (catch stream
                      (with-wholly-set-printing
                        (null (call-guarded (lambda () (prin1-naming-culprit value stream))))))))
      (when in-time
        (values (subseq (bounded-text stream) 0 (bounded-count stream)) 0)))))

(defun print-whole (value limit)
  "Print VALUE with PRIN1, with all elements of its lists and vectors. Return the text and the number of omitted characters."
  (with-value-printing
    (let ((*print-length* nil) (*print-level* nil))
      (print-guarded limit (lambda (stream) (prin1-naming-culprit value stream))))))

(defun print-integer (integer limit)
  "Print INTEGER as PRINT-VALUE does. If that would take seconds, return only the first digits and the number of remaining digits."
  (cond ((not (long-number-p integer))
         (print-guarded limit (lambda (stream) (prin1-naming-culprit integer stream))))
        ((or *print-radix* (<= (integer-length integer) +longest-integer+))
         (print-guarded limit (lambda (stream) (with-users-printing (prin1 integer stream)))))
        (t (multiple-value-bind (digits count)
               (with-deadline (+print-seconds+) (leading-digits integer (min limit +shown-digits+) *print-base*))
             (if (eq digits :late)
                 (values "#<printing took too long>" 0)
                 (values digits (- count (length digits))))))))

(defun prin1-naming-culprit (value stream)
  "Print VALUE with PRIN1. If the print method of an object in VALUE fails, print the object as #<error TYPE printing CLASS: MESSAGE>."
  (let ((*guarded-printing* t))
    (prin1 value stream)))

(defun install-printing ()
  "Replace the SBCL function that is called for each printed object by a function of exactly two arguments. An encapsulation, which accepts
any arguments, would take more time than printing an integer. Part of INSTALL-HOOKS."
  (let ((real (fdefinition 'output-ugly-object)))
    (declare (type function real))
    (replace-function 'output-ugly-object
                      (named-lambda output-ugly-object (stream object)
                        (if (and *guarded-printing* (not (consp object)))
                            (print-or-label real stream object)
                            (funcall real stream object)))))
  (install-advice 'sb-ext:print-symbol-with-prefix 'lisp-workbench #'print-symbol-plainly))

(defun print-or-label (print stream object)
  "Call PRINT, SBCL's function that prints objects by their kind and calls PRINT-OBJECT. If OBJECT is a very long number or printing fails,
print a label instead."
  (declare (type function print))
  (if (long-number-p object)
      (write-string (long-number-label object) stream)
      (let ((failure (block attempt
                       (handler-bind ((error (lambda (condition)
                                               (return-from attempt (failure-label object condition)))))
                         (funcall print stream object)
                         nil))))
        (when failure (write-string failure stream)))))

(defun failure-label (object condition)
  "Return the text printed instead of OBJECT, whose printing signaled CONDITION. Printing a symbol or a string fails only because of a
method on T."
  (typecase object
    (symbol (symbol-name object))
    (integer (decimal-text object))
    (string object)
    (t (concatenate 'string "#<error " (symbol-name (type-of-condition condition))
                    " printing " (class-label object) (failure-message condition) ">"))))

(defconstant +failure-message+ 120 "The maximum length, in characters, of the message that appears in place of an object that fails to
print.")

(defvar *telling-failure* nil "True while the message of a printing error is created, because the message may print the same object again.")

(defun failure-message (condition)
  "Return a colon and the first line of CONDITION's report. Return an empty string if the report fails too or is part of another failure's
message."
  (if *telling-failure*
      ""
      (let* ((*telling-failure* t)
             (text (string-trim '(#\Space #\Newline) (print-report condition +failure-message+)))
             (line (subseq text 0 (or (position #\Newline text) (length text)))))
        (if (or (string= line "") (search "while printing>" line))
            ""
            (concatenate 'string ": " line)))))

(defun print-failure (object)
  "Return the condition that printing OBJECT signals, or NIL if printing succeeds."
  (block attempt
    (handler-bind ((error (lambda (condition) (return-from attempt condition))))
      (with-plain-printing
        (with-users-printing
          (prin1 object (make-instance 'bounded-stream :limit 0))))
      nil)))

(defun decimal-text (integer)
  "Return the decimal digits of INTEGER without using the printer."
  (let ((digits '()) (rest (abs integer)))
    (loop do (multiple-value-bind (quotient digit) (truncate rest 10)
               (push (code-char (+ 48 digit)) digits)
               (setf rest quotient))
          until (zerop rest))
    (coerce (if (minusp integer) (cons #\- digits) digits) 'string)))

(defun print-symbol-plainly (original stream symbol &rest arguments)
  "Advice on the SBCL function that prints names in reports. That function always prints the package, but the engine's texts omit the
current package."
  (if *guarded-printing*
      (prin1 symbol stream)
      (apply original stream symbol arguments)))

(defun class-label (object)
  (let ((name (class-name (class-of object))))
    (if (symbolp name) (symbol-name name) "an object")))

(defconstant +line-end-mark+ (code-char #x21B5) "The arrow that represents a line end in a one-line text.")

(defun print-short (object limit &key whole (circle t) lines)
  "Return the printed text of OBJECT on one line of at most LIMIT characters. If WHOLE is true, no other limit applies. If LINES is true,
line ends are preserved, as needed for a name that is read back. If CIRCLE is false, OBJECT must not be circular."
  (with-plain-printing
    (when whole (setf *print-length* nil *print-level* nil))
    (setf *print-circle* circle)
    (multiple-value-bind (text cut)
        (print-guarded limit (lambda (stream) (prin1-naming-culprit object stream)))
      ;; With a blank instead of the arrow, the text would denote a different string or symbol.
      (let ((line (if lines text (substitute +line-end-mark+ #\Newline text))))
        (if (plusp cut) (concatenate 'string line "…") line)))))

(defvar *reports* '()
  "Alist of condition types and functions. A function returns a readable report of a condition of its type, or NIL. The engine uses these
functions for conditions whose own reports mention internals.")

(defun own-report (condition)
  "Return the engine's own report of CONDITION. Return NIL if its type has none, which is the usual case."
  (let ((report (cdr (assoc-if (lambda (type) (typep condition type)) *reports*))))
    (and report (ignore-errors (funcall report condition)))))

(defun print-report (condition limit)
  "Return a report of CONDITION of at most LIMIT characters: the engine's report if there is one, otherwise the condition's own."
  (let ((*print-length* 100) (*print-level* 10) (*print-circle* nil) (*print-pretty* t)
        (*print-escape* nil) (*print-readably* nil) (*print-lines* nil))
    (multiple-value-bind (text cut)
        (print-guarded limit (lambda (stream)
                               (let ((*guarded-printing* t))
                                 (format stream "~A" (or (own-report condition) condition)))))
      (if (plusp cut) (concatenate 'string text "…") text))))

(defun value-object (value limit &optional handle)
  "Return VALUE in its wire form."
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
