;;;; Frames of a stack that stands still: calls, locals, places in the source.

(in-package #:lisp-workbench/debugger)

(defconstant +most-frames+ 300 "Frames that a debugger tells as it is entered.")
(defconstant +most-further-frames+ 1000 "Frames that are told at once when further ones are asked for.")

(defstruct frame-record
  frame name arguments
  (entered nil)                         ; the function that is about to be called, of a frame that stands in for its own
  (near-end nil)                        ; true where code that goes on there would find no guard below it
  (handles '()))                        ; those of the arguments that are shown, in their order, once they were asked for

(defun collect-frames ()
  "Records of the frames from the signalling down to where the engine called the code, and whether there are more."
  (let ((records '()))
    (let ((more (map-code-frames (lambda (frame name arguments)
                                   (push (make-frame-record :frame frame :name name :arguments arguments
                                                            :near-end (near-end-p frame))
                                         records))
                                 (lambda () (setf records '()))
                                 +most-frames+)))
      (values (coerce (nreverse records) 'simple-vector) more))))

(defun collect-further-frames (debugger)
  "Add frames outside those that DEBUGGER has, as long as there are more. For call in its thread."
  (let ((known (debugger-frames debugger)) (records '()))
    (when (and (debugger-more-frames debugger) (plusp (length known)))
      (setf (debugger-more-frames debugger)
            (map-outer-code-frames (lambda (frame name arguments)
                                     (push (make-frame-record :frame frame :name name :arguments arguments) records))
                                   (frame-record-frame (svref known (1- (length known))))
                                   +most-further-frames+)
            (debugger-frames debugger) (concatenate 'simple-vector known (nreverse records))))))

(defun note-entered (records condition)
  "Note in RECORDS, frames from the innermost on, which one stands in for the function at whose entry CONDITION stopped."
  (when (typep condition 'function-entered)
    (let ((record (find (entered-name condition) records :key #'frame-record-name :test #'equal)))
      (when record (setf (frame-record-entered record) (entered-function condition))))))

(defun near-end-p (frame)
  "True when the stack is exhausted, and FRAME is near to its end. For call in the frame's thread."
  (and *exhausted* (beyond-return-p (sb-sys:sap-int (frame-pointer frame)))))

(defun frame-object (record index &optional holder)
  "The frame as the wire has it. With HOLDER its arguments are held for that, and told by their places in the call."
  (let ((name (frame-record-name record)) (shown '()))
    (let ((call (call-text name (frame-record-arguments record) nil
                           (lambda (argument start end) (push (list argument start end) shown)))))
      (object "index" index
              "function" (global-function-text name)
              "package" (let ((package (package-of-name name))) (and package (package-name package)))
              "call" call
              "arguments" (array-of (and holder (argument-objects record (nreverse shown) holder)))
              "internal" (json-boolean (not (relevant-frame-p (frame-record-frame record) name)))
              "restartable" (json-boolean (and (not (frame-record-near-end record))
                                               (not (local-name-p name))
                                               (ignore-errors (frame-has-debug-tag-p (frame-record-frame record)))))
              "source" (frame-source record)))))

(defun argument-objects (record shown holder)
  "The arguments of RECORD's frame that are SHOWN, (argument start end) each, held for HOLDER. They are held once, however often the
frame is asked for, and again after all handles were let go."
  (unless (every (lambda (handle) (nth-value 1 (held-object handle))) (frame-record-handles record))
    (setf (frame-record-handles record) '()))
  (let ((handles (or (frame-record-handles record)
                     (setf (frame-record-handles record)
                           (loop for (argument) in shown collect (hold argument holder))))))
    (loop for (argument start end) in shown
          for handle in handles
          collect (object "start" start "end" end "type" (type-label argument) "handle" handle))))

(defun package-of-name (name)
  "Return the package of the user's that the function NAME, such as (FLET X :IN Y), is written in; NIL when that is Lisp's own."
  (cond ((consp name)
         (loop for rest = name then (cdr rest)
               while (consp rest)
               do (let ((package (package-of-name (first rest)))) (when package (return package)))))
        ((and name (symbolp name) (not (keywordp name)) (symbol-package name) (not (needed-by-debugger-p name)))
         (symbol-package name))))

(defun global-function-text (name)
  "Return the NAME of a global function of the user's as it is read in CL-USER; NIL for what has no such name."
  (and (or (and name (symbolp name) (not (macro-function name)))
           (and (consp name) (eq (first name) 'setf)))
       (fboundp name)
       (not (needed-by-debugger-p name))
       (let ((*package* (find-package '#:common-lisp-user)))
         (print-short name 300 :lines t))))

;;; Source

(defun frame-source (record)
  "Return the place of the code of RECORD's frame, NIL when SBCL does not know it."
  (ignore-errors
   (if (frame-record-entered record)
       (entered-source (frame-record-entered record) (frame-record-arguments record))
       (location-source (frame-record-name record)
                        (frame-code-location (frame-record-frame record))
                        (running-object record)))))

(defun location-source (name location running)
  "Return the place of LOCATION in the function NAME. A form that was evaluated is found by its evaluation; `path` leads from the top-level
form to the subform that is running."
  (let* ((source (code-location-debug-source location))
         (plist (debug-source-plist source))
         (form (and (core-debug-source-p source) (core-debug-source-form source)))
         (path (and form (form-path form location))))
    (object "file" (or (getf plist :file) (debug-source-file source) (file-compiled-again name source))
            "offset" (getf plist :offset)
            "line" (getf plist :line)
            "evaluation" (getf plist :evaluation)
            "form" (and form (print-short (form-at form path) 1000))
            "path" (array-of path)
            "toplevelForm" (and (not form) (ignore-errors (code-location-toplevel-form-offset location)))
            "running" running)))

(defun running-object (record)
  "The running form within the text of its top-level form."
  (ignore-errors
   (multiple-value-call #'place-object
     (running-form (frame-record-name record) (frame-code-location (frame-record-frame record))))))

(defun debug-source-file (source)
  (let ((name (debug-source-namestring source)))
    (and name (ignore-errors (sb-ext:native-namestring (translate-logical-pathname name))))))

(defun form-path (form location)
  "Indexes of the lists from FORM, which was compiled, down to the subform at LOCATION."
  (ignore-errors
   (let ((translations (form-number-translations form 0))
         (number (code-location-form-number location)))
     ;; An entry is the form's number, then the way up to the top-level form's.
     (and (< number (length translations))
          (rest (reverse (rest (aref translations number))))))))

(defun form-at (form path)
  (let ((at form))
    (dolist (index path at)
      (setf at (form-part at index)))))

;;; Locals

(defconstant +most-locals+ 200)

(defun frame-locals (record holder)
  "The variables of a frame as the wire has them, each value with a handle."
  (let* ((frame (frame-record-frame record))
         (location (frame-code-location frame))
         (variables (variables-of (frame-debug-fun frame)))
         (live (variables-at-step record variables))
         (absence (if (steps-in-p (frame-debug-fun frame)) "unbound" "dropped")))
    (loop for variable in variables
          for index from 0 below +most-locals+
          for valid = (or (valid-at-p variable location) (member variable live))
          collect (object "index" index
                          "name" (print-short (debug-var-symbol variable) 200)
                          "id" (debug-var-id variable)
                          "value" (and valid (local-value variable frame holder))
                          "absence" (if valid nil absence)))))

(defun valid-at-p (variable location)
  (eq :valid (ignore-errors (debug-var-validity variable location))))

(defun variables-of (debug-fun)
  (handler-case
      (let ((variables '()))
        (do-debug-fun-vars (variable debug-fun)
          (when (named-p (debug-var-symbol variable)) (push variable variables)))
        (nreverse variables))
    (debug-condition () '())))

(defun named-p (symbol)
  "True when somebody wrote the name SYMBOL; the compiler's own names are uninterned."
  (and symbol (symbol-package symbol)))

(defun local-value (variable frame holder)
  (let ((value (debug-var-value variable frame)))
    (value-object value 2000 (hold value holder))))

;;; Acting on a frame

(defun evaluate-in-frame (record text package)
  "The values of the form in TEXT, read in the package of that name, else in that of the frame's variables, with the frame's variables around it."
  (call-with-room
   (lambda ()
     (let ((frame (frame-record-frame record))
           (form (let ((*package* (or (and package (designated-package package)) (frame-package record) *package*))) (read-here text))))
       ;; The frame of a call of an undefined function, and others without a word of their variables: SBCL signals an error there.
       (if (debug-var-info-available (frame-debug-fun frame))
           (eval-in-frame frame (among-variables-at-step record form))
           (funcall *evaluator* form))))))

(defun frame-package (record)
  "The package in which the code of RECORD's frame was read, as far as its variables tell; NIL when they do not."
  (loop for variable in (variables-of (frame-debug-fun (frame-record-frame record)))
        for package = (symbol-package (debug-var-symbol variable))
        unless (sb-ext:package-locked-p package) return package))

(defun return-from-frame (record text package)
  "Let the frame return the values of the form in TEXT. Signals an error when the code was compiled without the possibility."
  (let ((frame (frame-record-frame record)))
    (check-restartable record)
    (let ((values (multiple-value-list (evaluate-in-frame record text package))))
      (unwind-to-frame-and-call frame (lambda () (values-list values))))))

(defun restart-frame (record)
  "Call the frame's function again with the same arguments."
  (let ((frame (frame-record-frame record))
        (name (frame-record-name record))
        (arguments (frame-record-arguments record)))
    (check-restartable record)
    (let ((function (frame-function frame name)))
      (unwind-to-frame-and-call frame (lambda () (apply function arguments))))))

(defun check-restartable (record)
  (let ((frame (frame-record-frame record)))
    (when (near-end-p frame)
      (refuse
       "The stack is exhausted, and this frame is too close to its end to continue there. Choose an outer frame, or take a restart."))
    (when (local-name-p (frame-record-name record))
      (refuse
       "The frame of a local function can neither be restarted nor returned from. Choose the frame of the enclosing function."))
    (unless (frame-has-debug-tag-p frame)
      (refuse "The code of this frame was compiled with too little debugging information to return from it or to restart it."))))

(defun disassemble-frame (record)
  "Machine code of the frame's function, bounded."
  (let ((function (or (frame-record-entered record)
                      (debug-fun-fun (frame-debug-fun (frame-record-frame record)))
                      (error "This frame has no function that could be shown."))))
    (multiple-value-bind (text cut) (print-guarded 100000 (lambda (stream) (disassemble function :stream stream)))
      (object "text" text "cut" cut))))
