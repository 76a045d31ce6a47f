(cl:in-package #:lisp-workbench/tests)

(defun undo (&rest fields)
  "Undo definitions; if the field \"dry\" is true, only check whether they can be undone. Return the records."
  (let ((reply (apply #'ask "undo-definitions" "evaluation" "undo" "context" "undo" "actor" "person" "outputLimit" 1000
                      fields)))
    (is (equal "ok" (field reply "status")) "~S" reply)
    (coerce (field (field reply "result") "undone") 'list)))

(defun history (name &key (package "COMMON-LISP-USER"))
  "Return the records of the events of NAME, latest first."
  (coerce (field (ask "definition-history" "package" package "name" name "evaluation" nil "limit" 100) "events") 'list))

(defun latest-id (name &rest keys)
  (field (first (apply #'history name keys)) "id"))

(defun await-told (evaluation)
  "Wait until the sweep after EVALUATION has reported its events."
  (await-event-of evaluation "definition-events"))

(defun undo-latest (name)
  "Undo the latest event of NAME. Return three values: the label, whether the event was undone, and the message."
  (let ((record (first (undo "events" (vector (latest-id name)) "of" nil "dry" nil))))
    (list (field record "label") (field record "done") (field record "message"))))

(deftest "Each definition event is told with kind, operation, author, text and the package it was read in [P1]"
  (evaluate "(defpackage :told (:use :cl)) (in-package :told) (defun f (x) x) (defun f (x) (1+ x)) (fmakunbound 'f)
             (defvar *v* 1) (defmethod f ((x integer)) x) (remove-method #'f (find-method #'f '() (list (find-class 'integer))))"
            :actor "client:t" :context "telling" :evaluation "telling")
  (is (equal '(("method" "F (INTEGER)" "removed") ("method" "F (INTEGER)" "defined") ("variable" "*V*" "defined")
               ("function" "F" "removed") ("function" "F" "redefined") ("function" "F" "defined")
               ("package" "TOLD" "defined"))
             (map 'list (lambda (event) (list (field event "kind") (field event "name") (field event "operation")))
                  (field (ask "definition-history" "package" "TOLD" "name" nil "evaluation" "telling" "limit" 100) "events"))))
  (is (equal '("client:t" "telling" "(defvar *v* 1)" "TOLD")
             (let ((event (first (history "*v*" :package "told"))))
               (mapcar (lambda (key) (field event key)) '("actor" "evaluation" "text" "readPackage"))))))

(deftest "What no hook sees is found by the sweep and recorded once [P1]"
  (dolist (code '("(setf (symbol-function 'swept-function) (lambda () 1))"
                  "(setf (symbol-function 'swept-function) (lambda () 2))"
                  "(set 'swept-value 3)"))
    (evaluate code :evaluation code)
    (await-told code))
  (is (equal '("redefined" "defined") (mapcar (lambda (event) (field event "operation")) (history "swept-function"))))
  (is (equal '("defined") (mapcar (lambda (event) (field event "operation")) (history "swept-value"))))
  (is (equal '("exact" t nil) (undo-latest "swept-function")))
  (is (equal "1" (value "(swept-function)"))))

(deftest "Functions, macros and variables come back, and go when there was nothing before; the undo can be undone [P3]"
  (evaluate "(defun u1 () 1)") (evaluate "(defun u1 () 2)")
  (evaluate "(defmacro u2 () 1)") (evaluate "(defmacro u2 () 2)")
  (evaluate "(defvar *u3* 1)") (evaluate "(defparameter *u3* 2)")
  (dolist (name '("u1" "u2" "*u3*")) (is (equal '("exact" t nil) (undo-latest name))))
  (is (equal '("1" "1" "1") (texts (evaluate "(values (u1) (u2) *u3*)"))))
  (dolist (name '("u1" "u2" "*u3*")) (is (equal '("exact" t nil) (undo-latest name))))
  (is (equal '("2" "2" "2") (texts (evaluate "(values (u1) (u2) *u3*)"))))
  (evaluate "(defun u4 () 1)") (evaluate "(defmacro u5 () 1)") (evaluate "(defvar *u6* 1)") (evaluate "(defconstant +u7+ 1)")
  (dolist (name '("u4" "u5" "*u6*")) (is (equal '("exact" t nil) (undo-latest name)) "~A" name))
  (is (equal '("lossy" t nil) (undo-latest "+u7+")))
  (is (equal '("NIL" "NIL" "NIL" "NIL" "(1 2)")
             (texts (evaluate "(values (fboundp 'u4) (fboundp 'u5) (boundp '*u6*) (boundp '+u7+)
                                       (funcall (let ((*u6* 1)) (lambda () (list *u6* (let ((+u7+ 2)) +u7+))))))")))))

(deftest "A function that became a macro, was removed, or was changed since comes back as it was before [P3]"
  (evaluate "(defun u8 () 1)") (evaluate "(defmacro u8 () 2)")
  (undo-latest "u8")
  (is (equal "1" (value "(funcall 'u8)")))
  (evaluate "(fmakunbound 'u8)")
  (is (equal '("exact" t nil) (undo-latest "u8")))
  (is (equal "1" (value "(funcall 'u8)")))
  (evaluate "(defun u9 () 1)") (evaluate "(defun u9 () 2)" :actor "client:x") (evaluate "(defun u9 () 3)" :actor "client:y")
  (let ((record (first (undo "events" (vector (field (second (history "u9")) "id")) "dry" t))))
    (is (equal "client:y" (field (field record "changedSince") "actor")))
    (is (equal "3" (value "(u9)"))))
  (undo "events" (vector (field (second (history "u9")) "id")) "dry" nil)
  (is (equal "1" (value "(u9)"))))

(deftest "Methods and generic functions come back and go by an undo [P3]"
  (evaluate "(defgeneric u10 (x))") (evaluate "(defmethod u10 ((x integer)) 1)") (evaluate "(defmethod u10 ((x integer)) 2)")
  (is (equal '("exact" t nil) (undo-latest "u10 (integer)")))
  (is (equal "1" (value "(u10 0)")))
  (is (equal '("exact" t nil) (undo-latest "u10 (integer)")))
  (is (equal "2" (value "(u10 0)")))
  (evaluate "(defmethod u11 ((x integer)) 2)")
  (is (equal '("exact" t nil) (undo-latest "u11 (integer)")))
  (is (equal "NIL" (value "(fboundp 'u11)")))
  (is (equal '("exact" t nil) (undo-latest "u11 (integer)")))
  (is (equal "2" (value "(u11 0)"))))

(deftest "An undone method is one event, and so is the first method of a generic function [P3]"
  (flet ((events ()
           (evaluate "1" :evaluation "after") ; events of late sweeps arrive before the reply
           (mapcar (lambda (event) (list (field event "kind") (field event "operation"))) (history "u31")))
         (undo-it (name) (is (equal '("exact" t nil) (undo-latest name)))))
    (evaluate "(defgeneric u31 (x))") (evaluate "(defmethod u31 ((x integer)) 1)")
    (evaluate "(defmethod u31 :around ((x integer)) (list (call-next-method)))")
    (let ((defined '(("method" "defined") ("method" "defined") ("generic-function" "defined"))))
      (is (equal defined (events)))
      (undo-it "u31 :around (integer)")
      (is (equal `(("method" "removed") ,@defined) (events)))
      (undo-it "u31 (integer)")
      (is (equal `(("method" "removed") ("method" "removed") ,@defined) (events)))
      (undo-it "u31 (integer)")
      (is (equal `(("method" "defined") ("method" "removed") ("method" "removed") ,@defined) (events))))))

(deftest "Classes come back with their slots and accessors; live instances make it lossy [P3]"
  (evaluate "(defclass u12 () ((a :accessor u12-a :initform 1 :initarg :a)))")
  (evaluate "(defclass u12 () ((b :accessor u12-b)))")
  (is (equal '("exact" t nil) (undo-latest "u12")))
  (is (equal '("1" "NIL") (texts (evaluate "(values (u12-a (make-instance 'u12)) (sb-mop:generic-function-methods #'u12-b))"))))
  (evaluate "(defclass u13 () ((a :accessor u13-a :initform 1)))")
  (is (equal '("exact" t nil) (undo-latest "u13")))
  (is (equal '("NIL" "NIL") (texts (evaluate "(values (find-class 'u13 nil) (fboundp 'u13-a))"))))
  (is (equal '("exact" t nil) (undo-latest "u13")))
  (is (equal "1" (value "(u13-a (make-instance 'u13))")))
  (evaluate "(defclass u14 () ())") (evaluate "(defvar *u14* (list (make-instance 'u14) (make-instance 'u14)))")
  (let ((record (first (undo "events" (vector (latest-id "u14")) "dry" t))))
    (is (equal "lossy" (field record "label")))
    (is (<= 2 (field record "instances")))))

(deftest "The instance that SBCL keeps of a class for itself is none that an undo tells of"
  (evaluate "(defclass u16 () ())")
  (evaluate "(sb-mop:finalize-inheritance (find-class 'u16)) (progn (sb-mop:class-prototype (find-class 'u16)) nil)")
  (flet ((instances ()
           (field (first (undo "events" (vector (latest-id "u16")) "dry" t)) "instances")))
    (is (member (instances) '(nil 0)))
    (evaluate "(progn (defvar *u16* (make-instance 'u16)) nil)")
    (is (eql 1 (instances)))))

(deftest "Structures, conditions, types, setf expanders, compiler macros and packages come back and go by an undo [P3]"
  (evaluate "(defstruct u15 x y)")
  (is (equal '("exact" t nil) (undo-latest "u15")))
  (is (equal '("NIL" "NIL" "NIL") (texts (evaluate "(values (find-class 'u15 nil) (fboundp 'make-u15) (fboundp '(setf u15-x)))"))))
  (is (equal "exact" (first (undo-latest "u15"))))
  (is (equal "1" (value "(u15-x (make-u15 :x 1))")))
  (evaluate "(define-condition u16 (error) ((a :reader u16-a :initarg :a)))")
  (evaluate "(define-condition u16 (error) ())")
  (undo-latest "u16")
  (is (equal "1" (value "(u16-a (make-condition 'u16 :a 1))")))
  (evaluate "(deftype u17 () 'integer)") (evaluate "(deftype u17 () 'string)")
  (undo-latest "u17")
  (is (equal "T" (value "(typep 3 'u17)")))
  (evaluate "(defun u18 (x) x)") (evaluate "(define-compiler-macro u18 (x) x)")
  (undo "events" (vector (latest-id "u18")) "dry" nil)
  (is (equal "NIL" (value "(compiler-macro-function 'u18)")))
  (evaluate "(defpackage :u19 (:use :cl) (:export #:a))")
  (is (equal '("exact" t nil) (let ((record (first (undo "events" (vector (latest-id "U19" :package "U19")) "dry" nil))))
                                (mapcar (lambda (key) (field record key)) '("label" "done" "message")))))
  (is (equal "NIL" (value "(find-package :u19)"))))

(deftest "What was compiled with an inline function or a macro is compiled again [P3]"
  (evaluate "(declaim (inline u20)) (defun u20 () 1)") (evaluate "(defun u21 () (u20))")
  (evaluate "(defun u20 () 2)") (evaluate "(defun u21 () (u20))")
  (is (equal '("recompile" t nil) (undo-latest "u20")))
  (is (equal "1" (value "(u21)"))))

(deftest "Everything that one evaluation defined is undone, newest first [P3]"
  (evaluate "(defun u22 () 1)")
  (evaluate "(defun u22 () 2) (defun u22 () 3) (defvar *u23* 1) (defmacro u24 () 1)" :actor "client:z" :evaluation "all-of-it")
  (is (equal '("U24" "*U23*" "U22" "U22")
             (mapcar (lambda (record) (field record "name")) (undo "of" "all-of-it" "dry" nil))))
  (is (equal '("1" "NIL" "NIL") (texts (evaluate "(values (u22) (boundp '*u23*) (fboundp 'u24))")))))

(deftest "When memory runs short former values are dropped, and the undo says so [P3]"
  (evaluate "(defparameter *u25* 1)") (evaluate "(defparameter *u25* 2)")
  (lisp-workbench/definitions::drop-variable-values)
  (let ((record (first (undo "events" (vector (latest-id "*u25*")) "dry" nil))))
    (is (equal '("impossible" nil) (list (field record "label") (field record "done"))))
    (is (search "memory ran low" (field record "why"))))
  (is (equal "2" (value "*u25*"))))

;;; Comparison with files, and export to a file

(defun states (&rest fields)
  "Return (kind name state) for each definition."
  (map 'list (lambda (record) (list (field record "kind") (field record "name") (field record "state")))
       (field (apply #'ask "definition-states" fields) "definitions")))

(defun one-file (name text)
  (vector (object "file" name "text" text)))

(deftest "Definitions are the same as in their file whatever the white space, or differ, or are in one of both [P2]"
  (let ((text "(in-package :cl-user)
(defun s1 (x) ; comment
  (LIST x \"A b\" #\\a '|q|))
(defvar *s2* 1)
(progn (defmacro s3 () 1) (defmethod s4 :around ((x (eql :k)) y) y x))
(defstruct (s5 (:conc-name nil)) x)
(defun s6 ("))
    (evaluate "(defun s1 (x) (list x \"A b\" #\\a '|q|)) (defvar *s2* 2) (defmacro s3 () 1)
               (defmethod s4 :around ((x (eql :k)) y) y x) (defun s7 () 1)"
              :source (object "file" "/s.lisp" "offset" 0 "line" 1))
    (is (equal '(("function" "S1" "same") ("variable" "*S2*" "changed-in-file") ("macro" "S3" "same")
                 ("method" "S4 :AROUND ((EQL :K) T)" "same") ("structure" "S5" "only-in-file")
                 ("function" "S6" "only-in-file") ("function" "S7" "only-in-image"))
               (states "files" (one-file "/s.lisp" text) "package" nil)))))

(deftest "The export has the latest definitions in order, with who made them, and nothing that was removed [P5]"
  (evaluate "(defpackage :exported (:use :cl))" :actor "client:e" :evaluation "x1")
  (evaluate "(in-package :exported) (defvar *v* 1) (defun gone () 1) (defun f () 1) (progn (defun p () 1) (defun q () 2))"
            :actor "client:e" :evaluation "x2" :context "exporting")
  (evaluate "(defvar *v* 2) (fmakunbound 'gone) (defun f () 2) (defun p () 3)" :actor "client:e" :evaluation "x3" :context "exporting")
  (evaluate "(setf (symbol-function 'raw) (lambda () 1))" :actor "client:e" :evaluation "x4" :context "exporting")
  (await-told "x4")
  (let ((reply (ask "export-definitions" "package" "EXPORTED" "actors" #("client:e") "evaluations" nil)))
    (is (equalp #("RAW") (field reply "missing")))
    (is (equal '("(cl:in-package \"COMMON-LISP-USER\")" "(defpackage :exported (:use :cl))" "(cl:in-package \"EXPORTED\")"
                 "(defvar *v* 1)" "(defvar *v* 2)" "(defun f () 2)" "(progn (defun p () 1) (defun q () 2))" "(defun p () 3)")
               (with-input-from-string (stream (field reply "text"))
                 (loop for line = (read-line stream nil)
                       while line
                       when (and (plusp (length line)) (char/= #\; (char line 0))) collect line))))
    (is (search ";; function F: client:e, 20" (field reply "text")))))

(deftest "A definition that is loaded again as it was is told as unchanged, and one that differs is not [issue 35.1]"
  (let ((text "(defpackage :again (:use :cl)) (in-package :again)
(defmacro m (x) `(list ,x :a \"foo\"))
(defstruct pt x (y 2 :type fixnum))
(defun f (x &key (y 3)) \"doc\" (let ((p (make-pt :x x))) (mapcar (lambda (z) (+ z y (pt-y p) 1.5d0)) (m x))))
(defun h (x) (handler-case (f x) (error (e) (format t \"~a ~a\" e 'quux))))
(defclass c () ((a :initarg :a :initform (list 1 2))))
(defgeneric g (c n))
(defmethod g ((c c) (n (eql 3))) (with-slots (a) c (list (call-next-method) a (h a))))
(defparameter *p* (list 1 (vector 2 \"x\")))
(defvar *v* (list 1))
(defconstant +k+ 3)
(define-compiler-macro f (&whole w x) (if (constantp x) `(list ,x) w))
(deftype tt (a) `(or null (integer 0 ,a)))
(define-symbol-macro sm (car *p*))"))
    (with-project `(("again.lisp" . ,text) ("again.asd" . "(defsystem \"again\" :components ((:file \"again\")))"))
      (flet ((load-again (evaluation)
               (ask "load-system" "evaluation" evaluation "context" "loading" "actor" "person" "system" "again" "force" "system" "outputLimit" 100000)
               (loop for event across (field (ask "definition-history" "package" "AGAIN" "name" nil "evaluation" evaluation "limit" 100) "events")
                     unless (eq t (field event "unchanged")) collect (field event "name"))))
        (is (< 10 (length (load-again "first"))))
        (is (equal '() (load-again "second")))
        (evaluate text :evaluation "evaluated" :context "again")
        (evaluate text :evaluation "again" :context "again")
        (loop for event across (field (ask "definition-history" "package" "AGAIN" "name" nil "evaluation" "again" "limit" 100) "events")
              do (is (eq t (field event "unchanged")) "~A ~A" (field event "kind") (field event "name")))
        (load-again "third")
        (write-file "again.lisp" (let ((at (search ":a \"foo" text))) (concatenate 'string (subseq text 0 at) ":b" (subseq text (+ at 2)))))
        (is (equal '("F" "M") (sort (load-again "fourth") #'string<)))))))

(defun undo-messages (evaluation)
  (mapcar (lambda (record) (list (field record "done") (field record "message"))) (undo "events" nil "of" evaluation "dry" nil)))

(deftest "An undo of a definition that was the same before changes nothing and says so [issue 35.1]"
  (evaluate "(defun as-before () 1)")
  (evaluate "(defun as-before () 1)" :evaluation "as-before")
  (is (equal '((nil "This change had no effect: the definition was the same before.")) (undo-messages "as-before")))
  (is (equal "1" (value "(as-before)"))))
