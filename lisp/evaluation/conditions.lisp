;;;; Conditions as the wire has them: type, message, frames. Also the warnings of an evaluation.

(in-package #:lisp-workbench/evaluation)

(defconstant +most-frames+ 20)
(defconstant +message-limit+ 4000 "Characters.")

;;; Types

(defvar *condition-families* '() "Public classes whose name stands for their variants too.")

(defun type-name (condition)
  "The class name as PRIN1 prints it from CL-USER, except that variants inside SBCL go by the public name: SIMPLE-WARNING is
WARNING, SB-INT:SIMPLE-FILE-ERROR is FILE-ERROR, ASDF/FIND-COMPONENT:MISSING-COMPONENT is ASDF:MISSING-COMPONENT."
  (let* ((name (class-name (class-of condition)))
         (package (symbol-package name)))
    (cond ((loop for family in *condition-families*
                 when (typep condition family) return (qualified-name family (package-name (symbol-package family)))))
          ((eq name 'simple-warning) "WARNING")
          ((typep condition 'reader-error) "READER-ERROR")
          ((or (null package) (prefixed-p "LISP-WORKBENCH/" (package-name package))) (symbol-name name))
          ((sbcl-package-p package) (public-name name package))
          (t (qualified-name name (or (public-family name package) (package-name package)))))))

(defun sbcl-package-p (package)
  (prefixed-p "SB-" (package-name package)))

(defun prefixed-p (prefix string)
  (and (> (length string) (length prefix))
       (string= prefix string :end2 (length prefix))))

(defun public-name (name package)
  "NAME, which SBCL owns: without SIMPLE- where that gives a standard name, bare where it is not exported."
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
  "ASDF or UIOP for a symbol of their many inner packages, when they export it."
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
  "What CONDITION reports, at most LIMIT characters, without the streams of ours that SBCL names in it."
  (clean-message (print-report condition limit)))

(defparameter *our-streams*
  '("#<SB-IMPL::STRING-INPUT-STREAM" "#<dynamic-extent STRING-INPUT-STREAM" "#<SB-INT:FORM-TRACKING-STREAM"
    "#<FORM-TRACKING-STREAM")
  "How those begin that code is read from.")

(defun clean-message (text)
  "TEXT without the stream that code was read from, which says nothing to anybody."
  (let* ((stream (loop for name in *our-streams* thereis (search name text)))
         (before (and stream (string-right-trim '(#\Space #\Newline) (subseq text 0 stream))))
         (close (and stream (end-of-unreadable text stream))))
    (cond ((null close) text)
          ((ends-with "Stream:" before)
           (string-right-trim '(#\Space #\Newline) (subseq before 0 (- (length before) 7))))
          ((ends-with " on" before)
           (clean-message (concatenate 'string (subseq before 0 (- (length before) 3)) (subseq text (1+ close)))))
          (t text))))

(defun end-of-unreadable (text start)
  "Where the #< at START ends: at a > that is in no string."
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

(defparameter *boundaries* '(evaluate-form read-form perform-run call-measured call-for-thread call-in-debugger)
  "Functions of the engine that call the user's code.")

(defun raw-frames ()
  "Names and arguments of the frames that matter to somebody who wrote the code, innermost first. Prints nothing and needs
little stack. For call in a debugger hook; ends at the frame with which the engine called the code."
  (let ((frames '()) (count 0))
    (map-code-frames (lambda (frame name arguments)
                       (declare (ignore frame))
                       (when (and (< count +most-frames+) (relevant-name-p name))
                         (push (cons name arguments) frames)
                         (incf count)))
                     (lambda () (setf frames '() count 0))
                     400)
    (nreverse frames)))

(defun map-code-frames (function restart most)
  "Call FUNCTION with each frame, its name and arguments, innermost first, at most MOST of them, down to the one with which the
engine called the code. RESTART is called when all frames so far turn out to be those of the signalling. True when the
stack went on beyond MOST."
  (let ((seen 0))
    (block walk
      (handler-bind ((error (lambda (condition) (declare (ignore condition)) (return-from walk nil))))
        (map-backtrace
         (lambda (frame)
           (when (> (incf seen) most) (return-from walk t))
           (multiple-value-bind (name arguments) (frame-call frame :replace-dynamic-extent-objects t)
             (cond ((member name *boundaries*) (return-from walk nil))
                   ((eq name 'invoke-debugger) (funcall restart))
                   (t (funcall function frame name arguments)))))
         :from :interrupted-frame
         :count (1+ most)))
      nil)))

(defun frame-texts (frames condition form)
  "FRAMES as texts. FORM, when given, is the form that the engine had evaluated; it stands for what was wrapped around it."
  (let ((shallow (typep condition 'storage-condition)))
    (loop for ((name . arguments) . more) on frames
          collect (cond ((and (null more) (eq name 'eval) form) (call-text 'eval form shallow))
                        ((and (stringp name) (typep condition 'undefined-function))
                         (call-text (cell-error-name condition) arguments shallow))
                        (t (call-text name arguments shallow))))))

(defun relevant-name-p (name)
  "Whether a frame of that name is the user's business: not SBCL's inside, not ours, not the signalling itself."
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
                 ((or (symbolp owner) (consp owner)) (and (not (eq owner 'eval)) (relevant-name-p owner)))
                 (t t))))
        ((eq (first name) :method)
         (relevant-name-p (second name)))
        ((eq (first name) 'setf) (relevant-name-p (second name)))
        ((symbolp (first name)) (relevant-name-p (first name)))
        (t nil)))

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

(defun call-text (name arguments shallow)
  "(FUNCTION-NAME ARG1 …) on one line. SHALLOW, for a stack without room, shows only what prints without recursion."
  (with-output-to-string (stream)
    (write-char #\( stream)
    (write-string (print-short name 120) stream)
    (loop for rest = arguments then (rest rest)
          for number from 0
          while (consp rest)
          do (write-char #\Space stream)
             (cond ((= number 20) (write-string "…" stream) (return))
                   ((and shallow (not (typep (first rest) '(or symbol number character))))
                    (write-string "…" stream))
                   (t (write-string (print-short (first rest) 200) stream))))
    (write-char #\) stream)))

;;; The record

(defun condition-object (condition frames phase offset)
  "PHASE is \"reader\", \"evaluation\" or \"limit\"; FRAMES a list of texts."
  (report-object (type-name condition) (message condition) frames phase offset))

(defun report-object (type message frames phase offset)
  (object "type" type
          "message" message
          "frames" (array-of (loop for call in frames
                                   for index from 0
                                   collect (object "index" index "call" call)))
          "phase" phase
          "offset" offset))

;;; Warnings

(defstruct warning-note type message undefined)

(defun note-warning (condition)
  "A WARNING-NOTE for CONDITION, or NIL for redefinitions, which are the way of working in a live image.
UNDEFINED is the name of a function that was not there when the code was compiled."
  (unless (typep condition 'redefinition-warning)
    (make-warning-note :type (type-name condition) :message (message condition) :undefined (undefined-function-name condition))))

(defun undefined-function-name (condition)
  (when (typep condition '(and style-warning simple-condition))
    (let ((arguments (simple-condition-format-arguments condition)))
      (when (and (listp arguments) (eq (first arguments) :function))
        (second arguments)))))

(defun warnings-array (notes)
  "The warnings of a call, oldest first, without those about functions that are there by now."
  (array-of (loop for note in (reverse notes)
                  unless (and (warning-note-undefined note)
                              (ignore-errors (fboundp (warning-note-undefined note))))
                    collect (object "type" (warning-note-type note) "message" (warning-note-message note)))))
