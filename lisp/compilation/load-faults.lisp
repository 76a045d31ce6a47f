;;;; Finds the place of an unhandled error that stopped the compilation or load of a file, because SBCL does not report that place. While a
;;;; file is loaded, the stack shows the top-level form; while it is compiled, the reader's observer knows the form that was read last.

(in-package #:lisp-workbench/compilation)

(defparameter *callers-of-load* '(load-compiled-text call-original-action)
  "The engine's functions that load a single file. A frame outside such a function belongs to another file.")

(defun note-unhandled (compilation file condition)
  "Record CONDITION, which was not handled, and the faulty place in FILE, a native name. Call this on the stack on which CONDITION was
signaled. If CONDITION is not an error, clear the record, because the code has continued after the previous error."
  (setf (compilation-stopped compilation)
        (and (typep condition 'error)
             (let ((*compilation* compilation))
               (multiple-value-bind (start end form) (fault-place file)
                 (list :type (type-name condition) :message (message condition +message-characters+)
                       :start start :end end :context (definition-label (list (definition-head form)))))))))

(defun add-stopping (compilation file condition)
  "Add the error that stopped the compilation or load of FILE: the recorded error with its place or, if there is none, CONDITION. CONDITION
is a wire object, and is added at the form that was read last."
  (let* ((*compilation* compilation) (stopped (compilation-stopped compilation)) (reading (reading-named file)))
    (if stopped
        (add-diagnostic "error" (getf stopped :type) (getf stopped :message) reading
                        (getf stopped :start) (getf stopped :end) (getf stopped :context))
        (add-at-last-form "error" (field condition "type") (field condition "message") reading))))

(defun fault-place (file)
  "Return three values: the start and end of the form that this thread loads or compiles, in characters of FILE's text; and the top-level
form itself if it is known as a list. Return NIL if the place is unknown."
  (if (compiling-p file)
      (let ((entry (first (reading-forms (reading-named file)))))
        (and entry (values (second entry) (cddr entry) (first entry))))
      (let ((node (loaded-node (text-named file))))
        (and node (values (node-start node) (node-end node))))))

(defun fault-place-alone (file)
  "Return the start of the form of FILE that this thread loads, even if no diagnostics are being collected."
  (let ((*compilation* (or *compilation* (make-compilation)))) (values (fault-place file))))

(defun compiling-p (file)
  (let ((compiled (compiling-file)))
    (and compiled
         (equal (native-name compiled) file)
         (reading-named file))))

(defun reading-named (file)
  (find file (compilation-readings *compilation*) :key #'reading-native :test #'equal))

(defun text-named (file)
  "Return the text of FILE, a native name, as it was compiled. If an older fasl is being loaded, return the current text."
  (let ((reading (reading-named file)))
    (if reading
        (reading-text* reading)
        (file-text file))))

(defun loaded-node (text)
  "Return the node of TEXT for the form that is now running within the top-level form that this thread loads from compiled code; NIL if
unknown."
  (let ((location (and text (loaded-location))))
    (ignore-errors
     (let* ((top (top-level-node text (code-location-toplevel-form-offset location)))
            (numbered (numbered-nodes top))
            (number (code-location-form-number location)))
       (if (< number (length numbered)) (aref numbered number) top)))))

(defun loaded-location ()
  "Return the code location in the top-level form of the file being loaded. Of the frames that run top-level forms, use the outermost one
within the load of this file, because inner ones may belong to files that this file loads. Return NIL if there is none, for example while a
file is loaded as source."
  (unless (or (lacking "stack traces") (lacking "the debugger's frames"))
    (let ((found nil))
      (block walk
        (map-backtrace (lambda (frame)
                         (let ((name (ignore-errors (frame-call frame))))
                           (cond ((member name *callers-of-load*) (return-from walk))
                                 ((toplevel-code-name-p name) (setf found frame))))))
        (setf found nil))
      (and found (ignore-errors (frame-code-location found))))))

(defun toplevel-code-name-p (name)
  "Return true if NAME is SBCL's name for the code of top-level forms of a compiled file: (SB-C::TOP-LEVEL-FORM …), or a string in newer
versions."
  (or (equal name "top level form")
      (and (consp name)
           (symbolp (first name))
           (string= "TOP-LEVEL-FORM" (first name)))))
