;;;; A context stores the state of one connection or one REPL in the shared image: current package, reader and printer variables, * + /, and
;;;; the last error. Definitions belong to the image, not to a context.

(in-package #:lisp-workbench/evaluation)

(defstruct context
  (package (find-package '#:common-lisp-user))
  (values (initial-values))
  (history (make-list 10 :initial-element nil))
  (directory nil)                       ; the value of *DEFAULT-PATHNAME-DEFAULTS* that the context's code has set, stored so that it does
                                        ; not affect other contexts; otherwise NIL
  (last-error nil)
  (last-code nil)
  (last-functions '())                  ; names of the functions in the frames of the last error
  (last-locations '())                  ; (name . code location) of those frames, if known
  (hooks (list 'debugger-hook 'debugger-hook 'funcall nil))
  (defaults '())                        ; the default variables that the context's code has set, only for guarded code, see defaults.lisp
  (float-modes nil))                    ; the context's floating point modes; NIL means the person's

(eval-when (:compile-toplevel :load-toplevel :execute)
  (defparameter *kept-variables*
    '(*readtable* *read-base* *read-default-float-format* *print-base* *print-radix* *print-case* *print-array*
      *print-gensym* *print-pretty* *print-length* *print-level* *print-circle* *print-lines* *print-escape*
      *print-right-margin* *print-miser-width* *print-pprint-dispatch*)
    "Variables that are bound for each evaluation. If the evaluation succeeds, the context stores their values.")
  (defparameter *history-variables* '(- + ++ +++ * ** *** / // ///)
    "Variables of the history, which the context stores in the same way."))

(defmacro with-variables (variables values &body body)
  "Bind the special VARIABLES, known at compile time, to the elements of the list VALUES. Like PROGV, but faster."
  (let ((names (mapcar (lambda (variable) (gensym (symbol-name variable))) (symbol-value variables))))
    `(destructuring-bind ,names ,values
       (let ,(mapcar #'list (symbol-value variables) names)
         ,@body))))

(defmacro variable-values (variables)
  "Return the values of VARIABLES as a list."
  `(list ,@(symbol-value variables)))

(defvar *contexts* (make-hash-table :test #'equal :synchronized t) "Id → context.")

(defun initial-values ()
  (cons (copy-readtable nil)
        (list 10 'single-float 10 nil :upcase t t t nil nil nil nil t nil nil (copy-pprint-dispatch *print-pprint-dispatch*))))

(defun find-context (id)
  (gethash id *contexts*))

(defun ensure-context (id)
  (or (gethash id *contexts*)
      (setf (gethash id *contexts*) (make-context))))

(defun forget-context (id)
  "Remove the context ID. Return true if it existed."
  (remhash id *contexts*))

(defun context-variable (id symbol)
  "Return two values: the value of SYMBOL for code in the context ID, and true if each context has its own value of SYMBOL."
  (let ((context (find-context id)))
    (flet ((among (variables values)
             (let ((position (position symbol variables)))
               (when position (return-from context-variable (values (nth position values) t))))))
      (cond ((eq symbol '*package*)
             (values (if context (live-package (context-package context)) (find-package '#:common-lisp-user)) t))
            (t (among *history-variables* (and context (context-history context)))
               (when context (among *kept-variables* (context-values context)))
               (if context (default-in-context context symbol) (values nil nil)))))))

(defun live-package (package)
  "Return PACKAGE. If it was deleted, return CL-USER."
  (if (and (packagep package) (package-name package))
      package
      (find-package '#:common-lisp-user)))

(defun context-package-name (id)
  "Return the name of the current package of a context, even if the context does not exist yet."
  (let ((context (find-context id)))
    (package-name (if context
                      (live-package (context-package context))
                      (find-package '#:common-lisp-user)))))

(defun enter-package (context name)
  "Make the package NAME current in CONTEXT if that package exists. Return the name of the current package."
  (let ((package (find-package name)))
    (when package (setf (context-package context) package))
    (package-name (live-package (context-package context)))))

(defun designated-package (name)
  "Return the package that NAME designates, as written or in upper case, or NIL."
  (or (find-package name) (find-package (string-upcase name))))

(defvar *session-depth* nil
  "The depth of this thread's binding stack, as an address, at the point where the session's variables were bound and its code began; NIL in
threads without a session.")

(defun binding-depth ()
  "Return the top of this thread's binding stack, as an address; NIL if this SBCL does not provide it."
  (unless (lacking "variables of new threads")
    (sb-sys:sap-int (binding-stack-pointer-sap))))

(defmacro with-session-values (() &body body)
  "Run BODY, user code, for which the session's variables have just been bound."
  `(let ((*session-depth* (binding-depth))) ,@body))

(defvar *break-on-signals-type* (constantly nil) "A function that returns the value of *BREAK-ON-SIGNALS* for code that the person debugs.")

(defun break-on-signals-type ()
  (and *evaluation* (debugged-p *evaluation*) (funcall *break-on-signals-type*)))

(defun call-in-context (context package function)
  "Call FUNCTION with the variables of CONTEXT bound, and *PACKAGE* bound to PACKAGE. If FUNCTION returns true, which means success, store
the final values of the variables in CONTEXT (decision 3: the package only if it was changed). In that case, also store the hooks that the
code has set; these hooks apply only to CONTEXT."
  (with-variables *kept-variables* (context-values context)
    (with-variables *history-variables* (context-history context)
      (destructuring-bind (debugger-hook invoke-debugger-hook macroexpand-hook break-on-signals) (context-hooks context)
        (let* ((*read-eval* t) (*read-suppress* nil) (*print-readably* nil) (*macroexpand-hook* macroexpand-hook)
               (wanted (break-on-signals-type)) ; stored, because the type may be different when the code ends
               (*break-on-signals* (or break-on-signals wanted))
               (*debugger-hook* debugger-hook) (sb-ext:*invoke-debugger-hook* invoke-debugger-hook)
               (*loading* nil) (*load-pathname* nil) (*load-truename* nil) (*compile-file-pathname* nil) (*compile-file-truename* nil)
               (*guarded-printing* nil)
               (*default-pathname-defaults* (default-directory context))
               (*package* package))
          (when (with-session-values () (funcall function))
            (unless (eq *package* package)
              (setf (context-package context) (live-package *package*)))
            (unless (eq *default-pathname-defaults* (default-directory context))
              (setf (context-directory context) *default-pathname-defaults*))
            (setf (context-hooks context)
                  (list *debugger-hook* sb-ext:*invoke-debugger-hook* *macroexpand-hook*
                        (if (equal *break-on-signals* wanted) nil *break-on-signals*)))
            (keep-values context)))))))

(defun default-directory (context)
  (or (context-directory context) (sb-ext:symbol-global-value '*default-pathname-defaults*)))

(defun keep-values (context)
  (setf (context-values context) (variable-values *kept-variables*)
        (context-history context) (variable-values *history-variables*))
  (unless (readable-readtable-p *readtable*)
    (setf (context-values context) (initial-values))))

(defun readable-readtable-p (readtable)
  "Return true if READTABLE can still read lists, strings and quotes. Without these, a person could no longer repair the readtable."
  (and (readtablep readtable)
       (let ((*readtable* readtable) (*package* (find-package '#:keyword)) (*read-base* 10))
         (flet ((standard-p (char)
                  (eq (get-macro-character char readtable) (get-macro-character char nil))))
           (or (and (standard-p #\() (standard-p #\)) (standard-p #\") (standard-p #\'))
               (equal (ignore-errors (let ((form (read-from-string "(1 \"b\")")))
                                       (and (consp form) form)))
                      '(1 "b")))))))
