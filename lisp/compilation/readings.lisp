;;;; What the compiler read: for each file that is read while diagnostics are gathered, the place of every list and symbol.
;;;; SBCL tells a stream's observer of each object as it is read; lists are then known by identity, whatever comments,
;;;; conditionals or reader macros stand between them.

(in-package #:lisp-workbench/compilation)

(defvar *compilation* nil "The COMPILATION that this thread gathers diagnostics for.")

(defstruct compilation
  (readings '())                        ; newest first
  (diagnostics '()) (total 0) (seen (make-hash-table :test #'equal))
  (wanted-p (constantly t))             ; of a file's native name: whether its diagnostics are wanted
  (warned nil) (failed nil)             ; true after a warning or error; after an error or a full warning
  (summarizing nil)                     ; true while the compiler repeats what was noted already
  ;; Of a text that was sent: its temporary file, and whose it is.
  text-file source plist policy-before)

(defstruct reading
  "NATIVE is the file's name. PLACES: list → (start . end) in characters; TOKENS: (symbol start . end), newest first;
FORMS: (list start . end), each after those within it, newest first."
  info native external-format
  (places (make-hash-table :test #'eq))
  (tokens '())
  (forms '())
  (end 0)
  (text nil))

(defun observe-reading (original info)
  "Encapsulates what makes the observer of a source file's stream. INFO is SBCL's record of the file."
  (let ((observer (funcall original info)) (compilation *compilation*))
    (if (or (null compilation) (unwanted-p compilation (file-info-truename info)))
        observer
        (let ((reading (make-reading :info info
                                     :native (native-name (file-info-truename info))
                                     :external-format (file-info-external-format info))))
          (push reading (compilation-readings compilation))
          (when (equal (reading-native reading) (compilation-text-file compilation))
            (stand-for-source compilation))
          (lambda (start end object)
            (when (integerp start) (note-read reading start end object))
            (funcall observer start end object))))))

(defun native-name (file)
  (ignore-errors (sb-ext:native-namestring file)))

(defun unwanted-p (compilation file)
  "Whether diagnostics of FILE, a pathname, are left out."
  (and (pathnamep file)
       (not (funcall (compilation-wanted-p compilation) (native-name file)))))

(defun stand-for-source (compilation)
  "Called within COMPILE-FILE: macros that ask for the file see the one that the text belongs to."
  (let* ((source (compilation-source compilation))
         (file (and source (ignore-errors (probe-file (sb-ext:parse-native-namestring (field source "file")))))))
    (when file
      (setf *compile-file-pathname* file
            *compile-file-truename* file))))

(defun note-read (reading start end object)
  (typecase object
    (cons
     (setf (reading-end reading) end)
     (unless (gethash object (reading-places reading))
       (setf (gethash object (reading-places reading)) (cons start end)))
     (push (list* object start end) (reading-forms reading)))
    ((and symbol (not null) (not keyword))
     (push (list* object start end) (reading-tokens reading)))))

(defun place-of (form)
  "The reading in which FORM, a list or a symbol, was read, and its place there; of a symbol the latest."
  (loop for reading in (compilation-readings *compilation*)
        for place = (if (consp form)
                        (gethash form (reading-places reading))
                        (rest (assoc form (reading-tokens reading) :test #'eq)))
        when place return (values reading place)))

(defun toplevel-forms (reading)
  "(list start . end) of each form that stands in no other, in the order of the text."
  (let ((result '()) (before nil))
    (loop for entry in (reading-forms reading)
          for (nil start) = entry
          when (or (null before) (< start before))
            do (push entry result)
               (setf before start))
    result))

(defun reading-text* (reading)
  "The file's text, or an empty one when it cannot be read any more."
  (or (reading-text reading)
      (setf (reading-text reading)
            (or (ignore-errors
                 (with-open-file (stream (sb-ext:parse-native-namestring (reading-native reading))
                                         :external-format (reading-external-format reading))
                   (let ((buffer (make-string (file-length stream))))
                     (subseq buffer 0 (read-sequence buffer stream)))))
                ""))))

(defun reading-of-stream (stream)
  "The reading of the file that STREAM reads."
  (let ((name (native-name (ignore-errors (truename stream)))))
    (and name (find name (compilation-readings *compilation*) :key #'reading-native :test #'equal))))
