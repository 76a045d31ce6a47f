;;;; What the compiler says, as records with places. Handlers only look on: what is signalled goes on to whoever wants it,
;;;; and the compiler counts its warnings as ever.

(in-package #:lisp-workbench/compilation)

(defconstant +most-diagnostics+ 500)
(defconstant +message-characters+ 2000)

(defun call-with-diagnostics (compilation function)
  "Call FUNCTION; what the compiler signals meanwhile is gathered in COMPILATION."
  (let ((*compilation* compilation)
        (sb-ext:*undefined-warning-limit* 50))
    (handler-bind ((sb-ext:compiler-note #'note-condition)
                   (compiler-error #'note-condition)
                   (fatal-compiler-error #'note-condition)
                   (input-error-in-compile-file #'note-condition)
                   (warning #'note-condition))
      (funcall function))))

(defun diagnostics-array (compilation)
  "All diagnostics, in the order in which they came."
  (array-of (reverse (compilation-diagnostics compilation))))

(defun note-condition (condition)
  "Handler: record CONDITION and decline. Whatever is strange about it, the compilation goes on."
  (unless (or (compilation-summarizing *compilation*)
              (typep condition sb-ext:*muffled-warnings*)) ; such as the redefinition of what stood in the same file
    (handler-case
        (let ((inner (innermost condition)))
          (if (typep inner 'input-error-in-compile-file)
              (note-read-error inner)
              (note-at-context condition inner (find-error-context nil))))
      (error ()
        (unless (typep condition '(or style-warning sb-ext:compiler-note))
          (setf (compilation-failed *compilation*) t))))))

(defun innermost (condition)
  "What a COMPILER-ERROR is about: it wraps the condition that the person knows."
  (if (typep condition '(or compiler-error fatal-compiler-error))
      (or (encapsulated-condition condition) condition)
      condition))

(defun note-read-error (condition)
  "The reader stopped: the place reaches from the form's start to where it stood."
  (let* ((stream (ignore-errors (stream-error-stream condition)))
         (reading (and stream (reading-of-stream stream)))
         (start (or (and stream (ignore-errors (form-tracking-stream-form-start-char-pos stream)))
                    (input-error-in-compile-file-position condition)))
         (cause (encapsulated-condition condition)))
    (unless (and stream (unwanted-p *compilation* (ignore-errors (truename stream))))
      (add-diagnostic "read-error" (type-name cause) (message (or cause condition) +message-characters+)
                      reading start
                      (and reading
                           (if (typep cause 'end-of-file)
                               (length (reading-text* reading))
                               (characters-read stream (reading-text* reading))))
                      nil))))

(defun characters-read (stream text)
  "How many characters of STREAM, which reads TEXT, were read, by the line and the column that SBCL tells."
  (ignore-errors
   (let* ((position (stream-error-position-info stream))
          (line-start (loop repeat (1- (second (assoc :line position)))
                            for newline = (position #\Newline text) then (position #\Newline text :start (1+ newline))
                            finally (return (if newline (1+ newline) 0)))))
     (+ line-start (second (assoc :column position))))))

(defun note-at-context (condition inner context)
  "CONTEXT is the compiler's record of what it compiles, or NIL, as for what is signalled while code is loaded."
  (let ((severity (severity condition))
        (type (if (typep inner 'condition) (type-name inner) "ERROR"))
        (message (print-report condition +message-characters+))
        (form (and context (compiler-error-context-original-form context))))
    (cond
      ((string= severity "redefinition") (note-redefinition type message condition))
      ;; What is signalled while code is loaded, and ASDF's own remarks, are no words of the compiler.
      ((and (null context) (null *source-info*)) nil)
      ((and context (unwanted-p *compilation* (compiler-error-context-file-name context))) nil)
      (t
       (multiple-value-bind (reading place) (form-place form)
         (let ((place (if (and place (string/= severity "note"))
                          (narrow reading place (mentioned-names condition form))
                          place)))
           (add-diagnostic severity type message reading (car place) (cdr place)
                           (and context (definition-label (compiler-error-context-context context))))))))))

(defun severity (condition)
  (typecase condition
    (sb-ext:compiler-note "note")
    (redefinition-warning "redefinition")
    (style-warning "style-warning")
    (warning "warning")
    (t "error")))

(defun form-place (form)
  "Where FORM stands; NIL when that is not known."
  (and form (or (consp form) (symbolp form)) (place-of form)))

(defun mentioned-names (condition form)
  "Symbols that the message is made of. A standard one counts only as the operator of FORM."
  (let ((arguments (and (typep condition 'simple-condition) (simple-condition-format-arguments condition))))
    (and (consp arguments)
         (loop for (name) on arguments
               when (and (symbolp name) name (not (keywordp name))
                         (or (not (eq (symbol-package name) (find-package '#:common-lisp)))
                             (and (consp form) (eq name (first form)))))
                 collect name))))

(defun definition-label (context)
  "The name in CONTEXT, the compiler's list such as ((DEFMETHOD AREA (CIRCLE))): AREA (CIRCLE)."
  (let ((outermost (and (listp context) (first (last context)))))
    (when (and (consp outermost) (symbolp (first outermost)) (consp (rest outermost))
               (eql 0 (search "DEF" (symbol-name (first outermost)))))
      (format nil "~{~A~^ ~}" (mapcar #'bare-name (rest outermost))))))

(defun bare-name (name)
  "NAME as in its own package: what is told at the end of a unit is printed in no package that matters."
  (let* ((symbol (leading-symbol name))
         (*package* (or (and symbol (symbol-package symbol)) *package*)))
    (print-short name 200)))

(defun leading-symbol (name)
  (cond ((and name (symbolp name) (not (keywordp name))) name)
        ((atom name) nil)
        ((and (eq (first name) 'setf) (consp (rest name))) (leading-symbol (second name)))
        (t (leading-symbol (first name)))))

(defun note-redefinition (type message condition)
  "At the definition that is loaded now; one that stands in no file that was read is no news, nor is a text's own."
  (let ((name (ignore-errors (redefinition-warning-name condition))))
    (loop for reading in (compilation-readings *compilation*)
          for entry = (find name (toplevel-forms reading) :key (lambda (entry) (second-of (first entry))) :test #'equal)
          when entry
            do (unless (and (of-text-p reading) (stood-there-p condition name))
                 (add-diagnostic "redefinition" type message reading (second entry) (cddr entry) (print-short name 120)))
               (return))))

(defun stood-there-p (condition name)
  "Whether what is redefined came from the same file as the text that is compiled, or like it from none."
  (let* ((object (if (typep condition 'redefinition-with-defmethod)
                     (redefinition-with-defmethod-old-method condition)
                     (or (and (symbolp name) (macro-function name)) (ignore-errors (fdefinition name)))))
         (source (and object (ignore-errors (find-definition-source object))))
         (plist (and source (definition-source-plist source)))
         (source-of-text (compilation-source *compilation*))
         (file (and source-of-text (field source-of-text "file"))))
    (and (getf plist :evaluation)
         (equal (getf plist :file) file))))

(defun second-of (form)
  (and (consp form) (consp (rest form)) (second form)))

(defun add-diagnostic (severity type message reading start end context)
  "The same thing at the same place is said once."
  (let ((key (list severity message reading start))
        (seen (compilation-seen *compilation*)))
    (unless (gethash key seen)
      (setf (gethash key seen) t)
      (unless (member severity '("note" "redefinition") :test #'string=)
        (setf (compilation-warned *compilation*) t))
      (when (member severity '("error" "read-error" "warning") :test #'string=)
        (setf (compilation-failed *compilation*) t))
      (when (<= (incf (compilation-total *compilation*)) +most-diagnostics+)
        (push (apply #'object "severity" severity "type" type "message" message "context" context
                     (place-fields reading start end))
              (compilation-diagnostics *compilation*))))))
