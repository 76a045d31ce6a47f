;;;; The compiler's diagnostics, as records with places. The handlers only observe: each condition still reaches its own handlers, and the
;;;; compiler counts its warnings as usual.

(in-package #:lisp-workbench/compilation)

(defconstant +most-diagnostics+ 500)
(defconstant +message-characters+ 2000)

(defun call-with-diagnostics (compilation function)
  "Call FUNCTION. Collect in COMPILATION the conditions that the compiler signals during the call."
  (let ((*compilation* compilation)
        (sb-ext:*undefined-warning-limit* 50))
    (handler-bind ((sb-ext:compiler-note #'note-condition)
                   (compiler-error #'note-condition)
                   (fatal-compiler-error #'note-condition)
                   (input-error-in-compile-file #'note-condition)
                   (warning #'note-condition))
      (funcall function))))

(defun diagnostics-array (compilation)
  "Return all diagnostics of COMPILATION in chronological order."
  (array-of (reverse (compilation-diagnostics compilation))))

(defun note-condition (condition)
  "Handler: record CONDITION and decline. The compilation continues even if recording fails."
  (unless (or (compilation-summarizing *compilation*)
              (typep condition sb-ext:*muffled-warnings*)) ; for example, a redefinition is muffled if the previous definition is from the
                                                           ; same file
    (handler-case
        (let ((inner (innermost condition)))
          (if (typep inner 'input-error-in-compile-file)
              (note-read-error inner)
              (note-at-context condition inner (find-error-context nil))))
      (error ()
        (unless (typep condition '(or style-warning sb-ext:compiler-note))
          (setf (compilation-failed *compilation*) t))))))

(defun innermost (condition)
  "If CONDITION is a COMPILER-ERROR, return the condition that it wraps, which the person understands. Otherwise return CONDITION."
  (if (typep condition '(or compiler-error fatal-compiler-error))
      (or (encapsulated-condition condition) condition)
      condition))

(defun note-read-error (condition)
  "Record the reader error CONDITION at the last token that was read. If the text ended within a form, record the error from the start of
that form to the end of the text."
  (let* ((stream (ignore-errors (stream-error-stream condition)))
         (reading (and stream (reading-of-stream stream)))
         (start (or (and stream (ignore-errors (form-tracking-stream-form-start-char-pos stream)))
                    (input-error-in-compile-file-position condition)))
         (cause (encapsulated-condition condition))
         (end (and reading
                   (if (typep cause 'end-of-file)
                       (length (reading-text* reading))
                       (characters-read stream (reading-text* reading))))))
    (multiple-value-bind (undecodable after) (and reading (undecodable-place cause (reading-native reading)))
      (when undecodable
        (setf start undecodable end after)))
    (if (and stream (unwanted-p *compilation* (ignore-errors (truename stream))))
      (note-library-fault (truename stream) "read-error" (type-name cause)
                          (without-reader-place (message (or cause condition) +message-characters+)) start)
      (add-diagnostic "read-error" (type-name cause)
                      (or (and reading start (typep cause 'end-of-file) (unclosed-text reading start))
                          ;; The diagnostic has the place of the token, so the place that the reader reports is removed from the message.
                          (without-reader-place (message (or cause condition) +message-characters+)))
                      reading
                      (if (and start end (not (typep cause '(or end-of-file stream-decoding-error))))
                          (max start (last-token-start (reading-text* reading) end))
                          start)
                      end
                      nil))))

(defun unclosed-text (reading start)
  "Return a sentence that reports that the form at START of READING's text is not closed before the end of the text; NIL if there is no list
at START."
  (let* ((text (reading-text* reading))
         (begin (position-if-not #'blank-p text :start (min start (length text)))))
    (when (and begin (char= #\( (char text begin)))
      (format nil "~A …), which begins at line ~D, is not closed before the end of the text."
              (head-text text begin)
              (field (cons :object (place-fields reading begin nil)) "line")))))

(defun head-text (text begin)
  "Return the first two words of the list that starts at BEGIN in TEXT, such as \"(defun total\"."
  (flet ((word-end (from)
           (let ((first (position-if-not #'blank-p text :start from)))
             (and first
                  (or (position-if (lambda (char) (or (blank-p char) (find char "()\"';"))) text :start (1+ first))
                      (length text))))))
    (let* ((operator (or (word-end (1+ begin)) (length text)))
           (line-end (or (position #\Newline text :start operator) (length text)))
           (name (word-end operator)))
      (subseq text begin (min (+ begin 60) (if (and name (<= name line-end)) name operator))))))

(defun last-token-start (text end)
  "Return the start of the token or delimiter that ends at END in TEXT."
  (flet ((delimiter-p (char) (or (blank-p char) (find char "()\"';`,"))))
    (let ((end (min end (length text))))
      (cond ((zerop end) 0)
            ((delimiter-p (char text (1- end))) (1- end))
            (t (1+ (or (position-if #'delimiter-p text :end end :from-end t) -1)))))))

(defun characters-read (stream text)
  "Return the number of characters of TEXT that STREAM has read, computed from the line and column that SBCL reports; NIL if SBCL reports no
position."
  (ignore-errors
   (let* ((position (stream-error-position-info stream))
          (line-start (loop repeat (1- (second (assoc :line position)))
                            for newline = (position #\Newline text) then (position #\Newline text :start (1+ newline))
                            finally (return (if newline (1+ newline) 0)))))
     (+ line-start (second (assoc :column position))))))

(defun note-at-context (condition inner context)
  "Record CONDITION at the compiler's place. CONTEXT is the compiler's error context, or NIL, for example while code is loaded."
  (let ((severity (severity condition))
        (type (if (typep inner 'condition) (type-name inner) "ERROR"))
        (message (print-report condition +message-characters+))
        (form (and context (compiler-error-context-original-form context))))
    (cond
      ((string= severity "redefinition") (note-redefinition type message condition))
      ;; Conditions signalled while code is loaded, and ASDF's own remarks, do not come from the compiler.
      ((and (null context) (not (compiling-file))) nil)
      ((unwanted-p *compilation* (if context (compiler-error-context-file-name context) (compiling-file)))
       (note-library-fault (if context (compiler-error-context-file-name context) (compiling-file))
                           severity type message (and context (compiler-error-context-file-position context))))
      ((note-undecodable severity type message inner) t)
      ;; The condition comes from code that runs at compile time, such as in EVAL-WHEN.
      ((null context) (add-at-last-form severity type message (reading-of-file (compiling-file))))
      (t
       (multiple-value-bind (reading place) (form-place form)
         (let ((place (if (and place (string/= severity "note"))
                          (narrow reading place (mentioned-names condition form))
                          place)))
           (add-diagnostic severity type message reading (car place) (cdr place)
                           (and context (definition-label (compiler-error-context-context context))))))))))

(defun note-undecodable (severity type message condition)
  "Record CONDITION at the octets that the reader could not decode. Return NIL if CONDITION is not a decoding error."
  (let ((reading (reading-of-file (compiling-file))))
    (multiple-value-bind (start end) (and reading (undecodable-place condition (reading-native reading)))
      (when start
        (add-diagnostic severity type message reading start end nil)
        t))))

(defun compiling-file ()
  "Return the file that is being compiled; NIL if there is none, for example while a file is loaded as source."
  (let* ((info (and *source-info* (source-info-file-info *source-info*)))
         (file (and info (file-info-truename info))))
    (and (pathnamep file)
         (not (equal file *load-truename*))
         file)))

(defun add-at-last-form (severity type message reading)
  "Add a diagnostic at the form of READING that was read last."
  (let ((entry (and reading (first (reading-forms reading)))))
    (add-diagnostic severity type message reading
                    (second entry) (cddr entry)
                    (and entry (definition-label (list (definition-head (first entry))))))))

(defun severity (condition)
  (typecase condition
    (sb-ext:compiler-note "note")
    (redefinition-warning "redefinition")
    (style-warning "style-warning")
    (warning "warning")
    (t "error")))

(defun form-place (form)
  "Return two values: the reading of FORM, and its place; NIL if the place is unknown."
  (and form (or (consp form) (symbolp form)) (place-of form)))

(defun mentioned-names (condition form)
  "Return the symbols among the arguments of CONDITION's message. A standard symbol counts only if it is the operator of FORM."
  (let ((arguments (and (typep condition 'simple-condition) (simple-condition-format-arguments condition))))
    (and (consp arguments)
         (loop for (name) on arguments
               when (and (symbolp name) name (not (keywordp name))
                         (or (not (eq (symbol-package name) (find-package '#:common-lisp)))
                             (and (consp form) (eq name (first form)))))
                 collect name))))

(defun definition-label (context)
  "Return the name of the definition in CONTEXT, a list that the compiler made. For example, return AREA (CIRCLE) for ((DEFMETHOD AREA
(CIRCLE)))."
  (let ((outermost (and (listp context) (first (last context)))))
    (when (and (consp outermost) (symbolp (first outermost)) (consp (rest outermost))
               (eql 0 (search "DEF" (symbol-name (first outermost)))))
      (format nil "~{~A~^ ~}" (mapcar #'bare-name (rest outermost))))))

(defun bare-name (name)
  "Return NAME, printed without the prefix of its package, because the current package has no meaning at the end of a unit."
  (let* ((symbol (leading-symbol name))
         (*package* (or (and symbol (symbol-package symbol)) *package*)))
    (print-short name 200)))

(defun leading-symbol (name)
  (cond ((and name (symbolp name) (not (keywordp name))) name)
        ((atom name) nil)
        ((and (eq (first name) 'setf) (consp (rest name))) (leading-symbol (second name)))
        (t (leading-symbol (first name)))))

(defun note-redefinition (type message condition)
  "Record a redefinition at the definition that is being loaded. Ignore definitions in files that were not read, and redefinitions of the
text's own definitions."
  (let ((name (ignore-errors (redefinition-warning-name condition))))
    (loop for reading in (compilation-readings *compilation*)
          for entry = (find name (toplevel-forms reading) :key (lambda (entry) (second-of (first entry))) :test #'equal)
          when entry
            do (unless (and (of-text-p reading) (stood-there-p condition name))
                 (add-diagnostic "redefinition" type message reading (second entry) (cddr entry) (print-short name 120)))
               (return))))

(defun redefined-source (condition name)
  "Return the definition source of the object that is about to be redefined; NIL if unknown."
  (let ((object (if (typep condition 'redefinition-with-defmethod)
                    (redefinition-with-defmethod-old-method condition)
                    (or (and (symbolp name) (macro-function name)) (ignore-errors (fdefinition name))))))
    (and object (ignore-errors (find-definition-source object)))))

(defun replaced-file (condition)
  "If a form outside any file is about to replace a definition, return the native name of that definition's file; NIL if the definition is
not in a file."
  (let* ((source (redefined-source condition (redefinition-warning-name condition)))
         (plist (and source (definition-source-plist source)))
         (pathname (and source (definition-source-pathname source)))
         (form (given-plist)))
    (unless (getf form :file)
      (if (getf plist :evaluation) (getf plist :file) (and pathname (existing-file pathname))))))

(setf *replaced-file* #'replaced-file)

(defun stood-there-p (condition name)
  "Return true if the redefined object came from the same file as the compiled text, or if neither has a file."
  (let* ((source (redefined-source condition name))
         (plist (and source (definition-source-plist source)))
         (source-of-text (compilation-source *compilation*))
         (file (and source-of-text (field source-of-text "file"))))
    (if (getf plist :evaluation)
        (equal (getf plist :file) file)
        ;; The previous definition was made by LOAD or ASDF.
        (let ((pathname (and source file (definition-source-pathname source))))
          (and pathname (equal (existing-file pathname) file))))))

(defun second-of (form)
  (and (consp form) (consp (rest form)) (second form)))

(defun note-failure (compilation file condition &optional (start nil) (end start))
  "Record that FILE, a native name or NIL, could not be loaded because of CONDITION. Do nothing if an already recorded fault of FILE
explains the failure. START and END are the offsets of the fault in the file's text, if known."
  (setf (compilation-failed compilation) t)
  (add-library-faults compilation file)
  (when (and (notany (lambda (diagnostic)
                       (and (equal file (field diagnostic "file"))
                            (member (field diagnostic "severity") '("error" "read-error" "warning") :test #'string=)))
                     (compilation-diagnostics compilation))
             (<= (incf (compilation-total compilation)) +most-diagnostics+))
    (push (apply #'object "severity" "error" "type" (type-name condition) "message" (message condition +message-characters+)
                 "context" nil "file" file (place-in-file file start end))
          (compilation-diagnostics compilation))))

(defconstant +most-library-faults+ 20)

(defun note-library-fault (file severity type message start)
  "Record an error that the compiler reported for FILE, a library's pathname, at the offset START or NIL. It is shown only if FILE fails."
  (when (and (member severity '("error" "read-error" "warning") :test #'string=)
             (< (length (compilation-library-faults *compilation*)) +most-library-faults+))
    (push (list (native-name file) severity type message (and (integerp start) start)) (compilation-library-faults *compilation*)))
  nil)

(defun add-library-faults (compilation file)
  "Add the recorded faults of FILE, the native name of a library's file that failed, to the diagnostics of COMPILATION."
  (loop for (name severity type message start) in (reverse (compilation-library-faults compilation))
        when (and file (string= name file) (<= (incf (compilation-total compilation)) +most-diagnostics+))
          do (push (apply #'object "severity" severity "type" type "message" message "context" nil "file" file
                          (let ((form (form-start file start))) (place-in-file file form form)))
                   (compilation-diagnostics compilation)))
  (setf (compilation-library-faults compilation)
        (remove file (compilation-library-faults compilation) :key #'first :test #'equal)))

(defun form-start (file start)
  "Return the offset of the first form at or after START in FILE; NIL if START is NIL or the file cannot be read."
  (let ((text (and file start (file-text file))))
    (and text (<= start (length text))
         (position-if-not #'blank-p text :start start))))

(defun place-in-file (file start end)
  "Return the fields of a place in FILE. They are NIL if START is NIL or the file no longer has that range."
  (let ((text (and file start (file-text file))))
    (if (and text (<= start end (length text)))
        (let ((line-start (line-start text start)))
          (list "start" (utf-16-offset text start) "end" (utf-16-offset text end)
                "line" (1+ (count #\Newline text :end start))
                "column" (- (utf-16-offset text start) (utf-16-offset text line-start))))
        (list "start" nil "end" nil "line" nil "column" nil))))

(defun add-diagnostic (severity type message reading start end context)
  "Add a diagnostic, unless an equal one is already recorded at the same place."
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
