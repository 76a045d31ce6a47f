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
    ("SB-INT" "ENCAPSULATE" "UNENCAPSULATE" "INFO" "FIND-FDEFN" "*SETF-FDEFINITION-HOOK*")
    ("SB-KERNEL" "DYNAMIC-USAGE" "FDEFN-FUN" "REDEFINITION-WARNING" "HEAP-EXHAUSTED-ERROR" "CONTROL-STACK-EXHAUSTED"
     "BINDING-STACK-EXHAUSTED" "WITH-ARRAY-DATA" "OUTPUT-UGLY-OBJECT" "%INSTANCEP")
    ("SB-C" "*SOURCE-PLIST*" "*SOURCE-NAMESTRING*")
    ("SB-C" "*POLICY*" "*SOURCE-INFO*" "SOURCE-INFO-FILE-INFO" "FILE-INFO-TRUENAME" "FILE-INFO-EXTERNAL-FORMAT"
     "MAKE-FORM-TRACKING-STREAM-OBSERVER" "MAKE-DEFINITION-SOURCE-LOCATION" "SUMMARIZE-COMPILATION-UNIT"
     "FIND-ERROR-CONTEXT" "PRINT-COMPILER-MESSAGE" "COMPILER-ERROR-CONTEXT-ORIGINAL-FORM" "COMPILER-ERROR-CONTEXT-CONTEXT"
     "COMPILER-ERROR-CONTEXT-FILE-NAME"
     "COMPILER-ERROR" "FATAL-COMPILER-ERROR" "INPUT-ERROR-IN-COMPILE-FILE" "INPUT-ERROR-IN-COMPILE-FILE-POSITION"
     "*UNDEFINED-WARNINGS*" "UNDEFINED-WARNING-NAME" "UNDEFINED-WARNING-KIND" "UNDEFINED-WARNING-WARNINGS"
     "COMPILED-DEBUG-INFO" "COMPILED-DEBUG-INFO-FUN-MAP" "COMPILED-DEBUG-FUN-TLF-NUMBER" "DEBUG-INFO-SOURCE"
     "MAKE-DEBUG-SOURCE" "DEBUG-SOURCE-NAMESTRING" "DEBUG-SOURCE-CREATED" "DEBUG-SOURCE-START-POSITIONS")
    ("SB-INT" "ENCAPSULATED-CONDITION" "QUASIQUOTE")
    ("SB-KERNEL" "REDEFINITION-WARNING-NAME" "REDEFINITION-WITH-DEFMETHOD"
     "REDEFINITION-WITH-DEFMETHOD-OLD-METHOD" "%CODE-DEBUG-INFO")
    ("SB-IMPL" "UPDATE-INPUT-CHAR-POS" "ANSI-STREAM-INPUT-CHAR-POS" "ANSI-STREAM-IN-INDEX")
    ("SB-FASL" "POSSIBLY-LOG-NEW-CODE")
    ("SB-DEBUG" "MAP-BACKTRACE" "FRAME-CALL" "%INVOKE-DEBUGGER" "*STACK-TOP-HINT*")
    ("SB-DI" "FRAME-DEBUG-FUN" "DEBUG-FUN-KIND")
    ("SB-INT" "SIMPLE-FILE-ERROR")
    ("SB-KERNEL" "SIMPLE-PACKAGE-ERROR")
    ("ASDF/SOURCE-REGISTRY" "*SOURCE-REGISTRY*")
    ("ASDF/PLAN" "PERFORM-PLAN" "PLAN-ACTIONS")
    ("ASDF/COMPONENT" "COMPONENT-IN-ORDER-TO")
    ("SB-UNIX" "UNIX-READ" "UNIX-WRITE" "UNIX-SIMPLE-POLL" "UNIX-GETPID" "SIGINT" "SIGPIPE"))
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
