;;;; Breakpoints, on the entry of functions and methods and on conditions that are signalled, as the person wants them. They are wanted by name: one
;;;; whose function is not there yet is put on it as soon as it is defined, and again where its definition was removed meanwhile.

(in-package #:lisp-workbench/debugger)

(defstruct (breakpoint (:copier nil) (:predicate nil))
  text                                  ; the function's name as it is read in CL-USER
  (token nil)                           ; (prefix . name), the package and the symbol of TEXT; NIL for one that is looked up each time
  (standing nil)                        ; what TOKEN stood for when it was put on its function last, see STANDING-OF
  (name nil)                            ; the name of the function that it is on; NIL while there is none
  (shown nil)                           ; that name as it is printed in CL-USER
  (when nil)                            ; the text of its condition; NIL when it always stops
  (tests (vector nil nil)))             ; its STOP-TESTs, for code that is not guarded and for code that is; NIL until it is called

(sb-ext:defglobal *breakpoints* '())    ; those that are wanted, oldest first
(sb-ext:defglobal *break-types* '())    ; names of condition types as they are read in CL-USER, oldest first
(sb-ext:defglobal *breakpoints-lock* (sb-thread:make-mutex :name "lisp-workbench breakpoints"))
(sb-ext:defglobal *breakpoints-told* '()) ; the latest that the other end knows, see BREAKPOINTS-STATE
(sb-ext:defglobal *breakpoints-revision* 0) ; counts how often they were told: replies and events may arrive out of their order

(defmacro with-breakpoints (&body body)
  "Run BODY while no other thread puts breakpoints on functions or takes them off."
  `(sb-thread:with-recursive-lock (*breakpoints-lock*) ,@body))

(defun want-breakpoints (functions types conditions)
  "Let the breakpoints be those on FUNCTIONS and on the condition types TYPES, lists of texts, and no others. CONDITIONS is an object of the
wire: the condition of each function that has one."
  (with-breakpoints
    (let ((known (make-hash-table :test #'equal)) (wanted (make-hash-table :test #'equal)))
      (dolist (breakpoint *breakpoints*) (setf (gethash (breakpoint-text breakpoint) known) breakpoint))
      (dolist (text functions) (setf (gethash text wanted) t))
      (dolist (breakpoint *breakpoints*)
        (unless (gethash (breakpoint-text breakpoint) wanted) (take-off breakpoint)))
      (setf *breakpoints* (loop for text in functions collect (or (gethash text known) (new-breakpoint text)))
            *break-types* types)
      (dolist (breakpoint *breakpoints*)
        (set-condition breakpoint (field conditions (breakpoint-text breakpoint))))
      (put-breakpoints))))

(defun new-breakpoint (text &optional condition)
  (make-breakpoint :text text :when condition :token (token-of text)))

(defun token-of (text)
  "Return (prefix . name) for the TEXT of a plain symbol, whose prefix is NIL in CL-USER; NIL for one that can be read in other ways, too."
  (unless (find-if (lambda (character) (find character "\\|#'")) text)
    (multiple-value-bind (node setf home prefix) (name-node text)
      (declare (ignore home))
      (when (and node (not setf) (or (null prefix) (string= prefix (string-upcase prefix))))
        (cons prefix (node-name node))))))

(defun set-condition (breakpoint condition)
  "Let BREAKPOINT stop where CONDITION, a text, is true; always where that is NIL."
  (unless (equal condition (breakpoint-when breakpoint))
    (setf (breakpoint-when breakpoint) condition
          (breakpoint-tests breakpoint) (vector nil nil))))

(defun want-breakpoint (text &optional condition)
  "Add a breakpoint on the function that TEXT means, now or once it is defined, or let it have another CONDITION. Signals an error where
that takes none."
  (multiple-value-bind (name node) (breakpoint-target text)
    (unless node (refuse-breakpoint "~A is not the name of a function." text))
    (when (and name (or (method-name-p name) (fboundp name))) (check-breakpoint-target name text))
    (with-breakpoints
      (let ((known (find text *breakpoints* :key #'breakpoint-text :test #'string=)))
        (cond (known (set-condition known condition))
              ((and name (find name *breakpoints* :key #'breakpoint-name :test #'equal)))
              (t (setf *breakpoints* (append *breakpoints* (list (new-breakpoint text condition)))))))
      (put-breakpoints))))

(defun forget-breakpoint (text)
  "Remove the breakpoint that TEXT was wanted by, or that is on the function TEXT means."
  (with-breakpoints
    (let ((name (breakpoint-target text)))
      (dolist (breakpoint *breakpoints*)
        (when (or (string= text (breakpoint-text breakpoint))
                  (and name (equal name (breakpoint-target (breakpoint-text breakpoint)))))
          (take-off breakpoint)
          (setf *breakpoints* (remove breakpoint *breakpoints*)))))))

(define-condition refused (simple-error) ()
  (:documentation "A refusal in words for the person, which the other end shows as they are."))

(defun refuse-breakpoint (control &rest arguments)
  (error 'refused :format-control control :format-arguments arguments))

(defun breakpoint-target (text)
  "Return the name of the function or the method that TEXT means, which may name none, or NIL where its symbol is not there; and whether TEXT is a name
at all. Nothing is interned."
  (let* ((*package* (find-package '#:common-lisp-user)) (*read-eval* nil) (method (method-name-node text)))
    (if method
        (values (method-target text method) t)
        (multiple-value-bind (symbol status setf) (named-symbol text)
          (values (and status (if setf `(setf ,symbol) symbol))
                  (and (name-node text) t))))))

