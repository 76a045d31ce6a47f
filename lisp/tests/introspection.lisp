(cl:in-package #:lisp-workbench/tests)

(defun completions (prefix &key (context "looking") package text offset (limit 20))
  (map 'list (lambda (completion) (field completion "text"))
       (field (ask "complete" "context" context "package" package "prefix" prefix
                              "text" text "offset" offset "limit" limit)
              "completions")))

(deftest "Completion finds names by their beginning, by their words and by their order [D4]"
  (is (equal "multiple-value-bind" (first (completions "mvb"))))
  (is (equal "with-output-to-string" (first (completions "w-o-t-s"))))
  (is (equal '("mapcar") (completions "mapcar" :limit 1)))
  (is (equal "MAPCAN" (first (completions "MAPCA"))))
  (is (equal '() (completions "zzqq-nothing"))))

(deftest "Completion knows packages, keywords and local nicknames [D4]"
  (evaluate "(defpackage :offered (:use :cl) (:export #:shown-thing))
             (in-package :offered) (defun shown-thing (a &key b) \"First line.
Second.\" (list a b)) (defun hidden-thing () 1)
             (defpackage :borrowing (:use :cl) (:local-nicknames (:off :offered)))" :context "offering")
  (is (equal '("offered:shown-thing") (completions "offered:")))
  (is (equal "offered::hidden-thing" (first (completions "offered::hid"))))
  (is (equal '("off:shown-thing") (completions "off:sh" :package "BORROWING")))
  (is (equal "off:shown-thing" (first (completions "shown" :package "BORROWING"))))
  (is (find "offered:" (completions "offer") :test #'equal))
  (is (equal ":external-format" (first (completions ":external-f"))))
  (is (equalp '(:object "text" "shown-thing" "kinds" #("function") "lambdaList" "(A &KEY B)" "package" "OFFERED"
                "documentation" "First line." "score" 989 "matches" #(#(0 5)))
              (aref (field (ask "complete" "context" "looking" "package" "offered" "prefix" "shown"
                                           "text" nil "offset" nil "limit" 1)
                           "completions")
                    0))))

(deftest "The best completions are the first of all completions [D4]"
  (evaluate "(dotimes (i 300) (set (intern (format nil \"BEST-OF-~R\" i)) i))
             (defpackage :besting (:nicknames :best-of-one :best-nick) (:export #:best-of-two))")
  (dolist (prefix '("b" "best" "best-of" "b-o-t" "m" "mvb" "" ":te" "cl:s"))
    (let ((all (completions prefix :limit 1000000)))
      (is (= (length all) (length (remove-duplicates all :test #'string=))) "~S" prefix)
      (dolist (limit '(1 2 7 50 200))
        (is (equal (subseq all 0 (min limit (length all))) (completions prefix :limit limit)) "~S ~D" prefix limit)))))

(deftest "Completion shows nothing of ours and no names without a meaning"
  (dolist (prefix '("lisp-w" "lisp-workbench/evaluation:" "lisp-workbench/evaluation::" "print-sho" "define-operation"
                    ":lisp-work" "%simple-fu"))
    (is (equal '() (completions prefix)) "~A" prefix)))

(deftest "Code without debug information, whose lambda list SBCL does not know, is shown without one"
  (evaluate "(defun undebugged (a b) (declare (optimize (debug 0))) (list a b))")
  (is (equal :unknown (lisp-workbench/internals:%fun-lambda-list (fdefinition (find-symbol "UNDEBUGGED" "COMMON-LISP-USER")))))
  (is (null (field (aref (field (ask "complete" "context" "looking" "package" nil "prefix" "undebugged" "text" nil "offset" nil "limit" 1)
                                "completions")
                         0)
                   "lambdaList"))))

(defun locals (text)
  "Return those names defined in TEXT that completion offers at the | in TEXT."
  (let ((at (position #\| text)))
    (map 'list (lambda (completion) (field completion "text"))
         (remove-if-not (lambda (completion) (search "local" (aref (field completion "kinds") 0)))
                        (remove #() (field (ask "complete" "context" "looking" "package" nil "prefix" ""
                                                           "text" (remove #\| text) "offset" at "limit" 300)
                                           "completions")
                                :key (lambda (completion) (field completion "kinds")) :test #'equalp)))))

(deftest "Completion offers the locals of the form around [D4]"
  (loop for (text expected)
          in '(("(defun f (a &optional (b 1 b-p) &key ((:k c) 2) &rest d &aux e) (|" ("a" "b" "b-p" "c" "d" "e"))
               ("(let ((a 1) b (c)) (foo |))" ("a" "b" "c")) ("(let ((a 1) (b |)))" ())
               ("(let* ((a 1) (b |" ("a")) ("(flet ((g (x) x)) (|" ("g")) ("(flet ((g (x) |" ("x"))
               ("(labels ((g (x) |" ("g" "x"))
               ("(defmethod m :after ((s shape) z) (|" ("call-next-method" "next-method-p" "s" "z"))
               ("(destructuring-bind (a (b &key c) . d) list |" ("a" "b" "c" "d"))
               ("(multiple-value-bind (q r) (floor 1 2) |)" ("q" "r"))
               ("(loop for x in list for (y . z) = x with w = 1 collect |" ("w" "x" "y" "z"))
               ("(dolist (i list) (dotimes (j 3) |" ("i" "j")) ("(do ((i 0 (1+ i))) (|" ("i"))
               ("(handler-case 1 (error (e) |" ("e")) ("(with-open-file (s name) |" ("s"))
               ("(lambda (a #.(error) \"(\" #\\( ; (
  b) |" ("a" "b")))
        do (is (equal expected (locals text)) "~A gave ~S" text (locals text))))

(defun arglist (text &key (package "ARGUMENTS"))
  "Return the operator, the lambda list and the text of the current parameter for the call around the | in TEXT."
  (let* ((reply (ask "arglist" "context" "looking" "package" package "text" (remove #\| text)
                               "offset" (position #\| text)))
         (current (field reply "current"))
         (parameter (and current (aref (field reply "parameters") current))))
    (list (field reply "operator")
          (field reply "lambdaList")
          (and parameter
               (progn (assert (equal (field parameter "text")
                                     (subseq (field reply "lambdaList") (field parameter "start") (field parameter "end"))))
                      (field parameter "text"))))))

(deftest "The lambda list of the call around the cursor is told, and the parameter that the cursor is about [D4]"
  (evaluate "(defpackage :arguments (:use :cl)) (in-package :arguments)
             (defun f (a &optional (b 1) &rest more &key c ((:dee d) 4)) (list a b more c d))
             (defmacro with-it ((x &key y) &body body) `(list ,x ,y ,@body))
             (defstruct point (x 0) y)
             (defgeneric g (x &key)) (defmethod g ((x integer) &key width) (list x width))
             (defclass base () ((one :initarg :one)))
             (defclass derived (base) ((two :initarg :two :initform 2)))
             (defmethod initialize-instance :after ((d derived) &key three) three)
             (define-condition odd (error) ((why :initarg :why)))" :context "arguing")
  (loop with f = "(A &OPTIONAL (B 1) &REST MORE &KEY C ((:DEE D) 4))"
        for (text expected)
          in `(("(f |" ("F" ,f "A")) ("(f 1 |" ("F" ,f "(B 1)")) ("(f (list 1) 2|" ("F" ,f "(B 1)"))
               ("(f 1 2 |" ("F" ,f "MORE")) ("(f 1 2 :c |" ("F" ,f "C")) ("(f 1 2 :c 3 :dee|" ("F" ,f "((:DEE D) 4)"))
               ("(f 1 2 :unknown |" ("F" ,f "MORE")) ("(f|" ("F" ,f nil))
               ("(let ((x (f |" ("F" ,f "A")) ("(let ((f |" ("LET" "(BINDINGS &BODY BODY)" "BINDINGS"))
               ("(with-it (a |" ("WITH-IT" "((X &KEY Y) &BODY BODY)" "(X &KEY Y)"))
               ("(with-it (a) 1 2 |" ("WITH-IT" "((X &KEY Y) &BODY BODY)" "BODY"))
               ("(make-point :y |" ("MAKE-POINT" "(&KEY (X 0) Y)" "Y"))
               ("(g 1 :width |" ("G" "(X &KEY WIDTH)" "WIDTH"))
               ("(make-instance 'derived :three |" ("MAKE-INSTANCE" "(CLASS &KEY (TWO 2) ONE THREE)" "THREE"))
               ("(error 'odd :why |" ("ERROR" "(DATUM &KEY WHY)" "WHY"))
               ("(flet ((h (p q) (+ p q))) (h 1 |" ("h" "(P Q)" "Q"))
               ("(unknown (1 2 |" (nil nil nil)) ("'(f |" (nil nil nil)) ("(cond ((null |" ("NULL" "(OBJECT)" "OBJECT"))
               ("(dolist (x (f |" ("F" ,f "A")) ("(case x (f |" ("CASE" "(KEYFORM &BODY CASES)" "CASES"))
               ("(flet ((f (x) (list |" ("LIST" "(&REST ARGS)" "ARGS"))
               ("(let ((x 1)) (f 1 |" ("F" ,f "(B 1)"))
               ("(defun m (f |" ("DEFUN" "(NAME LAMBDA-LIST &BODY BODY)" "LAMBDA-LIST")))
        do (is (equal expected (arglist text)) "~A gave ~S" text (arglist text))))

(deftest "The conses of a text are numbered as SBCL numbers the forms that it compiles"
  (loop for text in '("(a)" "(a (b (c)) d (e))" "(defun f (x) #'car `(c ,(d e) ,@(g) ,h) (lambda (y) #+sbcl (y) #-sbcl (z)))"
                      "(a #| (b) |# (c) ; (d)
  \"(e)\" #\\( #(1 (2)) (f . g))"
                      "(a '(b (c)) (d))" "(a `(b ',c '(d ,(e)) (f)) (g))")
        for form = (let ((*package* (find-package '#:lisp-workbench/tests))) (read-from-string text))
        for nodes = (lisp-workbench/nodes:numbered-nodes
                     (first (lisp-workbench/nodes:read-nodes text :features t)))
        do (is (= (length (sb-di::form-number-translations form 0)) (length nodes)) "~A" text)))

(deftest "Looking up survives what user code broke"
  (evaluate "(defpackage :broken (:use :cl)) (in-package :broken)
             (defclass meta (standard-class) ())
             (defmethod sb-mop:validate-superclass ((a meta) (b standard-class)) t)
             (defmethod print-object ((it meta) stream) (error \"No printing.\"))
             (defclass thing () ((x :initarg :x)) (:metaclass meta))
             (defclass ahead (not-yet-defined) ((y :initarg :y)))
             (defmethod documentation ((it (eql 'thing)) type) (error \"No documentation.\"))
             (defpackage :gone (:use :cl)) (defun keep () 'gone::symbol)
             (defparameter *homeless* (intern \"HOMELESS\" :gone))
             (setf (symbol-function 'raw) (lambda (x) x))
             (defgeneric empty-function (x))
             (delete-package :gone)" :context "breaking")
  (flet ((in-broken (operation &rest fields)
           (apply #'ask operation "context" "looking" "package" "broken" fields)))
    (is (equal '("thing") (completions "thing" :package "broken" :limit 1)))
    (is (eq t (field (in-broken "class" "symbol" "thing") "found")))
    (is (equal '("Y") (map 'list (lambda (slot) (field slot "name"))
                           (field (field (in-broken "class" "symbol" "ahead") "class") "slots"))))
    (is (equal "(CLASS &KEY Y)" (second (arglist "(make-instance 'ahead |" :package "broken"))))
    (is (equal '("function") (map 'list (lambda (definition) (field definition "kind"))
                                  (field (in-broken "find-definition" "symbol" "raw") "definitions"))))
    (is (eql 0 (field (field (in-broken "generic-function" "symbol" "empty-function" "setf" nil) "genericFunction") "total")))
    (is (eq t (field (in-broken "describe" "symbol" "thing" "limit" 1000) "found")))
    (is (plusp (length (field (ask "packages") "packages"))))
    (is (find "ahead" (map 'list (lambda (node) (field node "name"))
                           (field (in-broken "class-graph" "roots" nil "limit" 100) "nodes"))
              :test #'string-equal))
    (is (plusp (field (ask "package-symbols" "package" "broken" "which" "all" "filter" nil "offset" 0 "limit" 5000)
                      "total")))))

(deftest "Variables of a lambda list show without their package, also those of lists within it, and defaults as they are"
  (evaluate "(defpackage :nesting (:use :cl)) (in-package :nesting)
             (defmacro nested (((a b) c) (d &optional (e f)) &optional (o p) &body (i . j) &key (g *h*) ((:k kk) l))
               (list a b c d e g kk o i j))" :context "nesting")
  (is (equal "(((A B) C) (D &OPTIONAL (E NESTING::F)) &OPTIONAL (O NESTING::P) &BODY (I . J) &KEY (G NESTING::*H*) ((:K KK) NESTING::L))"
             (lisp-workbench/introspection::lambda-list-text (find-symbol "NESTED" "NESTING")))))

(deftest "Lambda lists are printed without labels for what the compiler merged, and end where they are circular"
  (evaluate "(defpackage :merged (:use :cl)) (in-package :merged)
             (macrolet ((define () (let ((nothing (list 'quote nil)))
                                     `(defun head (&key (involved-set ,nothing) (eval-set ,nothing)) (list involved-set eval-set)))))
               (define))
             (macrolet ((define () (let ((endless (list 1))) (setf (cdr endless) endless)
                                     `(defun endless (&key (from ',endless)) from))))
               (define))" :context "merging")
  (flet ((lambda-list (name)
           (field (aref (field (ask "describe-symbol" "context" "looking" "package" "merged" "symbol" name) "meanings") 0)
                  "lambdaList")))
    (is (equal "(&KEY (INVOLVED-SET (QUOTE NIL)) (EVAL-SET (QUOTE NIL)))" (lambda-list "head")))
    (is (equal "(&KEY (INVOLVED-SET (QUOTE NIL)) (EVAL-SET (QUOTE NIL)))" (second (arglist "(head |" :package "MERGED"))))
    (is (equal "(&KEY (FROM (QUOTE #1=(1 . #1#))))" (lambda-list "endless")))))

(deftest "Completion offers names without a definition, and after two colons what a package inherits"
  (evaluate "(defpackage :lender (:use :cl) (:export #:lent-thing #:mere-word))
             (in-package :lender) (defun lent-thing () 1)
             (defpackage :debtor (:use :lender))" :context "lending")
  (is (member "&allow-other-keys" (completions "&allow") :test #'equal))
  (is (member "ignorable" (completions "ignorab") :test #'equal))
  (is (member "lender:mere-word" (completions "lender:me") :test #'equal))
  (is (equal '("debtor::lent-thing") (completions "debtor::lent")))
  (is (member "debtor::mere-word" (completions "debtor::me") :test #'equal))
  (is (equal '() (completions "debtor:lent"))))

(deftest "The work of completion does not grow with the ways in which a name could answer"
  (let ((name (format nil "P~{~A~}" (loop repeat 200 collect "O-PO-P"))))
    (is (null (lisp-workbench/introspection::match-name (format nil "~AA" (subseq name 0 150)) name)))
    (let ((start (get-internal-run-time)))
      (loop repeat 1000 do (lisp-workbench/introspection::match-name "PO-PA" name))
      (is (< (- (get-internal-run-time) start) internal-time-units-per-second))))
  (loop for (typed name indexes) in '(("MVB" "MULTIPLE-VALUE-BIND" (0 9 15)) ("W-O" "WITH-OPEN-FILE" (0 4 5))
                                      ("PO-PA" "PUT-ONE-PARAMETER" (0 4 7 8 9)) ("PO-PA" "POPA" nil) ("VB" "EVERY-BIT" nil))
        do (is (equal indexes (nth-value 1 (lisp-workbench/introspection::match-name typed name))) "~A ~A" typed name)))
