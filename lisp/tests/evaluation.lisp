(cl:in-package #:lisp-workbench/tests)

(deftest "Forms are evaluated in order and the last one's values are returned [E5, E6]"
  (is (equal '("3") (texts (evaluate "(defvar *order* 1) (incf *order*) (incf *order*)")))))

(deftest "Every value is reported, none when there is none [E20]"
  (is (equal '("1" "(2)" "\"c\"") (texts (evaluate "(values 1 '(2) \"c\")"))))
  (is (equal '() (texts (evaluate "(values)")))))

(deftest "Reader errors are reported with type, place and phase [E7]"
  (loop for (code type) in '((")" "READER-ERROR") ("(+ 1" "END-OF-FILE") ("nopackage:x" "READER-ERROR")
                             ("#<x>" "READER-ERROR") ("\"abc" "END-OF-FILE") ("#\\nosuch" "READER-ERROR")
                             ("1/0" "READER-ERROR") ("#| open" "END-OF-FILE"))
        for reply = (evaluate code)
        do (is (equal (list "error" type "reader")
                      (list (field reply "status") (condition-type reply) (field (field reply "condition") "phase")))
               "~A gave ~S" code reply)
           (is (not (search "#<SB-" (condition-message reply))) "~A says ~A" code (condition-message reply))))

(deftest "A package argument holds for that call only [E8, E9, S35]"
  (is (equal "SYMBOL-NAME" (value "'symbol-name" :package "common-lisp")))
  (is (equal "\"KEYWORD\"" (value "(cl:package-name cl:*package*)" :package "keyword")))
  (is (equal "\"COMMON-LISP-USER\"" (value "(package-name *package*)"))))

(deftest "A bad package is a PACKAGE-ERROR that quotes the name as given [E10, S38]"
  (let ((reply (evaluate "1" :package "noSuch")))
    (is (equal '("error" "PACKAGE-ERROR" "The name \"noSuch\" does not designate any package.")
               (list (field reply "status") (condition-type reply) (condition-message reply))))))

(deftest "An IN-PACKAGE persists for its context and for no other [S11, S36, S37]"
  (evaluate "(defpackage :moved (:use :cl)) (in-package :moved)" :context "mover")
  (is (equal "\"MOVED\"" (value "(package-name *package*)" :context "mover")))
  (is (equal "MOVED" (field (ask "current-package" "context" "mover") "package")))
  (is (equal "COMMON-LISP-USER" (field (ask "current-package" "context" "other") "package"))))

(deftest "A context enters a package that the image has, and stays where it is for one that it has not"
  (evaluate "(defpackage :entered (:use :cl))" :context "maker")
  (is (equal "COMMON-LISP-USER" (field (ask "enter-package" "context" "comer" "package" "NOWHERE-AT-ALL") "package")))
  (is (equal "ENTERED" (field (ask "enter-package" "context" "comer" "package" "ENTERED") "package")))
  (is (equal "\"ENTERED\"" (value "(package-name *package*)" :context "comer")))
  (is (equal "COMMON-LISP-USER" (field (ask "current-package" "context" "maker") "package"))))

(deftest "A failed call changes nothing in its context"
  (evaluate "1 2" :context "failing")
  (evaluate "(in-package :keyword) (cl:error \"x\")" :context "failing")
  (is (equal '("2" "1" "\"COMMON-LISP-USER\"")
             (texts (evaluate "(values * ** (package-name *package*))" :context "failing")))))

(deftest "A form is read in the package that an earlier one selected [S34, decision 5]"
  (is (equal "\"LATER\"" (value "(defpackage :later (:use :cl)) (in-package :later) (package-name (symbol-package 'foo))"
                                :context "later"))))

(deftest "A context whose package was deleted falls back to CL-USER"
  (evaluate "(defpackage :doomed (:use :cl)) (in-package :doomed)" :context "doomed")
  (evaluate "(delete-package :doomed)")
  (is (equal "\"COMMON-LISP-USER\"" (value "(package-name *package*)" :context "doomed"))))

(deftest "An unhandled error has type, message and the user's frames [E28–E31]"
  (let ((reply (evaluate "(nonexistent-function)")))
    (is (equal '("UNDEFINED-FUNCTION" "The function NONEXISTENT-FUNCTION is undefined."
                 ("(NONEXISTENT-FUNCTION)" "(EVAL (NONEXISTENT-FUNCTION))"))
               (list (condition-type reply) (condition-message reply) (calls reply)))))
  (let ((calls (calls (evaluate "(defun inner (x) (1+ (/ x 0))) (defun outer (x) (1+ (inner x))) (outer 5)"))))
    (is (equal '("(INNER 5)" "(OUTER 5)" "(EVAL (OUTER 5))") (remove "(/ 5 0)" calls :test #'equal))))
  (is (<= (length (calls (evaluate "(defun deep (n) (if (zerop n) (error \"x\") (1+ (deep (1- n))))) (deep 50)"))) 20)))

(deftest "Output and error output arrive on their streams in the order of writing [E32–E34]"
  (evaluate "(princ 1) (princ 2 *error-output*) (princ 3 *trace-output*) (princ 4)")
  (is (equal '("14" "23") (list (output "stdout") (output "stderr"))))
  (is (equal '("stdout" "stderr" "stdout")
             (loop for event in (reverse *events*)
                   when (equal "output" (field event "event")) collect (field event "stream")))))

(deftest "What is written to *QUERY-IO* and *DEBUG-IO* is told apart, *TERMINAL-IO* is standard output; all end when read [E35, E36]"
  (is (equal '("1") (texts (evaluate "(format *query-io* \"x\") (format *debug-io* \"y\") (format *terminal-io* \"z\") 1"))))
  (is (equal '("z" "xy") (list (output "stdout") (output "terminal"))))
  (is (equal '("\"Q\"") (texts (evaluate "(with-output-to-string (*terminal-io*) (princ 'q *query-io*))"))))
  (is (equal '(":TYPED") (texts (evaluate "(let ((*terminal-io* (make-two-way-stream (make-string-input-stream \":typed\") *standard-output*))) (read *query-io*))"))))
  (is (search "#<standard input>" (condition-message (evaluate "(y-or-n-p \"sure?\")"))))
  (dolist (code '("(read-line)" "(read *query-io*)" "(y-or-n-p \"sure?\")" "(read-char *debug-io*)" "(read *terminal-io*)"))
    (is (equal "END-OF-FILE" (condition-type (evaluate code))) "~A" code)))

(deftest "Warnings are recorded and muffled, evaluation goes on [E37, E38]"
  (let ((reply (evaluate "(warn \"first\") (warn 'style-warning) (signal 'warning) 7")))
    (is (equal '(("WARNING" "STYLE-WARNING") ("7") "")
               (list (warning-types reply) (texts reply) (output "stderr"))))))

(deftest "The warning about an undefined function goes when that call fails, or the function came later [decision 9]"
  (is (equal '() (warning-types (evaluate "(let () (missing-one 1))"))))
  (is (equal '() (warning-types (evaluate "(defun early () (late)) (defun late () 1) (early)"))))
  (is (equal '("STYLE-WARNING") (warning-types (evaluate "(defun calls-nothing () (never-made))"))))
  (is (equal '("WARNING") (warning-types (evaluate "(setf undeclared-variable 1)")))))

(deftest "Conditions go by their public names [decision 7]"
  (loop for (code type) in '(("(error \"x\")" "SIMPLE-ERROR") ("(car 1)" "TYPE-ERROR") ("(/ 1 0)" "DIVISION-BY-ZERO")
                             ("unbound-thing" "UNBOUND-VARIABLE") ("(open \"/no/such/file\")" "FILE-ERROR")
                             ("(funcall (lambda (x) x))" "PROGRAM-ERROR") ("(throw 'nowhere 1)" "CONTROL-ERROR")
                             ("(parse-integer \"x\")" "PARSE-ERROR")
                             ("(asdf:find-system \"no-such\")" "ASDF:MISSING-COMPONENT")
                             ("(define-condition mine (error) ()) (error 'mine)" "MINE")
                             ("(defun car (x) x)" "SYMBOL-PACKAGE-LOCKED-ERROR"))
        for type-name = (condition-type (evaluate code))
        do (is (or (equal type type-name) (and (search "FILE" type) (search "FILE" type-name)))
               "~A gave ~A" code type-name)))

(deftest "Serious and storage conditions are reported, a hundred stack exhaustions in a row too [E40, E41]"
  (is (equal "MY-SERIOUS" (condition-type (evaluate "(define-condition my-serious (serious-condition) ()) (error 'my-serious)"))))
  (is (equal "ok" (field (evaluate "(signal 'my-serious) 1") "status")))
  (evaluate "(defun endless (n) (1+ (endless n)))")
  (is (equal '("CONTROL-STACK-EXHAUSTED")
             (remove-duplicates (loop repeat 100 collect (condition-type (evaluate "(endless 1)"))) :test #'equal)))
  (is (equal "HEAP-EXHAUSTED-ERROR" (condition-type (evaluate "(make-array (expt 10 11))")))))

(deftest "Definitions and variables persist [E42, S1, S7]"
  (evaluate "(defun kept (x) (* x 2)) (defvar *kept* 4) (defmacro kept-twice (x) `(* 2 ,x)) (setf kept-value 5)")
  (is (equal '("8" "10" "5") (texts (evaluate "(values (kept *kept*) (kept-twice 5) kept-value)")))))

(deftest "The variables * + / and - are as in a REPL and belong to the context"
  (evaluate "(+ 1 1)" :context "history")
  (evaluate "(values 3 4)" :context "history")
  (is (equal '("3" "2" "(VALUES 3 4)" "(3 4)") (texts (evaluate "(values * ** + /)" :context "history"))))
  (is (equal "NIL" (value "*" :context "history of another"))))

(deftest "Reader and printer variables belong to the context and cannot lock anybody out"
  (evaluate "(setf *print-base* 16 *read-default-float-format* 'double-float)" :context "hex")
  (is (equal '("FF" "1.5") (texts (evaluate "(values 255 1.5)" :context "hex"))))
  (is (equal "255" (value "255")))
  (evaluate "(set-macro-character #\\( (lambda (stream char) stream char (error \"no\")))" :context "locked")
  (is (equal "3" (value "(+ 1 2)" :context "locked"))))

(deftest "What the code sets of the contract's print limits does not reach the printing of values [E24]"
  (is (equal "(1 2 3)" (value "(setf *print-length* 1 *print-level* 0 *print-readably* t) (list 1 2 3)" :context "limits"))))

(deftest "Definitions get debug information without losing their top-level meaning"
  (is (equal '("ok" ("INLINED")) (let ((reply (evaluate "(declaim (inline inlined)) (defmacro one () 1) (defun inlined () (one))")))
                                   (list (field reply "status") (texts reply)))))
  (is (equal "T" (value "(not (null (function-lambda-expression #'inlined)))")))
  (is (equal "(#:X)" (substitute #\X #\Z (value "(progn (defmethod meth ((z integer)) z) (defgeneric meth2 (a)) '(#:z))")))))

(deftest "Output beyond the limit is counted"
  (is (equal '(90 "xxxxxxxxxx")
             (list (field (evaluate "(dotimes (i 100) (write-char #\\x))" :output-limit 10) "outputCut")
                   (output "stdout")))))

(deftest "The reply tells forms, their places and what they define"
  (is (equalp '((:object "start" 0 "end" 15 "defines" "DEFUN" "name" "F" "package" "COMMON-LISP-USER")
                (:object "start" 16 "end" 21 "defines" nil "name" nil "package" "COMMON-LISP-USER"))
              (coerce (field (evaluate "(defun f (x) x) (f 1)") "forms") 'list))))

(deftest "An error's offset is the start of the failing form"
  (is (eql 3 (field (field (evaluate "1
 (error \"x\")") "condition") "offset"))))

(deftest "Threads made by the code write into its evaluation, and their errors end only them"
  (is (equal "ok" (field (evaluate "(sb-thread:join-thread (sb-thread:make-thread (lambda () (princ :inside))))" :evaluation "threads") "status")))
  (is (equal "INSIDE" (output "stdout")))
  (evaluate "(sb-thread:make-thread (lambda () (error \"in thread\")) :name \"unlucky\")" :evaluation "failing thread")
  (let ((event (await-event "thread-failed")))
    (is (equal '("failing thread" "unlucky" "in thread")
               (list (field event "evaluation") (field event "thread") (field (field event "condition") "message"))))))

(deftest "A timer belongs to the evaluation that made it, whichever thread its signal meets"
  (value "(progn (defvar *seen* nil)
                 (defvar *ended* (sb-thread:make-semaphore))
                 (defvar *maker* lisp-workbench/evaluation:*evaluation*)
                 (defvar *timer* (sb-ext:make-timer (lambda ()
                                                      (setf *seen* lisp-workbench/evaluation:*evaluation*)
                                                      (sb-thread:signal-semaphore *ended*))
                                                    :thread t)))")
  (is (equal "(T NIL)" (value "(progn (sb-ext:schedule-timer *timer* 1000)
                                      (sb-impl::run-timer *timer*)
                                      (sb-thread:wait-on-semaphore *ended*)
                                      (sb-ext:unschedule-timer *timer*)
                                      (list (eq *seen* *maker*) (eq *seen* lisp-workbench/evaluation:*evaluation*)))"))))

(deftest "Values are printed as the person has set the printer, and for agents as the contract says [E24, E25]"
  (flet ((texts-after (setting form &rest keys)
           (apply #'evaluate setting :context "printing" keys)
           (prog1 (remove #\Newline (apply #'value form :context "printing" keys))
             (ask "forget-context" "context" "printing"))))
    (loop for (setting form mine theirs)
            in '(("(setf *print-length* 2)" "(list 1 2 3)" "(1 2 ...)" "(1 2 3)")
                 ("(setf *print-level* 1)" "'(1 (2))" "(1 #)" "(1 (2))")
                 ("(setf *print-pretty* nil)" "''a" "(QUOTE A)" "'A"))
          do (is (equal mine (texts-after setting form :interactive t)) "~A" setting)
             (is (equal theirs (texts-after setting form :actor "client:printing")) "~A" setting)))
  ;; Without explicit settings, the default limits on length and level shorten long and deep values.
  (is (search "99 ...)" (value "(loop for i below 200 collect i)" :interactive t))))

(deftest "An interactive evaluation asks for input, and others go on meanwhile"
  (let ((asking (send-code "(list (read-line) (y-or-n-p \"Really?\"))" :interactive t :evaluation "asking")))
    (await-event "input-requested")
    (is (equal "2" (value "(+ 1 1)")))
    (is (eq t (field (ask "input" "evaluation" "asking" "text" "a line") "found")))
    (await-event "input-requested")
    (ask "input" "evaluation" "asking" "text" "y")
    (is (equal '("(\"a line\" T)") (texts (await-reply asking))))))

(deftest "The last error of a context can be asked for"
  (evaluate "(error \"remembered\")" :context "erring")
  (let ((last (ask "last-error" "context" "erring")))
    (is (equal '("remembered" "(error \"remembered\")")
               (list (field (field last "condition") "message") (field last "code")))))
  (is (equal '(nil nil) (let ((last (ask "last-error" "context" "faultless"))) (list (field last "condition") (field last "code"))))))

(deftest "Offsets on the wire count UTF-16 code units, as the strings at its other end do"
  (let ((forms (field (evaluate "(length \"😀😀\") 'é 7") "forms")))
    (is (equal '((0 15) (16 18) (19 20))
               (map 'list (lambda (form) (list (field form "start") (field form "end"))) forms)))))

(deftest "A form that deletes the current package leaves the next one in CL-USER"
  (is (equal "\"COMMON-LISP-USER\"" (value "(defpackage :fleeting (:use :cl)) (in-package :fleeting) (delete-package *package*) (package-name *package*)"
                                          :context "fleeting"))))

(deftest "A weak map forgets the values of objects that live no more, and keeps the others [K6]"
  (let* ((map (lisp-workbench/evaluation::make-weak-map))
         (kept (loop repeat 40 collect (list 1))))
    (loop for object in kept for n from 0 do (setf (lisp-workbench/evaluation::associated object map) (list n)))
    (flet ((fill-with-dead () (dotimes (i 400) (setf (lisp-workbench/evaluation::associated (list i) map) (list i)))))
      (fill-with-dead)
      (sb-sys:scrub-control-stack)
      (sb-ext:gc :full t)
      (fill-with-dead)
      (sb-ext:gc :full t)
      (setf (lisp-workbench/evaluation::weak-map-roomy map) 0
            (lisp-workbench/evaluation::associated (first kept) map) '(0)))
    (is (equal (loop for n below 40 collect (list n))
               (loop for object in kept collect (lisp-workbench/evaluation::associated object map))))
    (is (> 200 (hash-table-count (lisp-workbench/evaluation::weak-map-values map))))
    (is (equal '(nil nil) (multiple-value-list (lisp-workbench/evaluation::associated (list 1) map))))))

(deftest "No hash table of the engine's is weak and holds objects as values, which older versions of SBCL lose [K6]"
  (is (equal '()
             (loop for package in (list-all-packages)
                   when (eql 0 (search "LISP-WORKBENCH/" (package-name package)))
                     append (loop for symbol being the present-symbols of package
                                  for table = (and (boundp symbol) (symbol-value symbol))
                                  when (and (hash-table-p table) (sb-ext:hash-table-weakness table)
                                            (loop for value being the hash-values of table
                                                  thereis (not (member value '(t nil)))))
                                    collect symbol)))))