(defun check-breakpoint-target (name text)
  (cond ((and (symbolp name) (or (macro-function name) (special-operator-p name)))
         (refuse-breakpoint "~A names no function." text))
        ((needed-by-debugger-p name)
         (refuse-breakpoint "~S is part of Lisp itself and the debugger needs it too. Break on a function of your own."
                            (if (method-name-p name) (second name) name)))
        ((and (method-name-p name) (lacking "breakpoints on methods"))
         (refuse-breakpoint "This SBCL has no place for breakpoints on methods. Break on the generic function."))))

(defun takes-breakpoint-p (name)
  (and (not (needed-by-debugger-p name))
       (if (method-name-p name)
           (and (not (lacking "breakpoints on methods")) (named-method name) t)
           (and (fboundp name)
                (not (and (symbolp name) (or (macro-function name) (special-operator-p name))))))))

(defun needed-by-debugger-p (name)
  "True when the function or the method NAME belongs to SBCL or to the engine: the debugger itself calls it, so a break there would enter
itself. A method for a class or a symbol of the user's does not, whatever its function: only the printer calls it for the debugger, and
that lets breakpoints be."
  (and (lisps-own-symbol-p (breakpoint-symbol name))
       (not (and (method-name-p name) (some #'of-users-p (first (last name)))))))

(defun lisps-own-symbol-p (symbol)
  "True when SYMBOL belongs to SBCL or to the engine."
  (let* ((package (symbol-package symbol))
         (package-name (if package (package-name package) "")))
    (or (eq package (find-package '#:common-lisp))
        (eql 0 (search "SB-" package-name))
        (eql 0 (search "LISP-WORKBENCH" package-name)))))

(defun of-users-p (specializer)
  "True when SPECIALIZER, as it stands in the name of a method, is the name of a class of the user's or (EQL symbol) of one of theirs."
  (let ((symbol (if (and (consp specializer) (eq (first specializer) 'eql)) (second specializer) specializer)))
    (and symbol (symbolp symbol) (not (keywordp symbol)) (not (lisps-own-symbol-p symbol)))))

;;; Putting them on functions

(defun put-breakpoints (&optional (breakpoints *breakpoints*))
  "Put BREAKPOINTS on their functions, where these are there."
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
  "Return what the text of BREAKPOINT stands for: a package, a symbol, its status there, and its function. These take little time to look up."
  (destructuring-bind (prefix . name) (breakpoint-token breakpoint)
    (let ((package (find-package (or prefix '#:common-lisp-user))))
      (multiple-value-bind (symbol status) (if package (find-symbol name package) (values nil nil))
        (values package symbol status (and status (fdefn-function symbol)))))))

(defun stands-p (breakpoint)
  "True when the text of BREAKPOINT stands for what it stood for when it was put on its function last."
  (and (breakpoint-token breakpoint)
       (multiple-value-bind (package symbol status function) (standing-of breakpoint)
         (let ((before (breakpoint-standing breakpoint)))
           (and before
                (eq package (first before)) (eq symbol (second before))
                (eq status (third before)) (eq function (fourth before)))))))

(defun take-off (breakpoint)
  "Take BREAKPOINT off the function that it is on, which is as it was before."
  (let ((name (shiftf (breakpoint-name breakpoint) nil)))
    (setf (breakpoint-standing breakpoint) nil (breakpoint-shown breakpoint) nil)
    (setf (breakpoint-tests breakpoint) (vector nil nil)) ; those of another function's parameters, or of a package that is gone
    (cond ((null name))
          ((method-name-p name) (take-off-method name))
          (t (when (fboundp name) (unencapsulate name 'lisp-workbench-break))
             (forget-steppable name)))))

(defun take-off-breakpoints ()
  (mapc #'take-off *breakpoints*))

(defun note-breakpoint-target (key)
  "Put the breakpoints on their functions that the definition of KEY may have brought. Called when it was made."
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
  "Put all breakpoints on their functions. Called before and after EVALUATION: not all ways to define a function are told as they are
gone."
  (declare (ignore evaluation))
  (when (or *breakpoints* *break-types*)
    (let ((changed (remove-if #'stands-p *breakpoints*)))
      (when changed (put-breakpoints changed))
      (when (or changed *break-types*) (tell-breakpoints)))))

;;; Telling the other end

(defun breakpoints-state ()
  "Return the lists of the functions and of the condition types, (text . name) each: as it was wanted, and as the image prints what it
names, NIL where that is not there."
  (with-breakpoints
    (let ((*package* (find-package '#:common-lisp-user)))
      (list (loop for breakpoint in *breakpoints*
                  collect (cons (breakpoint-text breakpoint) (breakpoint-shown breakpoint)))
            (loop for text in *break-types*
                  for name = (condition-type text)
                  collect (cons text (and name (print-short name 300 :lines t))))))))

(defun breakpoints-fields ()
  "Return the breakpoints as fields of an object of the wire, and take them as told."
  (with-breakpoints
    (destructuring-bind (functions types) (setf *breakpoints-told* (breakpoints-state))
      (flet ((objects (states)
               (array-of (loop for (text . name) in states collect (object "wanted" text "name" name)))))
        (list "functions" (objects functions) "conditions" (objects types) "revision" (incf *breakpoints-revision*))))))

(defun breakpoints-object ()
  (apply #'object (breakpoints-fields)))

(defun tell-breakpoints ()
  "Tell the breakpoints, where they are not as they were told last."
  (unless (equal *breakpoints-told* (breakpoints-state))
    (apply #'send-event "breakpoints-changed" (breakpoints-fields))))

;;; Conditions

(defun condition-type (text)
  "Return the name of the condition type that TEXT means; NIL where it names none."
  (let ((name (breakpoint-target text)))
    (and name (symbolp name) (find-class name nil) (subtypep name 'condition) name)))

(defun want-condition-types (texts)
  "Let code that a person debugs break at conditions of the types TEXTS mean, now or once they are defined."
  (dolist (text texts)
    (multiple-value-bind (name node) (breakpoint-target text)
      (unless (and node (or (null name) (not (symbolp name)) (not (find-class name nil)) (condition-type text)))
        (refuse-breakpoint "~A names no condition type." text))))
  (setf *break-types* texts))

(defun break-type ()
  "Return the type for *BREAK-ON-SIGNALS* in code that a person debugs; NIL for none."
  (let ((types (loop for text in *break-types*
                     for name = (condition-type text)
                     when name collect name)))
    (and types `(or ,@types))))
