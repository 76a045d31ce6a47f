;;;; The compiler's readings: the place of every list and symbol in each file that is read while diagnostics are collected. SBCL notifies a
;;;; stream's observer of each object that is read from the stream. The places of lists are found by identity, so comments, conditionals and
;;;; reader macros in the text do not disturb them.

(in-package #:lisp-workbench/compilation)

(defvar *compilation* nil "The COMPILATION for which this thread collects diagnostics.")

(defstruct compilation
  (readings '())                        ; newest first
  (diagnostics '()) (total 0) (seen (make-hash-table :test #'equal))
  (wanted-p (constantly t))             ; predicate of a file's native name; true if the file's diagnostics are wanted
  (warned nil) (failed nil)             ; WARNED: true after any warning or error; FAILED: true after an error or a full warning
  (summarizing nil)                     ; true while the compiler repeats recorded diagnostics at the end
  ;; For a text that was sent: its temporary file, and the source that the request names.
  text-file text source plist policy-before
  (library-faults '())                  ; (file severity type message start) of errors in files whose diagnostics are not wanted, newest first
  (marks '())                           ; MARK structures of the forms whose values are to be recorded
  (refused '())                         ; objects for the refused marks, see marks.lisp
  (stopped nil))                        ; the unhandled error, with its place, see load-faults.lisp

(defstruct reading
  "The places in one file that was read. NATIVE is the file's name. PLACES: list → (start . end) in characters; TOKENS: (symbol start .
end), newest first; FORMS: (list start . end), newest first; a form is added after the forms within it."
  info native external-format
  (places (make-hash-table :test #'eq))
  (tokens '())
  (forms '())
  (end 0)
  (text nil)
  (crlf :unknown))                      ; true if all lines of the text end in CR LF

(defun observe-reading (original info)
  "Advice on the function that creates the observer of a source file's stream. INFO is SBCL's record of the file."
  (let ((observer (funcall original info)) (compilation *compilation*))
    (if (or (null compilation) (unwanted-p compilation (file-info-truename info)))
        observer
        (let ((reading (make-reading :info info
                                     :native (native-name (file-info-truename info))
                                     :external-format (file-info-external-format info))))
          (push reading (compilation-readings compilation))
          (when (equal (reading-native reading) (compilation-text-file compilation))
            (setf (reading-text reading) (compilation-text compilation)) ; stored now, because the temporary file no longer exists when the
                                                                         ; last diagnostic is created
            (stand-for-source compilation))
          (lambda (start end object)
            (when (integerp start) (note-read reading start end object))
            (funcall observer start end object))))))

(defun native-name (file)
  (ignore-errors (sb-ext:native-namestring file)))

(defun unwanted-p (compilation file)
  "Return true if diagnostics of FILE, a pathname, are left out."
  (and (pathnamep file)
       (not (funcall (compilation-wanted-p compilation) (native-name file)))))

(defun stand-for-source (compilation)
  "Make the variables for the current file refer to the file that the text belongs to, because macros read these variables. Call this within
COMPILE-FILE."
  (let* ((source (compilation-source compilation))
         (file (and source (ignore-errors (probe-file (sb-ext:parse-native-namestring (field source "file")))))))
    (when file
      (setf *compile-file-pathname* file
            *compile-file-truename* file))))

(defun note-read (reading start end object)
  (typecase object
    (cons
     (when (and (has-return-p object) (crlf-reading-p reading)) (plain-line-ends object))
     (setf (reading-end reading) end)
     (unless (gethash object (reading-places reading))
       (setf (gethash object (reading-places reading)) (cons start end)))
     (push (list* object start end) (reading-forms reading)))
    ((and symbol (not null) (not keyword))
     (push (list* object start end) (reading-tokens reading)))))

(defun has-return-p (list)
  "Return true if a string directly in LIST contains a CR."
  (loop for rest = list then (cdr rest)
        repeat 100000
        while (consp rest)
          thereis (and (stringp (car rest)) (find #\Return (car rest)))))

(defun crlf-reading-p (reading)
  "Return true if all lines of the text being read end in CR LF."
  (when (eq (reading-crlf reading) :unknown)
    (setf (reading-crlf reading)
          (let ((text (or (reading-text reading) (ignore-errors (file-text (reading-native reading))))))
            (and (stringp text) (crlf-text-p text)))))
  (reading-crlf reading))

(defun place-of (form)
  "Return two values: the reading in which FORM, a list or a symbol, was read, and its place there. For a symbol, return its latest place."
  (loop for reading in (compilation-readings *compilation*)
        for place = (if (consp form)
                        (gethash form (reading-places reading))
                        (rest (assoc form (reading-tokens reading) :test #'eq)))
        when place return (values reading place)))

(defun toplevel-forms (reading)
  "Return (list start . end) for each form that is not within another form, in text order."
  (let ((result '()) (before nil))
    (loop for entry in (reading-forms reading)
          for (nil start) = entry
          when (or (null before) (< start before))
            do (push entry result)
               (setf before start))
    result))

(defun reading-text* (reading)
  "Return the text of READING's file, or an empty string if the file can no longer be read."
  (or (reading-text reading)
      (setf (reading-text reading)
            (or (ignore-errors
                 (with-regular-file (stream (reading-native reading) :external-format (with-replacement (reading-external-format reading)))
                   (let ((buffer (make-string (file-length stream))))
                     (subseq buffer 0 (read-sequence buffer stream)))))
                ""))))

(defun with-replacement (external-format)
  "Return EXTERNAL-FORMAT with a replacement character, so that invalid octets can be read."
  (if (consp external-format)
      external-format
      (list external-format :replacement #\ufffd)))

(defun reading-of-stream (stream)
  "Return the reading of the file that STREAM reads."
  (reading-of-file (ignore-errors (truename stream))))

(defun reading-of-file (file)
  "Return the reading of FILE, a pathname or NIL."
  (let ((name (native-name file)))
    (and name (find name (compilation-readings *compilation*) :key #'reading-native :test #'equal))))
