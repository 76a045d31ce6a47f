;;;; Every name that the engine takes from inside SBCL, in one table. The names are imported into this package and
;;;; exported again, so the rest of the engine never writes SB-IMPL:: and the like. A name that this SBCL lacks is told
;;;; by MISSING-INTERNAL; the table is thereby also the test whether an SBCL can serve.

(cl:defpackage #:lisp-workbench/internals
  (:use #:cl)
  (:export #:missing-internal #:missing-name))

(cl:in-package #:lisp-workbench/internals)

(defparameter *table*
  '(("SB-SYS" "WITHOUT-INTERRUPTS" "WITH-LOCAL-INTERRUPTS" "WITH-PINNED-OBJECTS" "VECTOR-SAP" "SAP+" "SAP-REF-8"
     "ENABLE-INTERRUPT" "*EXIT-IN-PROGRESS*" "OS-EXIT")
    ("SB-INT" "NAMED-LAMBDA" "DEBUG-SOURCE-NAMESTRING" "ENCAPSULATE" "UNENCAPSULATE" "INFO" "FIND-FDEFN" "*SETF-FDEFINITION-HOOK*"
     "CLEAR-INFO" "DROP-ALL-HASH-CACHES" "ENCAPSULATED-CONDITION" "QUASIQUOTE" "SIMPLE-FILE-ERROR")
    ("SB-KERNEL" "DYNAMIC-USAGE" "FDEFN-FUN" "REDEFINITION-WARNING" "HEAP-EXHAUSTED-ERROR" "CONTROL-STACK-EXHAUSTED"
     "BINDING-STACK-EXHAUSTED" "WITH-ARRAY-DATA" "OUTPUT-UGLY-OBJECT" "%INSTANCEP" "%FUN-LAMBDA-LIST"
     "RESTART-FUNCTION" "%FUN-NAME" "FUN-CODE-HEADER" "%CODE-TEXT-SIZE" "%DEFSTRUCT" "%DEFINE-CONDITION"
     "UNDECLARE-STRUCTURE" "FIND-CLASSOID" "DD-NAME" "DD-SLOTS" "DD-CONSTRUCTORS" "DD-PREDICATE-NAME" "DD-COPIER-NAME"
     "DSD-ACCESSOR-NAME" "%CODE-DEBUG-INFO" "%FUN-FUN" "%INSTANCE-WRAPPER" "FIND-DEFSTRUCT-DESCRIPTION"
     "REDEFINITION-WARNING-NAME" "REDEFINITION-WITH-DEFMETHOD" "REDEFINITION-WITH-DEFMETHOD-OLD-METHOD"
     "SIMPLE-PACKAGE-ERROR")
    ("SB-C" "*SOURCE-PLIST*" "*SOURCE-NAMESTRING*" "DEBUG-SOURCE-PLIST" "CORE-DEBUG-SOURCE-P" "CORE-DEBUG-SOURCE-FORM"
     "%DEFMACRO" "%DEFINE-COMPILER-MACRO" "%DEFINE-SYMBOL-MACRO" "DEBUG-INFO-SOURCE" "*POLICY*" "*SOURCE-INFO*"
     "SOURCE-INFO-FILE-INFO" "FILE-INFO-TRUENAME" "FILE-INFO-EXTERNAL-FORMAT" "MAKE-FORM-TRACKING-STREAM-OBSERVER"
     "MAKE-DEFINITION-SOURCE-LOCATION" "SUMMARIZE-COMPILATION-UNIT" "FIND-ERROR-CONTEXT" "PRINT-COMPILER-MESSAGE"
     "COMPILER-ERROR-CONTEXT-ORIGINAL-FORM" "COMPILER-ERROR-CONTEXT-CONTEXT" "COMPILER-ERROR-CONTEXT-FILE-NAME"
     "COMPILER-ERROR" "FATAL-COMPILER-ERROR" "INPUT-ERROR-IN-COMPILE-FILE" "INPUT-ERROR-IN-COMPILE-FILE-POSITION"
     "*UNDEFINED-WARNINGS*" "UNDEFINED-WARNING-NAME" "UNDEFINED-WARNING-KIND" "UNDEFINED-WARNING-WARNINGS"
     "COMPILED-DEBUG-INFO" "COMPILED-DEBUG-INFO-FUN-MAP" "COMPILED-DEBUG-FUN-TLF-NUMBER" "MAKE-DEBUG-SOURCE"
     "DEBUG-SOURCE-NAMESTRING" "DEBUG-SOURCE-CREATED" "DEBUG-SOURCE-START-POSITIONS")
    ("SB-DEBUG" "MAP-BACKTRACE" "FRAME-CALL" "%INVOKE-DEBUGGER" "*STACK-TOP-HINT*")
    ("ASDF/SOURCE-REGISTRY" "*SOURCE-REGISTRY*")
    ("SB-IMPL" "*FINALIZER-THREAD*" "*ACTIVE-PROCESSES*" "*SCHEDULER-LOCK*" "SET-SYSTEM-TIMER" "%CLEAR-SYSTEM-TIMER"
     "%TIMER-THREAD" "STEPPING-ENABLED-P" "ENABLE-STEPPING" "DISABLE-STEPPING" "%DEFUN" "%DEFVAR" "%DEFPARAMETER"
     "%DEFGLOBAL" "%DEFCONSTANT" "%DEFTYPE" "%DEFSETF" "%DEFPACKAGE" "UPDATE-INPUT-CHAR-POS"
     "ANSI-STREAM-INPUT-CHAR-POS" "ANSI-STREAM-IN-INDEX")
    ("SB-UNIX" "SIGUSR1" "UNIX-READ" "UNIX-WRITE" "UNIX-SIMPLE-POLL" "UNIX-GETPID" "SIGINT" "SIGPIPE")
    ("SB-PCL" "%METHOD-FUNCTION-FAST-FUNCTION" "METHOD-COMBINATION-TYPE-NAME" "METHOD-COMBINATION-OPTIONS"
     "SLOT-DEFINITION-DEFSTRUCT-ACCESSOR-SYMBOL" "LOAD-DEFCLASS" "LOAD-DEFGENERIC" "LOAD-DEFMETHOD"
     "LOAD-SHORT-DEFCOMBIN" "LOAD-LONG-DEFCOMBIN")
    ("SB-DI" "FRAME-DEBUG-FUN" "DEBUG-FUN-KIND")
    ("SB-VM" "MAP-ALLOCATED-OBJECTS")
    ("SB-FASL" "POSSIBLY-LOG-NEW-CODE")
    ("ASDF/PLAN" "PERFORM-PLAN" "PLAN-ACTIONS")
    ("ASDF/COMPONENT" "COMPONENT-IN-ORDER-TO"))
  "Home package and names.")

(define-condition missing-internal (error)
  ((name :initarg :name :reader missing-name))
  (:report (lambda (condition stream)
             (format stream "SBCL ~A lacks ~A." (lisp-implementation-version) (missing-name condition))))
  (:documentation "This SBCL has no symbol of that name; the engine cannot run on it."))

(defun import-table ()
  "Import and export every name of the table. Signals MISSING-INTERNAL for the first that is not there."
  (loop for (package-name . names) in *table*
        for package = (find-package package-name)
        do (dolist (name names)
             (multiple-value-bind (symbol status) (and package (find-symbol name package))
               (unless status
                 (error 'missing-internal :name (format nil "~A:~A" package-name name)))
               (import symbol '#:lisp-workbench/internals)
               (export symbol '#:lisp-workbench/internals)))))

(import-table)
