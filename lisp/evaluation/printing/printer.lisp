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

(defclass ending-stream (bounded-stream)
  ()
  (:documentation "A bounded stream that ends what writes to it, by a throw to itself, once there is more than it keeps."))

(defun end-when-full (stream)
  (when (> (bounded-count stream) (bounded-limit stream)) (throw stream nil)))

(defmethod sb-gray:stream-write-char :after ((stream ending-stream) character)
  (declare (ignore character))
  (end-when-full stream))

(defmethod sb-gray:stream-write-string :after ((stream ending-stream) string &optional start end)
  (declare (ignore string start end))
  (end-when-full stream))

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

(defvar *prints-as-set* nil
  "True while values are printed for the person, whose settings of the printer hold; what the contract of evaluate-lisp fixes holds for
lengths and levels that were not set. :WHOLLY where the settings alone hold, as in SBCL's own REPL.")

(defmacro with-value-printing (&body body)
  "The printer's variables as the evaluate-lisp contract fixes them; base, case and radix stay the context's."
  `(let ((*print-length* (or (and *prints-as-set* *print-length*) 100))
         (*print-level* (or (and *prints-as-set* *print-level*) 10))
         (*print-pretty* (or (not *prints-as-set*) *print-pretty*))
         (*print-array* (or (not *prints-as-set*) *print-array*))
         (*print-lines* (and *prints-as-set* *print-lines*))
         (*print-miser-width* (and *prints-as-set* *print-miser-width*))
         (*print-circle* t) (*print-escape* t) (*print-readably* nil))
     ,@body))

(defmacro with-wholly-set-printing (&body body)
  "The printer's variables as they are set, as PRIN1 has them."
  `(let ((*print-escape* t) (*print-readably* nil)) ,@body))

(defmacro with-plain-printing (&body body)
  "Standard printer variables, one line, short: for labels, arguments, types."
  `(let ((*print-length* 8) (*print-level* 3) (*print-circle* t) (*print-pretty* nil)
         (*print-escape* t) (*print-readably* nil) (*print-lines* nil) (*print-array* t)
         (*print-base* 10) (*print-radix* nil) (*print-case* :upcase) (*print-gensym* t)
         (*read-default-float-format* 'single-float))
     ,@body))

(defun print-value (value limit)
  "Print VALUE with PRIN1 under the contract's limits; return the text and the number of characters cut."
  (multiple-value-bind (text cut) (and (eq *prints-as-set* :wholly) (print-as-set value limit))
    (if text
        (values text cut)
        (with-value-printing
          (if (typep value '(and integer (not fixnum)))
              (print-integer value limit)
              (print-guarded limit (lambda (stream) (prin1-naming-culprit value stream))))))))

(defun print-as-set (value limit)
  "Print VALUE with PRIN1 as the printer is set; return the text and 0. NIL where it takes too long or has more characters than LIMIT, as
circular lists do: it is shown under the contract's limits then."
  (unless (typep value '(and integer (not fixnum)))
    (let* ((stream (make-instance 'ending-stream :limit limit))
           (in-time (catch stream
                      (with-wholly-set-printing
                        (null (call-guarded (lambda () (prin1-naming-culprit value stream))))))))
      (when in-time
        (values (subseq (bounded-text stream) 0 (bounded-count stream)) 0)))))

(defun print-whole (value limit)
  "Print VALUE with PRIN1, lists and vectors to their ends; return the text and the number of characters cut."
  (with-value-printing
    (let ((*print-length* nil) (*print-level* nil))
      (print-guarded limit (lambda (stream) (prin1-naming-culprit value stream))))))

(defun print-integer (integer limit)
  "Print INTEGER as PRINT-VALUE does; of an integer that would take seconds, print the first digits and how many more there are."
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
  "Print OBJECT with PRIN1; an object in it whose method fails is shown as #<error TYPE printing CLASS: MESSAGE>."
  (let ((*guarded-printing* t))
    (prin1 value stream)))

(defun install-printing ()
  "Replace SBCL's function that is called for each printed object by one of two arguments: an encapsulation, which takes any arguments, would
cost more than printing an integer. Part of INSTALL-HOOKS."
  (let ((real (fdefinition 'output-ugly-object)))
    (declare (type function real))
    (replace-function 'output-ugly-object
                      (named-lambda output-ugly-object (stream object)
                        (if (and *guarded-printing* (not (consp object)))
                            (print-or-label real stream object)
                            (funcall real stream object)))))
  (install-advice 'sb-ext:print-symbol-with-prefix 'lisp-workbench #'print-symbol-plainly))

(defun print-or-label (print stream object)
  "Call PRINT, SBCL's function that prints objects by their kind and calls PRINT-OBJECT. A long number is shortened; where printing fails, a
label is printed."
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
  "Return the text printed in place of OBJECT, whose printing signalled CONDITION. A symbol or a string fails only by a method on T."
  (typecase object
    (symbol (symbol-name object))
    (integer (decimal-text object))
    (string object)
    (t (concatenate 'string "#<error " (symbol-name (type-of-condition condition))
                    " printing " (class-label object) (failure-message condition) ">"))))

(defconstant +failure-message+ 120 "The longest message of an error in printing that is shown in place of an object, in characters.")

(defvar *telling-failure* nil "True while the message of an error in printing is made, which may print the same object again.")

(defun failure-message (condition)
  "Return a colon and the first line of CONDITION's report; nothing where the report fails as well, or is part of another failure's."
  (if *telling-failure*
      ""
      (let* ((*telling-failure* t)
             (text (string-trim '(#\Space #\Newline) (print-report condition +failure-message+)))
             (line (subseq text 0 (or (position #\Newline text) (length text)))))
        (if (or (string= line "") (search "while printing>" line))
            ""
            (concatenate 'string ": " line)))))

(defun print-failure (object)
  "Return the condition with which printing OBJECT fails; NIL when it prints."
  (block attempt
    (handler-bind ((error (lambda (condition) (return-from attempt condition))))
      (with-plain-printing
        (with-users-printing
          (prin1 object (make-instance 'bounded-stream :limit 0))))
      nil)))

(defun decimal-text (integer)
  "Return the decimal digits of INTEGER, made without the printer."
  (let ((digits '()) (rest (abs integer)))
    (loop do (multiple-value-bind (quotient digit) (truncate rest 10)
               (push (code-char (+ 48 digit)) digits)
               (setf rest quotient))
          until (zerop rest))
    (coerce (if (minusp integer) (cons #\- digits) digits) 'string)))

(defun print-symbol-plainly (original stream symbol &rest arguments)
  "Advice on SBCL's function by which reports print names, always with a package; the engine's texts leave out the current one."
  (if *guarded-printing*
      (prin1 symbol stream)
      (apply original stream symbol arguments)))

(defun class-label (object)
  (let ((name (class-name (class-of object))))
    (if (symbolp name) (symbol-name name) "an object")))

(defconstant +line-end-mark+ (code-char #x21B5) "The arrow that stands for a line end in a text of one line.")

(defun print-short (object limit &key whole (circle t) lines)
  "OBJECT on one line of at most LIMIT characters; with WHOLE nothing else cuts it, and with LINES it has its line ends, such as a name has
that is read back. Without CIRCLE OBJECT must not be circular."
  (with-plain-printing
    (when whole (setf *print-length* nil *print-level* nil))
    (setf *print-circle* circle)
    (multiple-value-bind (text cut)
        (print-guarded limit (lambda (stream) (prin1-naming-culprit object stream)))
      ;; A blank would make another string or symbol of it.
      (let ((line (if lines text (substitute +line-end-mark+ #\Newline text))))
        (if (plusp cut) (concatenate 'string line "…") line)))))

(defvar *reports* '()
  "Alist of types of conditions and functions that return a report of one in the words of a person, or NIL, where its own shows internals.")

(defun own-report (condition)
  "Return the report of CONDITION that the engine has for its type; NIL for most."
  (let ((report (cdr (assoc-if (lambda (type) (typep condition type)) *reports*))))
    (and report (ignore-errors (funcall report condition)))))

(defun print-report (condition limit)
  "Return the report of CONDITION, most often in its own words, at most LIMIT characters."
  (let ((*print-length* 100) (*print-level* 10) (*print-circle* nil) (*print-pretty* t)
        (*print-escape* nil) (*print-readably* nil) (*print-lines* nil))
    (multiple-value-bind (text cut)
        (print-guarded limit (lambda (stream)
                               (let ((*guarded-printing* t))
                                 (format stream "~A" (or (own-report condition) condition)))))
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
