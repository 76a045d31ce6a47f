;;;; The person's breakpoints, on the entry of functions and methods and on signalled conditions. They are set by name. If the function does
;;;; not exist yet, or was removed and defined again, the breakpoint is installed as soon as the function is defined.

(in-package #:lisp-workbench/debugger)

(defstruct (breakpoint (:copier nil) (:predicate nil))
  text                                  ; the function's name, read in CL-USER
  (token nil)                           ; (prefix . name), the package and the symbol of TEXT; NIL if TEXT must be looked up each time
  (standing nil)                        ; the meaning of TOKEN when the breakpoint was last installed, see STANDING-OF
  (name nil)                            ; the name of the function on which the breakpoint is installed; NIL if it is not installed
  (shown nil)                           ; NAME as printed in CL-USER
  (when nil)                            ; the text of the breakpoint's condition; NIL if the breakpoint always stops
  (lines '())                           ; (number text) of each line on which it stops, 0 for the call; NIL if it stops only at the call
  (tests (vector nil nil)))             ; the breakpoint's STOP-TESTs, for unguarded and for guarded code; each is NIL until its first call

(sb-ext:defglobal *breakpoints* '())    ; the breakpoints that are set, oldest first
(sb-ext:defglobal *break-types* '())    ; names of condition types, read in CL-USER, oldest first
(sb-ext:defglobal *breakpoints-lock* (sb-thread:make-mutex :name "lisp-workbench breakpoints"))
(sb-ext:defglobal *breakpoints-told* '()) ; the state that was reported last, see BREAKPOINTS-STATE
(sb-ext:defglobal *breakpoints-revision* 0) ; the number of reports, which shows their order, because replies and events may arrive out of
                                            ; order

(defmacro with-breakpoints (&body body)
  "Run BODY while no other thread installs or removes breakpoints."
  `(sb-thread:with-recursive-lock (*breakpoints-lock*) ,@body))

(defun want-breakpoints (functions types conditions lines)
  "Replace all breakpoints by breakpoints on FUNCTIONS and on the condition types TYPES, both lists of texts. CONDITIONS and LINES, wire
objects, contain the condition and the lines of each function that has some."
  (with-breakpoints
    (let ((known (make-hash-table :test #'equal)) (wanted (make-hash-table :test #'equal)))
      (dolist (breakpoint *breakpoints*) (setf (gethash (breakpoint-text breakpoint) known) breakpoint))
      (dolist (text functions) (setf (gethash text wanted) t))
      (dolist (breakpoint *breakpoints*)
        (unless (gethash (breakpoint-text breakpoint) wanted) (take-off breakpoint)))
      (setf *breakpoints* (loop for text in functions collect (or (gethash text known) (new-breakpoint text)))
            *break-types* types)
      (dolist (breakpoint *breakpoints*)
        (set-condition breakpoint (field conditions (breakpoint-text breakpoint)))
        (set-lines breakpoint (wanted-lines (field lines (breakpoint-text breakpoint)))))
      (put-breakpoints))))

(defun new-breakpoint (text &optional condition lines)
  (make-breakpoint :text text :when condition :lines lines :token (token-of text)))

(defun wanted-lines (objects)
  "Return (number text) for each of OBJECTS, wire objects."
  (map 'list (lambda (line) (list (field line "line") (field line "text"))) objects))

(defun set-lines (breakpoint lines)
  (unless (equal lines (breakpoint-lines breakpoint))
    (setf (breakpoint-lines breakpoint) lines)))

(defun token-of (text)
  "Return (prefix . name) if TEXT is certainly a plain symbol; otherwise NIL. The prefix is NIL for CL-USER."
  (unless (find-if (lambda (character) (find character "\\|#'")) text)
    (multiple-value-bind (node setf home prefix) (name-node text)
      (declare (ignore home))
      (when (and node (not setf) (or (null prefix) (string= prefix (string-upcase prefix))))
        (cons prefix (node-name node))))))

(defun set-condition (breakpoint condition)
  "Make BREAKPOINT stop only if CONDITION, a text, is true. If CONDITION is NIL, the breakpoint always stops."
  (unless (equal condition (breakpoint-when breakpoint))
    (setf (breakpoint-when breakpoint) condition
          (breakpoint-tests breakpoint) (vector nil nil))))

(defun want-breakpoint (text &optional condition lines)
  "Add a breakpoint on the function that TEXT names, or change its CONDITION and LINES. If there is no such function yet, the breakpoint is
installed once the function is defined. Signal an error if the function cannot have a breakpoint."
  (multiple-value-bind (name node) (breakpoint-target text)
    (unless node (refuse-breakpoint "~A is not the name of a function." text))
    (when (and name (or (method-name-p name) (fboundp name))) (check-breakpoint-target name text))
    (with-breakpoints
      (let ((known (find text *breakpoints* :key #'breakpoint-text :test #'string=)))
        (cond (known (set-condition known condition)
                     (set-lines known lines))
              ((and name (find name *breakpoints* :key #'breakpoint-name :test #'equal)))
              (t (setf *breakpoints* (append *breakpoints* (list (new-breakpoint text condition lines)))))))
      (put-breakpoints))))

(defun forget-breakpoint (text)
  "Remove the breakpoint that was set with TEXT, or that is on the function that TEXT names."
  (with-breakpoints
    (let ((name (breakpoint-target text)))
      (dolist (breakpoint *breakpoints*)
        (when (or (string= text (breakpoint-text breakpoint))
                  (and name (equal name (breakpoint-target (breakpoint-text breakpoint)))))
          (take-off breakpoint)
          (setf *breakpoints* (remove breakpoint *breakpoints*)))))))

(define-condition refused (simple-error) ()
  (:documentation "A refusal. Its message is written for the person, and the core displays it unchanged."))

(defun refuse-breakpoint (control &rest arguments)
  (error 'refused :format-control control :format-arguments arguments))

(defun breakpoint-target (text)
  "Return two values: the name of the function or method that TEXT denotes, even if it is undefined, or NIL if a symbol in TEXT does not
exist; and true if TEXT is a valid name. Nothing is interned."
  (let* ((*package* (find-package '#:common-lisp-user)) (*read-eval* nil) (method (method-name-node text)))
    (if method
        (values (method-target text method) t)
        (multiple-value-bind (symbol status setf) (named-symbol text)
          (values (and status (if setf `(setf ,symbol) symbol))
                  (and (name-node text) t))))))

