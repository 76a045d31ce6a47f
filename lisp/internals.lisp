;;;; Every name that the engine takes from inside SBCL, in one table. The names are imported into this package and
;;;; exported again, so the rest of the engine never writes SB-IMPL:: and the like. A name that this SBCL lacks is told
;;;; by MISSING-INTERNAL; the table is thereby also the test whether an SBCL can serve.

(cl:defpackage #:lisp-workbench/internals
  (:use #:cl)
  (:export #:missing-internal #:missing-name))

(cl:in-package #:lisp-workbench/internals)

(defparameter *table*
  '(("SB-SYS" "WITHOUT-INTERRUPTS" "WITH-LOCAL-INTERRUPTS" "WITH-PINNED-OBJECTS" "VECTOR-SAP"
     "SAP+" "SAP-REF-8" "ENABLE-INTERRUPT" "*EXIT-IN-PROGRESS*" "OS-EXIT")
    ("SB-INT" "ENCAPSULATE" "UNENCAPSULATE" "ENCAPSULATED-P" "INFO" "FIND-FDEFN" "*SETF-FDEFINITION-HOOK*")
    ("SB-KERNEL" "DYNAMIC-USAGE" "FDEFN-FUN" "REDEFINITION-WARNING" "HEAP-EXHAUSTED-ERROR" "CONTROL-STACK-EXHAUSTED"
     "BINDING-STACK-EXHAUSTED" "WITH-ARRAY-DATA" "OUTPUT-UGLY-OBJECT" "%INSTANCEP" "%FUN-NAME" "FUN-CODE-HEADER"
     "%CODE-TEXT-SIZE" "CLOSUREP" "%CLOSURE-FUN" "%CLOSURE-VALUES" "%CLOSURE-INDEX-REF" "VALUE-CELL-REF" "VALUE-CELL-SET"
     "WIDETAG-OF" "FIND-DEFSTRUCT-DESCRIPTION" "DD-SLOTS" "DSD-NAME" "DSD-INDEX" "DSD-READ-ONLY" "TYPE-SPECIFIER" "GET-HEADER-DATA"
     "SIMPLE-PACKAGE-ERROR" "SINGLE-FLOAT-BITS" "DOUBLE-FLOAT-BITS")
    ("SB-VM" "VALUE-CELL-WIDETAG" "+PSEUDO-STATIC-GENERATION+" "ARRAY-FLAGS-DATA-POSITION" "INSTANCE-SLOTS-OFFSET" "VECTOR-DATA-OFFSET" "SYMBOL-VALUE-SLOT"
     "SYMBOL-INFO-SLOT" "CONS-CAR-SLOT" "+VECTOR-SHAREABLE+" "+VECTOR-SHAREABLE-NONSTD+" "MAP-ALLOCATED-OBJECTS")
    ("SB-PCL" "%METHOD-FUNCTION-FAST-FUNCTION" "METHOD-COMBINATION-TYPE-NAME" "METHOD-COMBINATION-OPTIONS"
     "SLOT-DEFINITION-DEFSTRUCT-ACCESSOR-SYMBOL" "SLOT-CLASS")
    ("SB-THREAD" "RUN")
    ("SB-C" "*SOURCE-PLIST*" "*SOURCE-NAMESTRING*")
    ("SB-DEBUG" "MAP-BACKTRACE" "FRAME-CALL" "%INVOKE-DEBUGGER" "*STACK-TOP-HINT*")
    ("SB-DI" "DEBUG-FUN" "DEBUG-FUN-NAME" "FRAME-DEBUG-FUN" "DEBUG-FUN-KIND")
    ("ASDF/SOURCE-REGISTRY" "*SOURCE-REGISTRY*")
    ("SB-IMPL" "*FINALIZER-THREAD*" "*ACTIVE-PROCESSES*" "*SCHEDULER-LOCK*" "*STANDARD-READTABLE*"
     "SET-SYSTEM-TIMER" "%CLEAR-SYSTEM-TIMER" "%TIMER-THREAD")
    ("SB-SPROF" "*SAMPLES*" "*PROFILING*" "MAKE-CALL-GRAPH" "MAP-TRACE-PC-LOCS")
    ("SB-UNIX" "SIGUSR1" "UNIX-READ" "UNIX-WRITE" "UNIX-SIMPLE-POLL" "UNIX-GETPID" "SIGINT" "SIGPIPE"))
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
