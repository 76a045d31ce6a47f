;;;; Frames of a stopped stack: calls, locals, places in the source.

(in-package #:lisp-workbench/debugger)

(defconstant +most-frames+ 300 "The maximum number of frames that a debugger reports when it is entered.")
(defconstant +most-further-frames+ 1000 "The maximum number of frames that one request for more frames returns.")

(defstruct frame-record
  frame name arguments
  (entered nil)                         ; the function about to be called, if this frame represents that function
  (near-end nil)                        ; true if code that resumes in this frame would run without a stack guard page below it
  (handles '()))                        ; handles of the displayed arguments in order, once requested

(defun collect-frames ()
  "Return two values: the records of the frames from the point where the condition was signaled to the frame where the engine called user
code, and true if there are more frames."
  (let ((records '()))
    (let ((more (map-code-frames (lambda (frame name arguments)
                                   (push (make-frame-record :frame frame :name name :arguments arguments
                                                            :near-end (near-end-p frame))
                                         records))
                                 (lambda () (setf records '()))
                                 +most-frames+)))
      (values (coerce (nreverse records) 'simple-vector) more))))

(defun collect-further-frames (debugger)
  "If there are more outer frames, add some of them to DEBUGGER's frames. Call this in DEBUGGER's thread."
  (let ((known (debugger-frames debugger)) (records '()))
    (when (and (debugger-more-frames debugger) (plusp (length known)))
      (setf (debugger-more-frames debugger)
            (map-outer-code-frames (lambda (frame name arguments)
                                     (push (make-frame-record :frame frame :name name :arguments arguments) records))
                                   (frame-record-frame (svref known (1- (length known))))
                                   +most-further-frames+)
            (debugger-frames debugger) (concatenate 'simple-vector known (nreverse records))))))

(defun note-entered (records condition)
  "CONDITION stopped at the entry of a function. In RECORDS, which begin with the innermost frame, mark the frame that represents this
function."
  (when (typep condition 'function-entered)
    (let ((record (find (entered-name condition) records :key #'frame-record-name :test #'equal)))
      (when record (setf (frame-record-entered record) (entered-function condition))))))

(defun near-end-p (frame)
  "Return true if the stack is exhausted and FRAME is near its end. Call this in the frame's thread."
  (and *exhausted* (beyond-return-p (sb-sys:sap-int (frame-pointer frame)))))

(defun frame-object (record index &optional holder)
  "Return the frame in wire format. With HOLDER, create handles for HOLDER for the frame's arguments, and include the arguments' places in
the text of the call."
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
  "Return the SHOWN arguments of RECORD's frame, (argument start end) each, with handles for HOLDER. The handles are created once, and again
only after all of them were released."
  (unless (every (lambda (handle) (nth-value 1 (held-object handle))) (frame-record-handles record))
    (setf (frame-record-handles record) '()))
  (let ((handles (or (frame-record-handles record)
                     (setf (frame-record-handles record)
                           (loop for (argument) in shown collect (hold argument holder))))))
    (loop for (argument start end) in shown
          for handle in handles
          collect (object "start" start "end" end "type" (type-label argument) "handle" handle))))

(defun package-of-name (name)
  "Return the user's package in which the function NAME, such as (FLET X :IN Y), was defined; NIL if NAME belongs to Lisp itself."
  (cond ((consp name)
         (loop for rest = name then (cdr rest)
               while (consp rest)
               do (let ((package (package-of-name (first rest)))) (when package (return package)))))
        ((and name (symbolp name) (not (keywordp name)) (symbol-package name) (not (needed-by-debugger-p name)))
         (symbol-package name))))

(defun global-function-text (name)
  "Return the NAME of a user's global function as read in CL-USER; NIL if NAME is not the name of such a function."
  (and (or (and name (symbolp name) (not (macro-function name)))
           (and (consp name) (eq (first name) 'setf)))
       (fboundp name)
       (not (needed-by-debugger-p name))
       (let ((*package* (find-package '#:common-lisp-user)))
         (print-short name 300 :lines t))))

;;; Source

(defun frame-source (record)
  "Return the place of the code of RECORD's frame; NIL if SBCL does not know it."
  (ignore-errors
   (if (frame-record-entered record)
       (entered-source (frame-record-entered record) (frame-record-arguments record))
       (multiple-value-bind (running changed) (running-object record)
         (location-source (frame-record-name record) (frame-code-location (frame-record-frame record)) running changed)))))

(defun location-source (name location running changed)
  "Return the place of LOCATION in the function NAME. For evaluated code, the evaluation identifies the top-level form; `path` leads from
that form to the running subform. RUNNING and CHANGED are the values of RUNNING-OBJECT."
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
            "changed" (and changed (string-downcase changed))
            "running" running)))

(defun running-object (record)
  "Return two values: the running form within the text of its top-level form, and how the file has changed since, see RUNNING-FORM."
  (ignore-errors
   (multiple-value-bind (text top node line evaluated changed)
       (running-form (frame-record-name record) (frame-code-location (frame-record-frame record)))
     (values (place-object text top node line evaluated) changed))))

(defun debug-source-file (source)
  (let ((name (debug-source-namestring source)))
    (and name (ignore-errors (sb-ext:native-namestring (translate-logical-pathname name))))))

(defun form-path (form location)
  "Return the list indexes that lead from FORM, which was compiled, to the subform at LOCATION."
  (ignore-errors
   (let ((translations (form-number-translations form 0))
         (number (code-location-form-number location)))
     ;; An entry consists of the form's number and the path up to the top-level form.
     (and (< number (length translations))
          (rest (reverse (rest (aref translations number))))))))

(defun form-at (form path)
  (let ((at form))
    (dolist (index path at)
      (setf at (form-part at index)))))

;;; Locals

(defconstant +most-locals+ 200)

(defun frame-locals (record holder)
  "Return the variables of a frame in wire format, each value with a handle."
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
  "Return true if the name SYMBOL is from source code; the compiler's own names are uninterned."
  (and symbol (symbol-package symbol)))

(defun local-value (variable frame holder)
  (let ((value (debug-var-value variable frame)))
    (value-object value 2000 (hold value holder))))

;;; Acting on a frame

(defun evaluate-in-frame (record text package)
  "Return the values of the form in TEXT, evaluated with the frame's variables. TEXT is read in PACKAGE, a name; by default, in the package
of the frame's variables."
  (call-with-room
   (lambda ()
     (let ((frame (frame-record-frame record))
           (form (let ((*package* (or (and package (designated-package package)) (frame-package record) *package*))) (read-here text))))
       ;; Some frames have no variable information, for example when an undefined function was called. SBCL would signal an error for them.
       (if (debug-var-info-available (frame-debug-fun frame))
           (eval-in-frame frame (among-variables-at-step record form))
           (funcall *evaluator* form))))))

(defun frame-package (record)
  "Return the package in which the code of RECORD's frame was read, guessed from the frame's variables; NIL if these do not show it."
  (loop for variable in (variables-of (frame-debug-fun (frame-record-frame record)))
        for package = (symbol-package (debug-var-symbol variable))
        unless (sb-ext:package-locked-p package) return package))

(defun return-from-frame (record text package)
  "Make the frame return the values of the form in TEXT. Signal an error if the frame's code was compiled without support for that."
  (let ((frame (frame-record-frame record)))
    (check-restartable record)
    (let ((values (multiple-value-list (evaluate-in-frame record text package))))
      (unwind-to-frame-and-call frame (lambda () (values-list values))))))

(defun restart-frame (record)
  "Call the frame's function again with the same arguments. If the function has a breakpoint, the call stops at it."
  (let ((frame (frame-record-frame record))
        (name (frame-record-name record))
        (arguments (frame-record-arguments record)))
    (check-restartable record)
    (let ((function (frame-function frame name)))
      (unwind-to-frame-and-call frame
                                (lambda ()
                                  ;; The call stops at its breakpoint instead of at the next step.
                                  (when (and (has-breakpoint-p name) (not (lacking "stepping"))) (disable-stepping))
                                  (apply function arguments))))))

(defun check-restartable (record)
  (let ((frame (frame-record-frame record)))
    (when (near-end-p frame)
      (refuse
       "This frame is too close to the end of the exhausted stack to continue there. Choose an outer frame or a restart."))
    (when (local-name-p (frame-record-name record))
      (refuse
       "The frame of a local function can neither be restarted nor returned from. Choose the frame of the enclosing function."))
    (unless (frame-has-debug-tag-p frame)
      (refuse "This frame cannot be restarted or returned from, because its code was compiled with too little debugging information."))))

(defun disassemble-frame (record)
  "Return the disassembly of the frame's function as text, with a size limit."
  (let ((function (or (frame-record-entered record)
                      (debug-fun-fun (frame-debug-fun (frame-record-frame record)))
                      (error "This frame has no function to disassemble."))))
    (multiple-value-bind (text cut) (print-guarded 100000 (lambda (stream) (disassemble function :stream stream)))
      (object "text" text "cut" cut))))
