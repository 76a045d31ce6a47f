;;;; A context is what belongs to one connection or one REPL in the shared image: current package, reader and printer
;;;; variables, * + /, and the last error. Definitions belong to the image.

(in-package #:lisp-workbench/evaluation)

(defstruct context
  (package (find-package '#:common-lisp-user))
  (values (initial-values))
  (history (make-list 10 :initial-element nil))
  (last-error nil)
  (last-code nil))

(eval-when (:compile-toplevel :load-toplevel :execute)
  (defparameter *kept-variables*
    '(*readtable* *read-base* *read-default-float-format* *print-base* *print-radix* *print-case* *print-array*
      *print-gensym* *print-pretty* *print-length* *print-level* *print-circle* *print-lines* *print-escape*
      *print-right-margin* *print-miser-width* *print-pprint-dispatch*)
    "Bound for each evaluation, kept for the context when it succeeds.")
  (defparameter *history-variables* '(- + ++ +++ * ** *** / // ///)
    "The same."))

(defmacro with-variables (variables values &body body)
  "Bind the special VARIABLES, known when this is compiled, to the elements of the list VALUES. Like PROGV, but faster."
  (let ((names (mapcar (lambda (variable) (gensym (symbol-name variable))) (symbol-value variables))))
    `(destructuring-bind ,names ,values
       (let ,(mapcar #'list (symbol-value variables) names)
         ,@body))))

(defmacro variable-values (variables)
  "Their values as a list."
  `(list ,@(symbol-value variables)))

(defvar *contexts* (make-hash-table :test #'equal :synchronized t) "Id → context.")

(defun initial-values ()
  (cons (copy-readtable nil)
        (list 10 'single-float 10 nil :upcase t t t nil nil nil nil t nil nil *print-pprint-dispatch*)))

(defun find-context (id)
  (gethash id *contexts*))

(defun ensure-context (id)
  (or (gethash id *contexts*)
      (setf (gethash id *contexts*) (make-context))))

(defun forget-context (id)
  "True when there was one."
  (remhash id *contexts*))

(defun context-variable (id symbol)
  "The value that SYMBOL has in the code of a context, and whether it is one of the variables that each context has of its own."
  (let ((context (find-context id)))
    (flet ((among (variables values)
             (let ((position (position symbol variables)))
               (when position (return-from context-variable (values (nth position values) t))))))
      (cond ((eq symbol '*package*)
             (values (if context (live-package (context-package context)) (find-package '#:common-lisp-user)) t))
            (t (among *history-variables* (and context (context-history context)))
               (when context (among *kept-variables* (context-values context)))
               (values nil nil))))))

(defun live-package (package)
  "PACKAGE unless it was deleted, then CL-USER."
  (if (and (packagep package) (package-name package))
      package
      (find-package '#:common-lisp-user)))

(defun context-package-name (id)
  "Name of the current package of a context that may not exist yet."
  (let ((context (find-context id)))
    (package-name (if context
                      (live-package (context-package context))
                      (find-package '#:common-lisp-user)))))

(defun designated-package (name)
  "The package that NAME designates: as given, then in upper case; NIL when none."
  (or (find-package name) (find-package (string-upcase name))))

(defvar *break-on-signals-type* (constantly nil) "Called for the value of *BREAK-ON-SIGNALS* in code that a person debugs.")

(defun break-on-signals-type ()
  (and *evaluation* (debugged-p *evaluation*) (funcall *break-on-signals-type*)))

(defun call-in-context (context package function)
  "Call FUNCTION with the variables of CONTEXT bound, *PACKAGE* to PACKAGE. FUNCTION returns whether it succeeded; then what
the variables hold in the end is kept (REQUIREMENTS decision 3: the package only when it was changed). Hooks and the like
are what they always are, whatever an earlier evaluation set them to."
  (with-variables *kept-variables* (context-values context)
    (with-variables *history-variables* (context-history context)
      (let ((*read-eval* t) (*read-suppress* nil) (*print-readably* nil) (*macroexpand-hook* 'funcall)
            (*break-on-signals* (break-on-signals-type)) (*debugger-hook* 'debugger-hook) (sb-ext:*invoke-debugger-hook* 'debugger-hook)
            (*load-pathname* nil) (*load-truename* nil) (*compile-file-pathname* nil) (*compile-file-truename* nil)
            (*guarded-printing* nil)
            (*package* package))
        (when (funcall function)
          (unless (eq *package* package)
            (setf (context-package context) (live-package *package*)))
          (keep-values context))))))

(defun keep-values (context)
  (setf (context-values context) (variable-values *kept-variables*)
        (context-history context) (variable-values *history-variables*))
  (unless (readable-readtable-p *readtable*)
    (setf (context-values context) (initial-values))))

(defun readable-readtable-p (readtable)
  "Whether lists, strings and quotes can still be read with READTABLE; without them nobody could mend it."
  (and (readtablep readtable)
       (let ((*readtable* readtable) (*package* (find-package '#:keyword)) (*read-base* 10))
         (flet ((standard-p (char)
                  (eq (get-macro-character char readtable) (get-macro-character char nil))))
           (or (and (standard-p #\() (standard-p #\)) (standard-p #\") (standard-p #\'))
               (equal (ignore-errors (let ((form (read-from-string "(1 \"b\")")))
                                       (and (consp form) form)))
                      '(1 "b")))))))
