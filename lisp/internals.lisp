;;;; All SBCL and contrib internals that the engine uses, in one table, by the feature that needs them. The names are imported into this
;;;; package and exported again (resolving.lisp), so that the rest of the engine never contains prefixes such as SB-IMPL::. The engine
;;;; checks whether each name exists, and never checks the version of SBCL.

(cl:defpackage #:lisp-workbench/internals
  (:use #:cl)
  ;; SBCL's manual documents these names, so they are not listed as internals.
  (:import-from #:sb-sys #:without-interrupts #:with-local-interrupts #:allow-with-interrupts #:with-interrupts #:with-pinned-objects
                #:vector-sap #:sap+ #:sap-int #:sap-ref-8 #:signed-sap-ref-32 #:signed-sap-ref-64)
  (:export #:without-interrupts #:with-local-interrupts #:allow-with-interrupts #:with-interrupts #:with-pinned-objects
           #:vector-sap #:sap+ #:sap-int #:sap-ref-8 #:signed-sap-ref-32 #:signed-sap-ref-64)
  (:export #:missing-internal #:lacking #:lacking-features #:turn-off #:*following* #:following-p #:call-with-refusals #:fdefn-function
           #:call-keeping-restrictions #:function-cell #:function-in-cell
           #:*commas-numbered* #:*quoted-numbered* #:form-part #:function-callees))

(cl:in-package #:lisp-workbench/internals)

(defparameter *contribs*
  '((:asdf . "loading systems") (:sb-posix . "files and processes") (:sb-bsd-sockets . "asking before code connects")
    (:sb-introspect) (:sb-cltl2) (:sb-sprof) (:sb-cover))
  "Modules that contain some of the names. If an entry has a feature, the engine cannot start without that feature.")

(defparameter *restrictions* '("SB-C:*POLICY-MIN*" "SB-C:*POLICY-MAX*")
  "Variables that contributed modules change for the whole image.")

(defparameter *table*
  '((:essential "evaluating code"
     (:function "SB-SYS:OS-EXIT" "SB-UNIX:UNIX-READ" "SB-UNIX:UNIX-WRITE"
      "SB-UNIX:UNIX-SIMPLE-POLL" "SB-KERNEL:DYNAMIC-USAGE" "SB-KERNEL:OUTPUT-UGLY-OBJECT"
      "SB-DEBUG:%INVOKE-DEBUGGER" "SB-INT:ENCAPSULATE" "SB-INT:UNENCAPSULATE" "SB-INT:ENCAPSULATED-P" "SB-INT:INFO"
      "SB-INT:FIND-FDEFN" "SB-KERNEL:FDEFN-FUN" "SB-KERNEL:%SYMBOL-FUNCTION" "SB-KERNEL:%FUN-LAMBDA-LIST"
      "SB-UNIX:CLOCK-GETTIME" "SB-KERNEL:CHARPOS" "SB-KERNEL:FIND-DEFSTRUCT-DESCRIPTION" "SB-KERNEL:DD-SLOTS" "SB-KERNEL:DSD-NAME")
     (:variable "SB-C:*SOURCE-PLIST*" "SB-C:*SOURCE-NAMESTRING*")
     (:type "SB-KERNEL:FDEFN" "SB-KERNEL:ANSI-STREAM" "SB-KERNEL:HEAP-EXHAUSTED-ERROR" "SB-INT:SIMPLE-FILE-ERROR" "SB-KERNEL:SIMPLE-PACKAGE-ERROR"
      "SB-KERNEL:REDEFINITION-WARNING"))

    (:essential "asking before code reaches outside the image"
     (:macro "SB-INT:NAMED-LAMBDA")
     (:function "SB-INT:CALL-HOOKS" "SB-INT:CLEAR-INFO" "SB-KERNEL:%FUN-LAMBDA-LIST" "SB-KERNEL:%FUN-NAME" "SB-KERNEL:%SET-SYMBOL-PACKAGE"
      "SB-IMPL:GET-PROCESSES-STATUS-CHANGES" "SB-UNIX:UNIX-ISATTY" "SB-UNIX:UNIX-STAT" "SB-UNIX:UNIX-LSTAT" "SB-UNIX:UNIX-FSTAT" "SB-UNIX:UNIX-OPEN" "SB-IMPL:FD-STREAM-PATHNAME" "SB-IMPL:FD-STREAM-FILE")
     (:variable "SB-INT:*SETF-FDEFINITION-HOOK*" "SB-IMPL:*ACTIVE-PROCESSES*" "SB-SYS:*EXIT-IN-PROGRESS*" "SB-KERNEL:*GC-INHIBIT*" "SB-IMPL:*FINALIZER-THREAD*"))

    ("starting exactly the approved program" ()
     (:function "SB-IMPL:SPAWN" "SB-SYS:DLOPEN-OR-LOSE" "SB-ALIEN:SHARED-OBJECT-NAMESTRING"))

    ("compiler notes on agents' inline functions" ()
     (:function "SB-C:WARN-IF-INLINE-FAILED/CALL"))

    ("source locations of guarded functions" ()
     (:function "SB-C:COMPILE-IN-LEXENV" "SB-KERNEL:MAKE-NULL-LEXENV" "SB-KERNEL:FUN-CODE-HEADER" "SB-KERNEL:%FUN-FUN" "SB-KERNEL:%SIMPLE-FUN-SOURCE" "SB-KERNEL:%SIMPLE-FUN-TYPE" "SB-KERNEL:SPECIFIER-TYPE"
      "SB-KERNEL:%SIMPLE-FUN-INFO" "SB-KERNEL:%CODE-DEBUG-INFO" "SB-C:COMPILED-DEBUG-INFO-SOURCE" "SB-INTROSPECT:FIND-DEFINITION-SOURCE"
      "SB-INTROSPECT:DEFINITION-SOURCE-PATHNAME" "SB-INTROSPECT:DEFINITION-SOURCE-FORM-PATH" "SB-INTROSPECT:FUNCTION-TYPE"))

    ("showing objects passed to INSPECT in the window" () (:variable "SB-IMPL:*INSPECT-FUN*"))

    ("octets on the standard streams" ()
     (:function "SB-IMPL:STREAM-ELEMENT-MODE"))

    ("variables of new threads" ()
     (:function "SB-KERNEL:BINDING-STACK-POINTER-SAP" "SB-KERNEL:SYMBOL-TLS-INDEX" "SB-SYS:SAP-REF-LISPOBJ")
     (:constant "SB-VM:BINDING-SIZE" "SB-VM:BINDING-VALUE-SLOT" "SB-VM:BINDING-SYMBOL-SLOT" "SB-VM:N-WORD-BYTES" "SB-VM:UNBOUND-MARKER-WIDETAG"))

    ("compiling like plain SBCL, even after a contributed module is loaded" ()
     (:function "SB-IMPL:MODULE-PROVIDE-CONTRIB"))

    ("compilation policies of each client" ()
     (:variable "SB-C:*POLICY*" "SB-C:*POLICY-MIN*" "SB-C:*POLICY-MAX*" "SB-C:*MACRO-POLICY*" "SB-C:*HANDLED-CONDITIONS*"
      "SB-C:*DISABLED-PACKAGE-LOCKS*"))

    ("floating point modes of each client" ()
     (:function "SB-VM:FLOATING-POINT-MODES")
     (:constant "SB-VM:FLOAT-STICKY-BITS"))

    ("skipping the terminal check for ordinary files" ()
     (:function "SB-IMPL:FD-STREAM-FD-TYPE"))

    ("guarding code that agents defined" ()
     (:function "SB-C:MAKE-XEP-LAMBDA-EXPRESSION" "SB-INT:FUN-NAME-INLINE-EXPANSION" "SB-C:PRODUCING-FASL-FILE" "SB-PCL:PCL-COMPILE" "SB-KERNEL:FUN-CODE-HEADER"
      "SB-KERNEL:%FUN-FUN" "SB-KERNEL:CODE-HEADER-WORDS" "SB-KERNEL:CODE-HEADER-REF" "SB-C:LEXENV-VARS" "SB-C:LEXENV-FUNS" "SB-C:IR1-CONVERT" "SB-C:FUNCTIONAL-LEXENV" "SB-C:FUNCTIONAL-DEBUG-NAME" "SB-C:OPTIONAL-DISPATCH-MIN-ARGS"
      "SB-KERNEL:CLOSUREP")
     (:variable "SB-C:*COMPILE-OBJECT*")
     (:name "SB-CLTL2:COMPILER-LET" "SB-C:*LEXENV*")
     (:constant "SB-VM:CODE-CONSTANTS-OFFSET")
     (:type "SB-C:CLAMBDA"))

    ("guarding code that agents load from files" ()
     (:function "SB-FASL:LOAD-AS-FASL" ("SB-FASL:LOAD-AS-SOURCE" "SB-INT:LOAD-AS-SOURCE") "SB-C:SUB-COMPILE-FILE"))

    ("comparing agents' code that is compiled again" ()
     (:function "SB-C:MAKE-CORE-COMPONENT" "SB-ASSEM:SEGMENT-CONTENTS-AS-VECTOR"
      "SB-KERNEL:FUN-CODE-HEADER" "SB-KERNEL:%FUN-FUN" "SB-KERNEL:CODE-HEADER-WORDS"
      "SB-KERNEL:CODE-HEADER-REF" "SB-KERNEL:CLOSUREP" "SB-KERNEL:%CLOSURE-VALUES" "SB-KERNEL:WIDETAG-OF" "SB-KERNEL:FDEFN-NAME"
      "SB-KERNEL:VALUE-CELL-REF" "SB-KERNEL:CLASSOID-NAME" ("SB-KERNEL:WRAPPER-CLASSOID" "SB-KERNEL:LAYOUT-CLASSOID"))
     (:constant "SB-VM:CODE-CONSTANTS-OFFSET" "SB-VM:VALUE-CELL-WIDETAG")
     (:type "SB-KERNEL:FDEFN"))

    ("comparing reloaded code" ()
     (:function "SB-KERNEL:FUN-CODE-HEADER" "SB-KERNEL:%FUN-FUN" "SB-KERNEL:CODE-HEADER-WORDS" "SB-KERNEL:CODE-HEADER-REF" "SB-KERNEL:%CODE-TEXT-SIZE"
      "SB-KERNEL:CODE-INSTRUCTIONS" "SB-KERNEL:CLOSUREP" "SB-KERNEL:%CLOSURE-VALUES" "SB-KERNEL:FDEFN-NAME"
      "SB-KERNEL:%SIMPLE-FUN-XREFS"
      "SB-KERNEL:DD-NAME" "SB-KERNEL:DD-SLOTS" "SB-KERNEL:DD-INCLUDE" "SB-KERNEL:DD-CONSTRUCTORS" "SB-KERNEL:DD-PREDICATE-NAME" "SB-KERNEL:DD-COPIER-NAME")
     (:constant "SB-VM:CODE-CONSTANTS-OFFSET")
     (:type "SB-KERNEL:DEFSTRUCT-DESCRIPTION" "SB-IMPL:COMMA"))

    ("guarding code that uses agents' definitions" ()
     (:function "SB-KERNEL:PARSE-DEFSTRUCT" "SB-KERNEL:FROB-DD-INCLUSION-STUFF" "SB-KERNEL:PARSE-1-DSD" "SB-KERNEL:DD-INCLUDE"
      "SB-KERNEL:DD-CONSTRUCTORS" "SB-KERNEL:DSD-DEFAULT" "SB-KERNEL:FIND-DEFSTRUCT-DESCRIPTION" "SB-KERNEL:%DEFSTRUCT"
      "SB-PCL:LOAD-SHORT-DEFCOMBIN" "SB-PCL:LOAD-LONG-DEFCOMBIN" "SB-PCL:MAKE-EFFECTIVE-METHOD-FUNCTION1"
      "SB-PCL:METHOD-COMBINATION-TYPE-NAME" "SB-IMPL:%DEFSETF" "SB-C:%DEFINE-SYMBOL-MACRO"))

    ("guarding code that agents' compiler transforms return" ()
     (:function "SB-C:%DEFINE-SOURCE-TRANSFORM" "SB-C:%DEFTRANSFORM"))

    ("guarding code that agents interpret" ()
     (:function "SB-EVAL:MAKE-INTERPRETED-FUNCTION" "SB-EVAL:INTERPRETED-APPLY"))

    ("checkpoints" ()
     (:function "SB-SYS:ENABLE-INTERRUPT" "SB-IMPL:SET-SYSTEM-TIMER" "SB-IMPL:%CLEAR-SYSTEM-TIMER" "SB-IMPL:%TIMER-THREAD"
      "SB-IMPL:RUN-TIMER" "SB-IMPL:%TIMER-EXPIRE-TIME" "SB-IMPL:PEEK-SCHEDULE")
     (:variable "SB-IMPL:*ACTIVE-PROCESSES*" "SB-IMPL:*SCHEDULER-LOCK*"))

    ("stack traces" ("thread-backtrace")
     (:function "SB-DEBUG:MAP-BACKTRACE" "SB-DEBUG:FRAME-CALL")
     (:variable "SB-DEBUG:*STACK-TOP-HINT*")
     (:name "SB-THREAD:RUN"))

    ("the debugger's frames" ("frame-locals" "disassemble-frame" "eval-in-frame" "return-from-frame" "restart-frame"
                              "debug-function")
     (:macro "SB-DI:DO-DEBUG-FUN-VARS" "SB-INT:NAMED-LAMBDA")
     (:function "SB-DI:FRAME-CODE-LOCATION" "SB-DI:FRAME-DEBUG-FUN" "SB-DI:CODE-LOCATION-DEBUG-SOURCE"
      "SB-DI:CODE-LOCATION-FORM-NUMBER" "SB-DI:CODE-LOCATION-TOPLEVEL-FORM-OFFSET" "SB-DI:FORM-NUMBER-TRANSLATIONS"
      "SB-DI:DEBUG-VAR-SYMBOL" "SB-DI:DEBUG-VAR-ID" "SB-DI:DEBUG-VAR-VALIDITY" "SB-DI:DEBUG-VAR-VALUE"
      "SB-DI:DEBUG-FUN-FUN" "SB-DI:FUN-DEBUG-FUN" "SB-DI:DEBUG-FUN-START-LOCATION" "SB-DI:EVAL-IN-FRAME" "SB-DI:DEBUG-VAR-INFO-AVAILABLE"
      "SB-DEBUG:FRAME-HAS-DEBUG-TAG-P" "SB-DEBUG:UNWIND-TO-FRAME-AND-CALL" "SB-INT:COMMA-P" "SB-INT:COMMA-EXPR" "SB-C:DEBUG-SOURCE-PLIST"
      "SB-C:CORE-DEBUG-SOURCE-P" "SB-C:CORE-DEBUG-SOURCE-FORM"
      ("SB-C:DEBUG-SOURCE-NAMESTRING" "SB-INT:DEBUG-SOURCE-NAMESTRING")
      ("SB-C:DEBUG-SOURCE-CREATED" "SB-INT:DEBUG-SOURCE-CREATED"))
     (:type "SB-DI:DEBUG-CONDITION"))

    ("arguments of restarts" ()
     (:function "SB-KERNEL:RESTART-FUNCTION" "SB-KERNEL:%FUN-LAMBDA-LIST"))

    ("restarts that ask for their arguments" ()
     (:function "SB-KERNEL:RESTART-INTERACTIVE-FUNCTION"))

    ("debugging after stack exhaustion" ()
     (:function "SB-KERNEL:CURRENT-SP" "SB-KERNEL:GET-LISP-OBJ-ADDRESS" "SB-DI:FRAME-POINTER")
     (:variable "SB-VM:*CONTROL-STACK-START*")
     (:type "SB-KERNEL:CONTROL-STACK-EXHAUSTED"))

    ("separating breakpoint conditions from the code's handlers" ()
     (:variable "SB-KERNEL:*HANDLER-CLUSTERS*" "SB-KERNEL:**INITIAL-HANDLER-CLUSTERS**"))

    ("breakpoints on methods" ()
     (:function "SB-PCL:MAYBE-TRACE-METHOD" "SB-PCL:FLUSH-EFFECTIVE-METHOD-CACHE" "SB-PCL:UPDATE-DFUN" "SB-PCL:INVOKE-EMF"))

    ("breakpoints on initialization methods" ()
     (:function "SB-PCL:OPTIMIZING-GENERATOR" "SB-PCL:FALLBACK-GENERATOR" "SB-PCL:UPDATE-CTORS"))

    ("stepping" ("step")
     (:function "SB-IMPL:STEPPING-ENABLED-P" "SB-IMPL:ENABLE-STEPPING" "SB-IMPL:DISABLE-STEPPING" "SB-DI:FIND-STEPPED-FRAME" "SB-DI:FRAME-POINTER"
      "SB-KERNEL:FDEFN-NAME"))

    ("breakpoints on lines" ()
     (:function "SB-WALKER:WALK-FORM"))

    ("finding code that can be stepped through" ()
     (:macro "SB-DI:DO-DEBUG-FUN-BLOCKS" "SB-DI:DO-DEBUG-BLOCK-LOCATIONS")
     (:function "SB-DI:DEBUG-FUN-FROM-PC" "SB-DI:FILL-IN-CODE-LOCATION" "SB-DI:COMPILED-CODE-LOCATION-STEP-INFO" "SB-DI:COMPILED-CODE-LOCATION-KIND"
      "SB-DI:COMPILED-CODE-LOCATION-PC" "SB-DI:CODE-LOCATION-FORM-NUMBER" "SB-KERNEL:FUN-CODE-HEADER"
      "SB-KERNEL:%FUN-FUN" "SB-KERNEL:%CODE-TEXT-SIZE" "SB-DI:DEBUG-FUN-NAME"))

    ("finding definitions" ("find-definition" "definition-states")
     (:function "SB-INTROSPECT:FIND-DEFINITION-SOURCE" "SB-INTROSPECT:FIND-DEFINITION-SOURCES-BY-NAME"
      "SB-INTROSPECT:DEFINITION-SOURCE-PATHNAME" "SB-INTROSPECT:DEFINITION-SOURCE-PLIST"
      "SB-INTROSPECT:DEFINITION-SOURCE-CHARACTER-OFFSET" "SB-INTROSPECT:DEFINITION-SOURCE-FORM-PATH"
      "SB-INTROSPECT:DEFINITION-SOURCE-FORM-NUMBER" "SB-INTROSPECT:DEFINITION-SOURCE-FILE-WRITE-DATE"))

    ("functions of structures" ()
     (:function "SB-KERNEL:DD-NAME" "SB-KERNEL:DSD-NAME")
     (:type "SB-KERNEL:DEFSTRUCT-DESCRIPTION"))

    ("lambda lists" ("arglist")
     (:function ("SB-INTROSPECT:FUNCTION-LAMBDA-LIST" "SB-KERNEL:%FUN-LAMBDA-LIST") "SB-INTROSPECT:DEFTYPE-LAMBDA-LIST"))

    ("who-calls and other cross references" ("cross-references")
     (:function "SB-INTROSPECT:WHO-CALLS" "SB-INTROSPECT:WHO-MACROEXPANDS" "SB-INTROSPECT:WHO-REFERENCES"
      "SB-INTROSPECT:WHO-BINDS" "SB-INTROSPECT:WHO-SETS" "SB-INTROSPECT:FIND-FUNCTION-CALLERS"
      "SB-INTROSPECT:FIND-FUNCTION-CALLEES" "SB-KERNEL:%FUN-NAME" "SB-PCL:%METHOD-FUNCTION-FAST-FUNCTION"
      "SB-KERNEL:FUN-CODE-HEADER" "SB-KERNEL:%FUN-FUN" "SB-KERNEL:%CODE-TEXT-SIZE" "SB-KERNEL:CODE-INSTRUCTIONS"
       "SB-KERNEL:FDEFN-FUN")
     (:type "SB-KERNEL:FDEFN"))

    ("macro expansion of whole forms" ()
     (:function "SB-CLTL2:MACROEXPAND-ALL"))

    ("class details" ()
     (:function "SB-PCL:SLOT-DEFINITION-DEFSTRUCT-ACCESSOR-SYMBOL" "SB-PCL:METHOD-COMBINATION-TYPE-NAME"
      "SB-PCL:METHOD-COMBINATION-OPTIONS"))

    ("recording definitions when they are created" ()
     (:function "SB-IMPL:%DEFUN" "SB-C:%DEFMACRO" "SB-C:%DEFINE-COMPILER-MACRO" "SB-C:%DEFINE-SYMBOL-MACRO" "SB-IMPL:%DEFVAR"
      "SB-IMPL:%DEFPARAMETER" "SB-IMPL:%DEFGLOBAL" "SB-IMPL:%DEFCONSTANT" "SB-IMPL:%DEFTYPE" "SB-IMPL:%DEFSETF"
      "SB-IMPL:%DEFPACKAGE" "SB-KERNEL:%DEFSTRUCT" "SB-KERNEL:%DEFINE-CONDITION" "SB-PCL:LOAD-DEFCLASS"
      "SB-PCL:LOAD-DEFGENERIC" "SB-PCL:LOAD-DEFMETHOD" "SB-PCL:LOAD-SHORT-DEFCOMBIN" "SB-PCL:LOAD-LONG-DEFCOMBIN"
      "SB-KERNEL:DD-NAME" "SB-KERNEL:DD-SLOTS" "SB-KERNEL:DD-CONSTRUCTORS" "SB-KERNEL:DD-PREDICATE-NAME"
      "SB-KERNEL:DD-COPIER-NAME" "SB-KERNEL:DSD-ACCESSOR-NAME" "SB-KERNEL:FUN-CODE-HEADER" "SB-KERNEL:%FUN-FUN"
      "SB-KERNEL:%CODE-DEBUG-INFO" "SB-C:DEBUG-INFO-SOURCE")
     (:variable "SB-INT:*SETF-FDEFINITION-HOOK*"))

    ("recording proclamations" () (:function "SB-C:%PROCLAIM"))

    ("undoing definitions" ("undo-definitions")
     (:function "SB-INT:CLEAR-INFO" "SB-INT:DROP-ALL-HASH-CACHES" "SB-KERNEL:UNDECLARE-STRUCTURE" "SB-KERNEL:FIND-CLASSOID"
      "SB-IMPL:%DEFTYPE"))

    ("compiler diagnostics located at their forms" ("compile-text" "compile-file" "compile-system")
     (:macro "SB-INT:QUASIQUOTE")
     (:function "SB-C:SOURCE-INFO-FILE-INFO" "SB-C:FILE-INFO-TRUENAME" "SB-C:FILE-INFO-EXTERNAL-FORMAT"
      "SB-C:MAKE-FORM-TRACKING-STREAM-OBSERVER" "SB-C:MAKE-DEFINITION-SOURCE-LOCATION" "SB-C:SUMMARIZE-COMPILATION-UNIT"
      "SB-C:FIND-ERROR-CONTEXT" "SB-C:PRINT-COMPILER-MESSAGE" "SB-C:COMPILER-ERROR-CONTEXT-ORIGINAL-FORM"
      "SB-C:COMPILER-ERROR-CONTEXT-CONTEXT" "SB-C:COMPILER-ERROR-CONTEXT-FILE-NAME" "SB-C:COMPILER-ERROR-CONTEXT-FILE-POSITION" "SB-INT:ENCAPSULATED-CONDITION"
      "SB-C:INPUT-ERROR-IN-COMPILE-FILE-POSITION" "SB-C:UNDEFINED-WARNING-NAME" "SB-C:UNDEFINED-WARNING-KIND"
      "SB-C:UNDEFINED-WARNING-WARNINGS" "SB-C:COMPILED-DEBUG-FUN-TLF-NUMBER" "SB-DI:COMPILED-DEBUG-FUN-COMPILER-DEBUG-FUN"
      "SB-DI:FUN-DEBUG-FUN" "SB-KERNEL:%CODE-ENTRY-POINT" "SB-C:MAKE-DEBUG-SOURCE" "SB-C:DEBUG-SOURCE-START-POSITIONS"
      "SB-FASL:POSSIBLY-LOG-NEW-CODE" "SB-INT:STREAM-ERROR-POSITION-INFO"
      "SB-INT:FORM-TRACKING-STREAM-FORM-START-CHAR-POS"
      "SB-KERNEL:REDEFINITION-WARNING-NAME" "SB-KERNEL:REDEFINITION-WITH-DEFMETHOD-OLD-METHOD")
     (:variable "SB-C:*POLICY*" "SB-C:*SOURCE-INFO*" "SB-C:*UNDEFINED-WARNINGS*")
     (:type "SB-C:COMPILER-ERROR" "SB-C:FATAL-COMPILER-ERROR" "SB-C:INPUT-ERROR-IN-COMPILE-FILE" "SB-C:COMPILED-DEBUG-INFO"
      "SB-KERNEL:REDEFINITION-WITH-DEFMETHOD"))

    ("recording the values of marked forms" ()
     (:function "SB-C:FIND-SOURCE-PATHS" "SB-C:FIND-ERROR-CONTEXT" "SB-INT:COMMA-P" "SB-INT:COMMA-EXPR" "SB-INT:COMMA-KIND" "SB-INT:UNQUOTE")
     (:macro "SB-INT:QUASIQUOTE"))

    ("positions of bytes that are not valid characters" ()
     (:function "SB-KERNEL:DECODING-ERROR-IN-COMMENT-POSITION")
     (:type "SB-INT:STREAM-DECODING-ERROR" "SB-KERNEL:CHARACTER-DECODING-ERROR-IN-COMMENT"))

    ("profiling" ("profile" "start-profile" "stop-profile" "profile-state")
     (:function "SB-SPROF:START-PROFILING" "SB-SPROF:STOP-PROFILING" "SB-SPROF:MAP-TRACES" ("RESET-SAMPLES" "SB-SPROF:RESET") ("FORGET-SAMPLED" "SB-SPROF:STOP-SAMPLING") ("BLOCK-SAMPLES" "SB-SPROF:SB-TOGGLE-SIGPROF")
      "SB-SPROF:MAKE-CALL-GRAPH" "SB-SPROF:MAP-TRACE-PC-LOCS" "SB-DI:DEBUG-FUN-NAME")
     (:variable "SB-SPROF:*SAMPLES*" "SB-SPROF:*PROFILING*")
     (:type "SB-DI:DEBUG-FUN"))

    ("coverage of code" ("coverage" "coverage-marks" "reset-coverage" "cover-system")
     (:function ("SB-COVER:REFRESH-COVERAGE-BITS" "SB-COVER:REFRESH-COVERAGE-INFO") "SB-COVER:RESET-COVERAGE")
     (:variable "SB-C:*CODE-COVERAGE-INFO*")
     (:name "SB-COVER:STORE-COVERAGE-DATA"))

    ("counting objects in memory" ("memory-report" "instances")
     (:function "SB-VM:MAP-ALLOCATED-OBJECTS" "SB-KERNEL:%INSTANCEP"
      ("SB-KERNEL:%INSTANCE-LAYOUT" "SB-KERNEL:%INSTANCE-WRAPPER"))
     (:constant "SB-VM:+PSEUDO-STATIC-GENERATION+"))

    ("finding what keeps an object in memory" ("why-alive")
     (:function "SB-IMPL:FINALIZER-THREAD-STOP" "SB-IMPL:FINALIZER-THREAD-START"))

    ("the size of machine code" ()
     (:function "SB-DISASSEM:GET-FUN-SEGMENTS" "SB-DISASSEM:SEG-LENGTH" "SB-KERNEL:%FUN-FUN"))

    ("inspecting functions" ()
     (:function "SB-KERNEL:%FUN-FUN" "SB-KERNEL:CLOSUREP" "SB-KERNEL:%CLOSURE-VALUES" "SB-KERNEL:%CLOSURE-INDEX-REF"
      "SB-KERNEL:VALUE-CELL-REF" "SB-KERNEL:WIDETAG-OF"
      "SB-INTROSPECT:FUNCTION-TYPE")
     (:name "SB-KERNEL:VALUE-CELL-SET")
     (:constant "SB-VM:VALUE-CELL-WIDETAG"))

    ("inspecting structures and vectors" ()
     (:function "SB-PCL:SLOT-DEFINITION-DEFSTRUCT-ACCESSOR-SYMBOL" "SB-KERNEL:TYPE-SPECIFIER" "SB-KERNEL:GET-HEADER-DATA")
     (:constant "SB-VM:ARRAY-FLAGS-DATA-POSITION" "SB-VM:+VECTOR-SHAREABLE+" "SB-VM:+VECTOR-SHAREABLE-NONSTD+"))

    ("finding the lock that a thread is waiting for" ()
     (:function "SB-THREAD:THREAD-WAITING-FOR"))

    ("listing available systems" ("systems")
     (:variable "ASDF/SOURCE-REGISTRY:*SOURCE-REGISTRY*"))

    ("finding systems while another thread fills ASDF's source registry" ()
     (:function "ASDF/SYSTEM-REGISTRY:SYSDEF-SOURCE-REGISTRY-SEARCH"))

    ("guarding code that ASDF evaluates" ()
     (:function "ASDF/SYSTEM-REGISTRY:SYSDEF-CENTRAL-REGISTRY-SEARCH"))

    ("progress of loading a system" ()
     (:function "ASDF/PLAN:PLAN-ACTIONS"))

    ("reloading files that were edited within a second of their compilation" ()
     (:function "ASDF/SESSION:COMPUTE-FILE-STAMP"))

    ("reloading packages with exports that their file no longer has" ()
     (:function "SB-IMPL:NOTE-PACKAGE-VARIANCE"))

    ("finding the changed files of a system" ("outdated-systems")
     (:function "ASDF/COMPONENT:COMPONENT-IF-FEATURE" "ASDF/ACTION:COMPONENT-OPERATION-TIME"))

    ("running a system's tests" ("test-system" "tested-systems")
     (:function "ASDF/COMPONENT:COMPONENT-IN-ORDER-TO")))
  "Each entry has the feature in users' words, the operations that need it, and then names by kind. A name is \"PACKAGE:NAME\". A list
contains a name and its alternatives, best first; a list that begins with a bare name defines that name here. If a name of an essential
entry is missing, the engine does not start. If a name of another entry is missing, the engine starts, and the entry's operations report the
missing name. The entry's names are then stand-ins that signal MISSING-INTERNAL.")
