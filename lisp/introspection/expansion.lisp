;;;; The operation `macroexpand`: expands a form, or its part at a path, and returns the form with the expansion in place.

(in-package #:lisp-workbench/introspection)

(defconstant +expansion-limit+ 200000 "The maximum length of an expansion's text, in characters.")

;; Reads the text as the context's code is read. Names are interned, as in an evaluation.
(define-operation "macroexpand" (:looking-up request)
  (multiple-value-bind (package readtable) (expansion-environment request)
    (let* ((*package* package)
           (*readtable* readtable)
           (*standard-output* (make-broadcast-stream)) ; the macro's output is dropped
           (*error-output* *standard-output*)
           (form (the-one-form (field request "form")))
           (path (coerce (or (field request "path") #()) 'list))
           (part (part-at form path)))
      (multiple-value-bind (expansion changed)
          ;; Expanded in the same way as guarded code, so that the guard adds nothing to the expansion.
          (let ((*lends* nil)
                (*readtable* (copy-readtable readtable))) ; a copy, because a macro may change the readtable while it expands
            (expanded part (field request "mode")))
        (multiple-value-bind (text start end cut) (printed-with-part (with-part form path (make-marked :form expansion)))
          (object "text" text
                  "start" start
                  "end" end
                  "changed" (json-boolean changed)
                  "path" (array-of path)
                  "cut" cut))))))

(defun the-one-form (text)
  (when (rest (read-nodes text :features t :readtable *readtable* :count 2))
    (error "There is more than one form. Give one."))
  (let ((*read-eval* nil)) ; because a look-up must not run code in the text
    (values (read-from-string text))))

(defun expansion-environment (request)
  (multiple-value-bind (package readtable) (context-environment request)
    (values (if (field request "package") (request-package request) package) readtable)))

(defun expanded (form mode)
  "Return FORM's expansion, and true if the expansion differs from FORM."
  (cond ((string= mode "once") (macroexpand-1 form))
        ((string= mode "fully")
         (let ((expansion (macroexpand-all form)))
           (values expansion (not (equal expansion form)))))
        ((string= mode "compiler-macro") (compiler-expanded form))
        (t (error "~S is not a kind of expansion." mode))))

(defun compiler-expanded (form)
  (let ((function (and (consp form) (symbolp (first form)) (compiler-macro-function (first form)))))
    (if function
        (let ((expansion (funcall *macroexpand-hook* function form nil)))
          (values expansion (not (eq expansion form))))
        (values form nil))))

;;; Parts

(defun part-at (form path)
  (dolist (index path form)
    (let ((rest (and (consp form) (ignore-errors (nthcdr index form)))))
      (unless (consp rest) (error "The form has no part at the path~{ ~D~}." path))
      (setf form (first rest)))))

(defun with-part (form path part)
  "Return a copy of FORM with PART at PATH."
  (if (null path)
      part
      (let ((copy (copy-list form)))
        (setf (nth (first path) copy) (with-part (nth (first path) form) (rest path) part))
        copy)))

;;; Prints an expansion and determines the position of the part in the text

(defstruct marked form)

(defparameter *part-start* (code-char #xE000) "A private-use character that is printed before the part; *PART-END* is printed after it. Both
are removed from the text again.")
(defparameter *part-end* (code-char #xE001))

(defmethod print-object ((marked marked) stream)
  (write-char *part-start* stream)
  (write (marked-form marked) :stream stream)
  (write-char *part-end* stream))

(defun printed-with-part (form)
  "Return four values: the text of FORM, the start and the end of the marked part in the text, and the number of omitted characters."
  (multiple-value-bind (text cut)
      (print-guarded +expansion-limit+
                     (lambda (stream)
                       (let ((*guarded-printing* t)
                             (*print-pretty* t) (*print-case* :downcase) (*print-right-margin* 90) (*print-length* nil)
                             (*print-level* nil) (*print-lines* nil) (*print-circle* nil) (*print-escape* t)
                             (*print-readably* nil) (*print-gensym* t) (*print-array* t) (*print-miser-width* nil)
                             (*print-base* 10) (*print-radix* nil))
                         (write form :stream stream))))
    (let* ((start (or (position *part-start* text) 0))
           (end (or (position *part-end* text :from-end t) (length text)))
           (before (remove-marks (subseq text 0 start)))
           (part (dedented (remove-marks (subseq text start end))))
           (after (remove-marks (subseq text end))))
      (values (concatenate 'string before part after)
              (utf-16-length before)
              (+ (utf-16-length before) (utf-16-length part))
              cut))))

(defun remove-marks (text)
  (remove *part-start* (remove *part-end* text)))

(defun utf-16-length (text)
  (utf-16-offset (coerce text 'simple-string) (length text)))

(defun dedented (text)
  "Return TEXT without the extra column by which the start mark indented all lines after the first. Return TEXT unchanged if it may contain
a string."
  (if (find #\" text)
      text
      (with-output-to-string (stream)
        (loop with start = 0
              for newline = (position #\Newline text :start start)
              do (write-string text stream :start start :end (if newline (1+ newline) nil))
              while newline
              do (setf start (if (and (< (1+ newline) (length text)) (char= #\Space (char text (1+ newline))))
                                 (+ newline 2)
                                 (1+ newline)))))))
