;;;; Conditions in wire form: type, message and frames. Also the warnings of an evaluation.

(in-package #:lisp-workbench/evaluation)

(defconstant +most-frames+ 20)
(defconstant +message-limit+ 4000 "The maximum length of a message, in characters.")

;;; Types

(defvar *condition-families* '() "Public condition classes whose names are also used for their subclasses.")

(defun type-name (condition)
  "Return the name of CONDITION's class as PRIN1 prints it from CL-USER. An internal variant gets its public name: SIMPLE-WARNING appears as
WARNING, SB-INT:SIMPLE-FILE-ERROR as FILE-ERROR, and ASDF/FIND-COMPONENT:MISSING-COMPONENT as ASDF:MISSING-COMPONENT."
  (let* ((name (class-name (class-of condition)))
         (package (symbol-package name)))
    (cond ((loop for family in *condition-families*
                 when (typep condition family) return (qualified-name family (package-name (symbol-package family)))))
          ((eq name 'simple-warning) "WARNING")
          ((typep condition 'reader-error) "READER-ERROR")
          ((or (null package) (prefixed-p "LISP-WORKBENCH/" (package-name package))) (symbol-name name))
          ((sbcl-package-p package) (public-name name package))
          (t (qualified-name name (or (public-family name package) (package-name package)))))))

(defun type-name-within (condition package)
  "Return the name of the class of CONDITION as it is written in PACKAGE."
  (let ((name (class-name (class-of condition))))
    (if (eq name (find-symbol (symbol-name name) package)) (symbol-name name) (type-name condition))))

(defun sbcl-package-p (package)
  (prefixed-p "SB-" (package-name package)))

(defun prefixed-p (prefix string)
  (and (> (length string) (length prefix))
       (string= prefix string :end2 (length prefix))))

(defun public-name (name package)
  "Return the public form of NAME, a symbol of SBCL. Omit SIMPLE- if the rest is a standard name, and omit the package if it does not export
NAME."
  (let* ((string (symbol-name name))
         (standard (and (prefixed-p "SIMPLE-" string)
                        (find-symbol (subseq string 7) '#:common-lisp))))
    (cond ((and standard (find-class standard nil)) (symbol-name standard))
          ((externalp name package) (qualified-name name (package-name package)))
          (t string))))

(defun externalp (symbol package)
  (multiple-value-bind (found status) (find-symbol (symbol-name symbol) package)
    (and (eq found symbol) (eq status :external))))

(defun public-family (name package)
  "Return \"ASDF\" or \"UIOP\" if that package exports NAME, a symbol of one of its inner packages; otherwise NIL."
  (when (library-package-p package)
    (find-if (lambda (family) (externalp name family)) '("ASDF" "UIOP"))))

(defun library-package-p (package)
  (let ((name (package-name package)))
    (or (prefixed-p "ASDF/" name) (prefixed-p "UIOP/" name))))

(defun qualified-name (name package-name)
  (if (eq name (find-symbol (symbol-name name) '#:common-lisp-user))
      (symbol-name name)
      (concatenate 'string package-name (if (externalp name package-name) ":" "::") (symbol-name name))))

;;; Messages

(defun message (condition &optional (limit +message-limit+))
  "Return CONDITION's report, at most LIMIT characters long. Remove the engine's streams, which SBCL mentions in some reports."
  (clean-message (print-report condition limit)))

(defparameter *our-streams*
  '("#<SB-IMPL::STRING-INPUT-STREAM" "#<dynamic-extent STRING-INPUT-STREAM" "#<SB-INT:FORM-TRACKING-STREAM"
    "#<FORM-TRACKING-STREAM")
  "Prefixes of the printed forms of streams from which the engine reads code.")

(defun clean-message (text)
  "Return TEXT without the name of the stream from which code was read, because a person cannot do anything with that name."
  (let* ((stream (loop for name in *our-streams* thereis (search name text)))
         (before (and stream (string-right-trim '(#\Space #\Newline) (subseq text 0 stream))))
         (close (and stream (end-of-unreadable text stream))))
    (cond ((null close) text)
          ((ends-with "Stream:" before)
           (with-usual-column (string-right-trim '(#\Space #\Newline) (subseq before 0 (- (length before) 7)))))
          ((ends-with " on" before)
           (clean-message (concatenate 'string (subseq before 0 (- (length before) 3)) (subseq text (1+ close)))))
          (t text))))

(defun reader-place (text)
  "Return three values about the position that SBCL appends to an error message, TEXT: the index in TEXT at which the position begins, its
line, and its column, counted from 0. Return NIL if TEXT has no position."
  (flet ((labelled (label from)
           (let ((at (and from (search label text :start2 from))))
             (if at (parse-integer text :start (+ at (length label)) :junk-allowed t) (values nil nil)))))
    (let ((start (search "Line: " text :from-end t)))
      (multiple-value-bind (line after) (labelled "Line: " start)
        (multiple-value-bind (column end) (labelled ", Column: " (and line (eql after (search ", Column: " text :start2 after)) after))
          (when (and column (or (= end (length text)) (eql end (search ", File-Position: " text :start2 end))))
            (values start line column)))))))

(defun with-usual-column (text)
  "Return TEXT with the column in SBCL's position, if there is one, counted from 1, as in editors and the rest of the program. Drop the file
position."
  (multiple-value-bind (start line column) (reader-place text)
    (if start (format nil "~ALine: ~D, Column: ~D" (subseq text 0 start) line (1+ column)) text)))

(defun without-reader-place (text)
  "Return TEXT without the position that SBCL appended to it."
  (string-right-trim '(#\Space #\Newline) (subseq text 0 (reader-place text))))

(defun end-of-unreadable (text start)
  "Return the index of the > that ends the #< at START, ignoring characters in strings."
  (loop with string = nil
        for at from (+ start 2) below (length text)
        for char = (char text at)
        do (cond ((and string (char= char #\\)) (incf at))
                 ((char= char #\") (setf string (not string)))
                 ((and (not string) (char= char #\>)) (return at)))))

(defun ends-with (suffix string)
  (and (>= (length string) (length suffix))
       (string= suffix string :start2 (- (length string) (length suffix)))))

;;; Frames

(defparameter *boundaries* '(evaluate-form read-form perform-run call-measured call-for-thread call-with-inheritance call-in-debugger)
  "Functions of the engine that call the user's code.")

(defconstant +most-alike+ 8 "The number of consecutive frames of one function above which the frames are folded.")
(defconstant +shown-alike+ 3 "The number of frames of a folded sequence that are still displayed.")

(defun raw-frames ()
  "Return two values: the names and arguments of the frames that matter to the code's author, innermost first, and the frames' code
locations, which remain valid after the frames no longer exist. For a deep recursion, return the first frames, and (%ALIKE . count) for the
rest. Print nothing and use little stack. Call this in a debugger hook; the walk ends at the frame with which the engine called user code."
  (let ((frames '()) (locations '()) (count 0) (function nil) (alike 0))
    (flet ((fold ()
             (when (> alike +most-alike+)
               (let ((left-out (- +most-alike+ +shown-alike+)))
                 (setf frames (cons (cons '%alike (- alike +shown-alike+)) (nthcdr left-out frames))
                       locations (cons nil (nthcdr left-out locations)))
                 (decf count left-out)))))
      (map-code-frames (lambda (frame name arguments)
                         (when (and (< count +most-frames+) (relevant-name-p name))
                           (let ((own (frame-function-name frame)))
                             (cond ((equal own function) (incf alike))
                                   (t (fold) (setf function own alike 1))))
                           (push (cons name arguments) frames)
                           (push (and (not (lacking "the debugger's frames")) (frame-code-location frame)) locations)
                           (incf count)))
                       (lambda () (setf frames '() locations '() count 0 function nil alike 0))
                       400
                       (lambda (frame)
                         (and (>= alike +most-alike+) (equal function (frame-function-name frame)) (incf alike)))
                       (frames-to-walk))
      (fold))
    (values (nreverse frames) (nreverse locations))))

(defconstant +most-walked+ 50000 "The maximum number of stack frames that are visited, including skipped ones; each takes a microsecond.")
(defconstant +walked-when-short+ 1000 "The maximum number of visited frames if little stack is left. The limit leaves room for a garbage
collection during the walk.")

(defun frames-to-walk ()
  (if (or (lacking "debugging after stack exhaustion") (< (stack-left) 200000)) +walked-when-short+ +most-walked+))

(defun frame-function-name (frame)
  "Return the name that SBCL uses for the function of FRAME. Do not access the frame's arguments."
  (ignore-errors (sb-di:debug-fun-name (sb-di:frame-debug-fun frame))))

(defun called-functions (frames)
  "Return the names of the functions of FRAMES, without duplicates. FRAMES has the format of RAW-FRAMES."
  (remove '%alike (remove-duplicates (mapcar #'car frames) :test #'equal)))

(defun located-frames (frames locations)
  "Return (name . location) for each of FRAMES that was not folded. FRAMES and LOCATIONS are the values of RAW-FRAMES."
  (loop for (name) in frames
        for location in locations
        unless (eq name '%alike) collect (cons name location)))

(defun map-code-frames (function restart most &optional (passed-over (constantly nil)) (walked (1+ most)))
  "Call FUNCTION with each frame, its name and its arguments, innermost first, down to the frame with which the engine called user code.
Pass at most MOST frames. Call RESTART if all frames so far were only signaling the condition. Frames for which PASSED-OVER returns true do
not count towards MOST, but do count towards WALKED, the maximum number of visited frames. Return true if the stack has more frames."
  (let ((seen 0))
    (block walk
      (handler-bind ((error (lambda (condition) (declare (ignore condition)) (return-from walk nil))))
        (map-backtrace
         (lambda (frame)
           (unless (funcall passed-over frame)
             (when (> (incf seen) most) (return-from walk t))
             (multiple-value-bind (name arguments) (guarded-frame-call frame)
               (cond ((member name *boundaries*) (return-from walk nil))
                     ((eq name 'invoke-debugger) (funcall restart))
                     (t (funcall function frame name arguments))))))
         :from :interrupted-frame
         :count walked))
      nil)))

(defun guarded-frame-call (frame)
  "Return the name and the arguments of FRAME. SBCL replaces stack-allocated arguments by their printed texts, which calls the user's print
methods. If such a method fails, return no arguments."
  (let ((name nil) (arguments '()))
    (when (call-guarded (lambda ()
                          (setf (values name arguments) (frame-call frame :replace-dynamic-extent-objects t))))
      (setf name (frame-call frame)))
    (values name arguments)))

(defun map-outer-code-frames (function frame most)
  "Call FUNCTION with the frames outside FRAME, as MAP-CODE-FRAMES does. Call this in the stack's own thread, so that the stack does not
change during the walk."
  (handler-case
      (loop for outer = (sb-di:frame-down frame) then (sb-di:frame-down outer)
            for seen from 1
            while outer
            do (when (> seen most) (return t))
               (multiple-value-bind (name arguments) (guarded-frame-call outer)
                 (when (member name *boundaries*) (return nil))
                 (funcall function outer name arguments)))
    (error () nil)))

(defun frame-texts (frames condition form)
  "Convert FRAMES to texts. A run of omitted frames becomes one text with their number. FORM is NIL or a one-element list that holds the
form that the engine evaluated; the form is then shown in place of the engine's wrapper around it."
  (let ((shallow (typep condition 'storage-condition)))
    (loop for ((name . arguments) . more) on frames
          collect (cond ((eq name '%alike) arguments)
                        ((and (null more) (eq name 'eval) form) (call-text 'eval form shallow))
                        ((and (stringp name) (typep condition 'undefined-function))
                         (call-text (cell-error-name condition) arguments shallow))
                        (t (call-text name arguments shallow))))))

(defun relevant-name-p (name)
  "Return true if a frame of the function NAME is worth displaying. The function must not be internal to SBCL or the engine, and must not
take part in signaling the condition."
  (cond ((symbolp name)
         (let ((package (symbol-package name)))
           (and (not (member name '(error cerror signal warn invoke-debugger break sb-ext:package-lock-violation)))
                (or (null package)
                    (not (internal-package-p package))))))
        ((atom name) (equal name "undefined function"))
        ((equal name '(lambda ())) nil)
        ((member (first name) '(lambda flet labels))
         (let ((owner (getf (cddr name) :in)))
           (cond ((and (consp (second name)) (some #'engine-parameter-p (second name))) nil)
                 ((null owner) t)
                 ((within-standard-function-p (second name) owner) nil)
                 ((or (symbolp owner) (consp owner)) (and (not (eq owner 'eval)) (relevant-name-p owner)))
                 (t t))))
        ((eq (first name) :method)
         (relevant-name-p (second name)))
        ((eq (first name) 'setf) (relevant-name-p (second name)))
        ((symbolp (first name)) (relevant-name-p (first name)))
        (t nil)))

(defun relevant-frame-p (frame name)
  "Return true if FRAME, of the function NAME, is worth displaying. A function with neither a name nor parameters is worth displaying only
if a thread or a function of user code calls it. Otherwise EVAL or the engine created it from a form. Call this in the stack's own thread,
so that the stack does not change during the check."
  (or (relevant-name-p name)
      (and (equal name '(lambda ()))
           (let* ((outer (ignore-errors (sb-di:frame-down frame))) (caller (and outer (values (guarded-frame-call outer)))))
             (and caller
                  (or (member caller '(call-for-thread call-with-inheritance)) (relevant-name-p caller))
                  t)))))

(defun within-standard-function-p (local owner)
  "Return true if SBCL created the local function LOCAL within the standard function OWNER. SBCL's macros also create such functions in the
user's functions, but those contain the user's code."
  (and (symbolp owner) (eq (symbol-package owner) (find-package '#:common-lisp))
       local (symbolp local) (not (relevant-name-p local))))

(defun engine-parameter-p (parameter)
  (and (symbolp parameter) (symbol-package parameter)
       (prefixed-p "LISP-WORKBENCH/" (or (package-name (symbol-package parameter)) ""))))

(defun internal-package-p (package)
  (let ((name (package-name package)))
    (and name
         (or (and (sbcl-package-p package)
                  (not (member name '("SB-EXT" "SB-ALIEN" "SB-POSIX" "SB-BSD-SOCKETS" "SB-MOP") :test #'string=)))
             (library-package-p package)
             (prefixed-p "LISP-WORKBENCH/" name)))))

(defun call-text (name arguments shallow &optional (noted (constantly nil)))
  "Return (FUNCTION-NAME ARG1 …) on one line. With SHALLOW, used when the stack is nearly exhausted, display only arguments that print
without recursion. Call NOTED with each displayed argument, and the start and the end of its text in UTF-16 code units."
  (let ((offset 0))
    (with-output-to-string (stream)
      (flet ((put (text)
               (write-string text stream)
               (incf offset (utf-16-offset (coerce text 'simple-string) (length text)))))
        (put "(")
        (put (print-short name 120))
        (loop for rest = arguments then (rest rest)
              for number from 0
              while (consp rest)
              do (put " ")
                 (cond ((= number 20) (put "…") (return))
                       ((and shallow (not (typep (first rest) '(or symbol number character)))) (put "…"))
                       (t (let ((start offset))
                            (put (print-short (first rest) 200))
                            (funcall noted (first rest) start offset)))))
        (put ")")))))

;;; The record

(defun condition-object (condition frames phase offset)
  "Return the wire form of CONDITION. PHASE is \"reader\", \"evaluation\" or \"limit\"; FRAMES is a list as FRAME-TEXTS returns it."
  (report-object (type-name condition) (message condition) frames phase offset))

(defun report-object (type message frames phase offset)
  (object "type" type
          "message" message
          "frames" (array-of (loop with index = 0
                                   for (call alike) on frames
                                   when (stringp call)
                                     collect (append (object "index" index "call" call) (and (integerp alike) (list "alike" alike)))
                                   do (incf index (if (stringp call) 1 call))))
          "phase" phase
          "offset" offset))

;;; Warnings

(defstruct warning-note
  type message
  undefined                             ; name of a function that did not exist when the code was compiled, or NIL
  place)                                ; (start . end) in the code, in wire units; NIL if the place is unknown

(sb-ext:defglobal *warning-placer* nil)
(setf (documentation '*warning-placer* 'variable)
      "Function that finds the code that a warning concerns: called with the code, the start of the top-level form in it, that form and the condition,
it returns start and end in characters, or NIL. The compiler's contexts are known to another part of the engine.")

(defun note-warning (condition)
  "Return a WARNING-NOTE for CONDITION, or NIL for a redefinition, which is normal in a live image."
  (unless (typep condition 'redefinition-warning)
    (make-warning-note :type (type-name condition) :message (message condition) :undefined (undefined-function-name condition))))

(defun undefined-function-name (condition)
  (when (typep condition '(and style-warning simple-condition))
    (let ((arguments (simple-condition-format-arguments condition)))
      (when (and (listp arguments) (eq (first arguments) :function))
        (second arguments)))))

(defun warnings-array (notes)
  "Return the warnings of a call, oldest first, without warnings about functions that have since been defined."
  (array-of (loop for note in (reverse notes)
                  unless (and (warning-note-undefined note)
                              (ignore-errors (fboundp (warning-note-undefined note))))
                    collect (object "type" (warning-note-type note) "message" (warning-note-message note)
                                    "start" (car (warning-note-place note)) "end" (cdr (warning-note-place note))))))
