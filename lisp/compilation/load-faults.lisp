;;;; Where the code of a file stood when an error that nobody handled stopped its compilation or its load: SBCL tells of neither, but the
;;;; stack has the top-level form that is loaded, and the reader's observer the form that was read last.

(in-package #:lisp-workbench/compilation)

(defparameter *callers-of-load* '(load-compiled-text call-original-action)
  "Functions of the engine within which one file is loaded: what stands outside of them belongs to another.")

(defun note-unhandled (compilation file condition)
  "Note CONDITION, which nobody has handled, and where FILE, a native name, is at fault. For call on the condition's stack. What is no error
says that the code went on after the one before."
  (setf (compilation-stopped compilation)
        (and (typep condition 'error)
             (let ((*compilation* compilation))
               (multiple-value-bind (start end form) (fault-place file)
                 (list :type (type-name condition) :message (message condition +message-characters+)
                       :start start :end end :context (definition-label (list (definition-head form)))))))))

(defun add-stopping (compilation file condition)
  "Add the error that has stopped the compilation or the load of FILE: the one that was noted last, or else CONDITION, an object of the wire, at
the form that was read last."
  (let* ((*compilation* compilation) (stopped (compilation-stopped compilation)) (reading (reading-named file)))
    (if stopped
        (add-diagnostic "error" (getf stopped :type) (getf stopped :message) reading
                        (getf stopped :start) (getf stopped :end) (getf stopped :context))
        (add-at-last-form "error" (field condition "type") (field condition "message") reading))))

(defun fault-place (file)
  "Return start and end, in characters of the text of FILE, of the form that this thread loads or compiles, and the top-level form itself
when it is known as a list; NIL when neither is known."
  (if (compiling-p file)
      (let ((entry (first (reading-forms (reading-named file)))))
        (and entry (values (second entry) (cddr entry) (first entry))))
      (let ((node (loaded-node (text-named file))))
        (and node (values (node-start node) (node-end node))))))

(defun fault-place-alone (file)
  "Return the start of the form of FILE that this thread loads, where nobody gathers what the compiler says."
  (let ((*compilation* (or *compilation* (make-compilation)))) (values (fault-place file))))

(defun compiling-p (file)
  (let ((compiled (compiling-file)))
    (and compiled
         (equal (native-name compiled) file)
         (reading-named file))))

(defun reading-named (file)
  (find file (compilation-readings *compilation*) :key #'reading-native :test #'equal))

(defun text-named (file)
  "Return the text of FILE, a native name, as it was compiled, or as it is now when an earlier compilation is loaded."
  (let ((reading (reading-named file)))
    (if reading
        (reading-text* reading)
        (file-text file))))

(defun loaded-node (text)
  "Return the node, of TEXT, of the form that runs in the top-level form whose compiled code this thread loads; NIL when it is not known."
  (let ((location (and text (loaded-location))))
    (ignore-errors
     (let* ((top (top-level-node text (code-location-toplevel-form-offset location)))
            (numbered (numbered-nodes top))
            (number (code-location-form-number location)))
       (if (< number (length numbered)) (aref numbered number) top)))))

(defun loaded-location ()
  "Return the code location in the top-level form of the file that is loaded: the outermost, within what loads one file, of the frames that run
such forms; the innermost ones may be of files that it loads itself. NIL when none runs, as while a file is loaded as source."
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
  "True when NAME is SBCL's for the code of top-level forms of a compiled file: (SB-C::TOP-LEVEL-FORM …), or a string in newer ones."
  (or (equal name "top level form")
      (and (consp name)
           (symbolp (first name))
           (string= "TOP-LEVEL-FORM" (first name)))))