(defun check-breakpoint-target (name text)
  (cond ((and (symbolp name) (or (macro-function name) (special-operator-p name)))
         (refuse-breakpoint "~A is a macro or a special operator, not a function." text))
        ((needed-by-debugger-p name)
         (refuse-breakpoint "~S cannot have a breakpoint, because Lisp and the debugger need it themselves. Break on one of your functions."
                            (if (method-name-p name) (second name) name)))
        ((and (method-name-p name) (lacking "breakpoints on methods"))
         (refuse-breakpoint "This version of SBCL does not support breakpoints on methods. Break on the generic function."))))

(defun takes-breakpoint-p (name)
  (and (not (needed-by-debugger-p name))
       (if (method-name-p name)
           (and (not (lacking "breakpoints on methods")) (named-method name) t)
           (and (fboundp name)
                (not (and (symbolp name) (or (macro-function name) (special-operator-p name))))))))

(defun needed-by-debugger-p (name)
  "Return true if the function or method NAME belongs to SBCL or the engine. The debugger itself calls such functions, so a breakpoint on
one of them would stop within itself. A method on a user's class or symbol does not count, even if its generic function does: the debugger
calls such a method only through the printer, which ignores breakpoints."
  (and (lisps-own-symbol-p (breakpoint-symbol name))
       (not (and (method-name-p name) (some #'of-users-p (first (last name)))))))

(defun lisps-own-symbol-p (symbol)
  "Return true if SYMBOL belongs to SBCL or the engine."
  (let* ((package (symbol-package symbol))
         (package-name (if package (package-name package) "")))
    (or (eq package (find-package '#:common-lisp))
        (eql 0 (search "SB-" package-name))
        (eql 0 (search "LISP-WORKBENCH" package-name)))))

(defun of-users-p (specializer)
  "Return true if SPECIALIZER, in the format of a method's name, is the name of a user's class or an (EQL symbol) of a user's symbol."
  (let ((symbol (if (and (consp specializer) (eq (first specializer) 'eql)) (second specializer) specializer)))
    (and symbol (symbolp symbol) (not (keywordp symbol)) (not (lisps-own-symbol-p symbol)))))

;;; Installing breakpoints on functions

(defun put-breakpoints (&optional (breakpoints *breakpoints*))
  "Install those of BREAKPOINTS whose functions are defined."
  (with-breakpoints
    (dolist (breakpoint breakpoints)
      (let* ((target (breakpoint-target (breakpoint-text breakpoint)))
             (name (and target (takes-breakpoint-p target) target)))
        (unless (equal name (breakpoint-name breakpoint)) (take-off breakpoint))
        (cond ((null name))
              ((method-name-p name) (break-on-method name breakpoint))
              ((not (encapsulated-p name 'lisp-workbench-break)) (break-on-entry name breakpoint)))
        (setf (breakpoint-name breakpoint) name
              (breakpoint-shown breakpoint)
              (and name
                   (let ((*package* (find-package '#:common-lisp-user)))
                     (print-short (if (method-name-p name) (method-name-words name) name) 300 :lines t)))
              (breakpoint-standing breakpoint)
              (and (breakpoint-token breakpoint) (multiple-value-list (standing-of breakpoint))))))))

(defun standing-of (breakpoint)
  "Return what BREAKPOINT's text currently refers to: a package, a symbol, the symbol's status in the package, and its function. All of
these can be looked up quickly."
  (destructuring-bind (prefix . name) (breakpoint-token breakpoint)
    (let ((package (find-package (or prefix '#:common-lisp-user))))
      (multiple-value-bind (symbol status) (if package (find-symbol name package) (values nil nil))
        (values package symbol status (and status (fdefn-function symbol)))))))

(defun stands-p (breakpoint)
  "Return true if BREAKPOINT's text has the same meaning now as when the breakpoint was last installed."
  (and (breakpoint-token breakpoint)
       (multiple-value-bind (package symbol status function) (standing-of breakpoint)
         (let ((before (breakpoint-standing breakpoint)))
           (and before
                (eq package (first before)) (eq symbol (second before))
                (eq status (third before)) (eq function (fourth before)))))))

(defun take-off (breakpoint)
  "Remove BREAKPOINT from its function, which restores the function's original code."
  (let ((name (shiftf (breakpoint-name breakpoint) nil)))
    (setf (breakpoint-standing breakpoint) nil (breakpoint-shown breakpoint) nil)
    (setf (breakpoint-tests breakpoint) (vector nil nil)) ; the compiled conditions may be for another function's parameters, or for a
                                                          ; deleted package
    (cond ((null name))
          ((method-name-p name) (take-off-method name))
          (t (when (fboundp name) (unencapsulate name 'lisp-workbench-break))
             (forget-steppable name)))))

(defun has-breakpoint-p (name)
  (find name *breakpoints* :key #'breakpoint-name :test #'equal))

(defun take-off-breakpoints ()
  (mapc #'take-off *breakpoints*))

(defun note-breakpoint-target (key)
  "Install the breakpoints whose functions the definition of KEY may have created. Called after the definition."
  (when *breakpoints*
    (let* ((symbol (key-symbol key))
           (named (and symbol
                       (remove-if-not (lambda (breakpoint)
                                        (let ((token (breakpoint-token breakpoint)))
                                          (if token
                                              (string= (symbol-name symbol) (cdr token))
                                              (search (symbol-name symbol) (breakpoint-text breakpoint) :test #'char-equal))))
                                      *breakpoints*))))
      (when named
        (put-breakpoints named)
        (tell-breakpoints)))))

(defun renew-breakpoints (evaluation)
  "Install all breakpoints again. Called before and after EVALUATION, because some ways of defining a function are not reported."
  (declare (ignore evaluation))
  (when (or *breakpoints* *break-types*)
    (let ((changed (remove-if #'stands-p *breakpoints*)))
      (when changed (put-breakpoints changed))
      (when (or changed *break-types*) (tell-breakpoints)))))

;;; Reporting breakpoints

(defun breakpoints-state ()
  "Return two values: the list of functions and the list of condition types, each entry as (text . name). The text is the one with which the
breakpoint was set. The name is the image's printed name, or NIL if the function or type does not exist."
  (with-breakpoints
    (let ((*package* (find-package '#:common-lisp-user)))
      (list (loop for breakpoint in *breakpoints*
                  collect (cons (breakpoint-text breakpoint) (breakpoint-shown breakpoint)))
            (loop for text in *break-types*
                  for name = (condition-type text)
                  collect (cons text (and name (print-short name 300 :lines t))))))))

(defun breakpoints-fields ()
  "Return the breakpoints as fields of a wire object, and record that this state has been reported."
  (with-breakpoints
    (destructuring-bind (functions types) (setf *breakpoints-told* (breakpoints-state))
      (flet ((objects (states)
               (array-of (loop for (text . name) in states collect (object "wanted" text "name" name)))))
        (list "functions" (objects functions) "conditions" (objects types) "revision" (incf *breakpoints-revision*))))))

(defun breakpoints-object ()
  (apply #'object (breakpoints-fields)))

(defun tell-breakpoints ()
  "Report the breakpoints if they differ from the last report."
  (unless (equal *breakpoints-told* (breakpoints-state))
    (apply #'send-event "breakpoints-changed" (breakpoints-fields))))

;;; Conditions

(defun condition-type (text)
  "Return the symbol of the condition type that TEXT names; NIL if there is no such type."
  (let ((name (breakpoint-target text)))
    (and name (symbolp name) (find-class name nil) (subtypep name 'condition) name)))

(defun want-condition-types (texts)
  "Make code that the person debugs break at conditions of the types that TEXTS name. A type that does not exist yet takes effect once it is
defined."
  (dolist (text texts)
    (multiple-value-bind (name node) (breakpoint-target text)
      (unless (and node (or (null name) (not (symbolp name)) (not (find-class name nil)) (condition-type text)))
        (refuse-breakpoint "~A is not a condition type." text))))
  (setf *break-types* texts))

(defun break-type ()
  "Return the type for *BREAK-ON-SIGNALS* in code that the person debugs, or NIL."
  (let ((types (loop for text in *break-types*
                     for name = (condition-type text)
                     when name collect name)))
    (and types `(or ,@types))))
