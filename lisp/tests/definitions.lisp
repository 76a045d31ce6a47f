(cl:in-package #:lisp-workbench/tests)

(defun definitions (package)
  "Return the kind, name, lambda list and value of each definition in PACKAGE."
  (map 'list (lambda (record)
               (list (field record "kind") (field record "name") (field record "lambdaList") (field record "value")))
       (field (ask "list-definitions" "context" "test" "package" package) "definitions")))

(defun await-event-of (evaluation name)
  "Wait for the event NAME about EVALUATION and return the event. Skip late events of earlier evaluations."
  (flet ((wanted-p (event)
           (and (equal name (field event "event")) (equal evaluation (field event "evaluation")))))
    (loop (let ((event (find-if #'wanted-p *events*)))
            (when event (return event)))
          (push (next-message) *events*))))

(deftest "A package's own definitions are listed each once, sorted, nested ones too [T14–T16, S22, S42, decision 13]"
  (evaluate "(defpackage :listed (:use :cl))
             (in-package :listed)
             (defun plain (a b &optional c) (list a b c))
             (defun (setf place) (v) v)
             (let ((n 0)) (defun nested () (incf n)))
             (setf (fdefinition 'indirect) (lambda (q) q))
             (defmacro with-it ((x) &body body) x `(progn ,@body))
             (defvar *var* (list 1 \"b\")) (defvar *empty*) (defconstant +k+ :k)
             (defclass shape () ((name :accessor shape-name)))
             (defgeneric area (x)) (defmethod area ((s shape)) s 1)
             (defmethod print-object ((s shape) stream) (write-string \"shape\" stream))
             (define-condition trouble (error) ()) (deftype small () '(integer 0 9))
             (setq undeclared 7)" :context "listing")
  (is (equal '(("class" "SHAPE" nil nil) ("condition" "TROUBLE" nil nil) ("constant" "+K+" nil ":K")
               ("function" "(SETF PLACE)" "(V)" nil) ("function" "INDIRECT" "(Q)" nil) ("function" "NESTED" "()" nil)
               ("function" "PLAIN" "(A B &OPTIONAL C)" nil)
               ("generic-function" "(SETF SHAPE-NAME)" "(NEW-VALUE OBJECT)" nil) ("generic-function" "AREA" "(X)" nil)
               ("generic-function" "SHAPE-NAME" "(OBJECT)" nil)
               ("macro" "WITH-IT" "((X) &BODY BODY)" nil)
               ("method" "AREA (SHAPE)" "(S)" nil) ("method" "PRINT-OBJECT (SHAPE T)" "(S STREAM)" nil)
               ("type" "SMALL" nil nil)
               ("variable" "*EMPTY*" nil nil) ("variable" "*VAR*" nil "(1 \"b\")") ("variable" "UNDECLARED" nil "7"))
             (definitions "LISTED"))))

(deftest "A structure is a structure, and its functions have readable lambda lists"
  (evaluate "(defpackage :structured (:use :cl)) (in-package :structured) (defstruct point x (y 2))" :context "structures")
  (is (equal '(("function" "(SETF POINT-X)" "(VALUE INSTANCE)" nil) ("function" "(SETF POINT-Y)" "(VALUE INSTANCE)" nil)
               ("function" "COPY-POINT" "(INSTANCE)" nil) ("function" "MAKE-POINT" "(&KEY X (Y 2))" nil)
               ("function" "POINT-P" "(OBJECT)" nil) ("function" "POINT-X" "(INSTANCE)" nil)
               ("function" "POINT-Y" "(INSTANCE)" nil) ("structure" "POINT" nil nil))
             (definitions "structured"))))

(deftest "A list of definitions has the beginning of a long documentation string, and a description all of it [K6]"
  (evaluate "(defpackage :documented (:use :cl)) (in-package :documented) (defun documented () 1)
             (setf (documentation 'documented 'function) (make-string 5000 :initial-element #\\d))" :context "documents")
  (flet ((documented (field reply)
           (field (first (coerce (field reply field) 'list)) "documentation")))
    (is (= 2001 (length (documented "definitions" (ask "list-definitions" "context" "test" "package" "DOCUMENTED")))))
    (is (= 5000 (length (documented "meanings" (ask "describe-symbol" "context" "test" "symbol" "documented"
                                                                      "package" "DOCUMENTED")))))))

(deftest "An unknown package is no error [S43]"
  (is (eq t (field (ask "list-definitions" "context" "test" "package" "nope") "unknownPackage"))))

(deftest "The sweep tells which packages changed, and by whom"
  (flet ((changed (code)
           (evaluate code :actor "client:a" :context "sweep" :evaluation code)
           (let ((event (await-event-of code "definitions-changed")))
             (list (field event "actor") (coerce (field event "packages") 'list) (coerce (field event "removedPackages") 'list)))))
    (is (equal '("client:a" ("COMMON-LISP-USER") ()) (changed "(defun swept () 1)")))
    (is (equal '("client:a" ("COMMON-LISP-USER") ()) (changed "(defun swept () 2)")))
    (is (equal '("client:a" ("COMMON-LISP-USER") ()) (changed "(setf (symbol-function 'swept-too) (lambda () 1))")))
    (is (equal '("client:a" ("COMMON-LISP-USER") ()) (changed "(funcall (lambda () (set 'swept-variable 1)))")))
    (is (equal '("client:a" ("COMMON-LISP-USER") ()) (changed "(fmakunbound 'swept-too)")))
    (is (equal '("client:a" ("COMMON-LISP-USER") ()) (changed "(defgeneric swept-generic (x)) (defmethod swept-generic ((x integer)) x)")))
    (is (equal '("client:a" ("COMMON-LISP-USER") ()) (changed "(eval (list 'defmethod 'swept-generic '((x string)) 'x))")))
    (is (equal '("client:a" ("SWEPT") ()) (changed "(defpackage :swept)")))
    (is (equal '("client:a" () ("SWEPT")) (changed "(delete-package :swept)")))))

(deftest "After a sweep that took long none comes by itself for a while, and one that is wanted comes at once"
  (flet ((rested (seconds code)
           (value (format nil "(progn (setf lisp-workbench/definitions::*swept-at* (get-internal-real-time)
                                            lisp-workbench/definitions::*sweep-took* (* ~D internal-time-units-per-second))
                                      ~A)"
                          seconds code))))
    (rested 1000 "(funcall (lambda () (set 'found-late 1)))")
    (is (equal "T" (value "(lisp-workbench/definitions::sweep-when-rested)")))
    (is (equal "T" (value "(and lisp-workbench/definitions::*pending* t)")))
    (is (find "FOUND-LATE" (definitions "CL-USER") :key #'second :test #'string=))
    (rested 0 "(makunbound 'found-late)")))

(deftest "Definitions that follow each other are told one by one, and all others are looked through once"
  (let ((sweeps 0))
    (sb-int:encapsulate 'lisp-workbench/definitions::sweep 'count
                        (lambda (sweep actor) (incf sweeps) (funcall sweep actor)))
    (unwind-protect
         (let ((sent (loop for n below 20
                           for name = (format nil "burst-~D" n)
                           collect (cons name (send-code (format nil "(defun ~A () ~D)" name n) :evaluation name)))))
           (loop for (name . id) in sent
                 do (await-reply id)
                    (is (equalp (vector (string-upcase name))
                                (map 'vector (lambda (event) (field event "name"))
                                     (field (await-event-of name "definition-events") "events")))))
           (await-event-of "burst-19" "definitions-changed"))
      (sb-int:unencapsulate 'lisp-workbench/definitions::sweep 'count))
    (is (< sweeps 10) "~D sweeps" sweeps)))

(deftest "What an evaluation defined before it waits is told as its own when another one ends meanwhile"
  (let ((waiting (send-code "(defun of-the-waiting () 1) (read-line)"
                            :interactive t :context "waiting" :actor "client:waiting" :evaluation "waiting")))
    (await-event "input-requested")
    (let ((other (send-code "(defun of-the-other () 1)" :context "other" :actor "client:other" :evaluation "other")))
      (await-reply other)
      (flet ((told (evaluation)
               (map 'list (lambda (event) (list (field event "actor") (field event "name")))
                    (field (await-event-of evaluation "definition-events") "events"))))
        (is (equal '(("client:waiting" "OF-THE-WAITING")) (told "waiting")))
        (is (equal '(("client:other" "OF-THE-OTHER")) (told "other")))))
    (ask "input" "evaluation" "waiting" "text" "a line")
    (unless (find waiting *events* :key (lambda (message) (field message "id")))
      (await-reply waiting))))

(deftest "Definitions know who evaluated them and where they stand [P1]"
  (evaluate "(defpackage :placed (:use :cl)) (in-package :placed)

(defun here () 1) (defvar *there* 2)" :actor "client:b" :context "placing"
            :source (object "file" "/shop/a.lisp" "offset" 100 "line" 10))
  (is (equalp '((:object "file" "/shop/a.lisp" "offset" 154 "line" 12) "client:b"
                (:object "file" "/shop/a.lisp" "offset" 172 "line" 12) "client:b")
              (loop for record across (field (ask "list-definitions" "context" "test" "package" "placed") "definitions")
                    collect (field record "source")
                    collect (field record "actor")))))

(deftest "Definitions are found in the text of a file"
  (let ((text "(in-package :x)
;; (defun commented ()) price
(defun price (x) x)
  (defvar *tax* 1)
(defclass item () ((name :accessor item-name)))
(defun (setf price) (v) v)
(sb-ext:defglobal shop::total 0)"))
    (loop for (name line) in '(("PRICE" 3) ("*TAX*" 4) ("ITEM" 5) ("ITEM-NAME" 5) ("TOTAL" 7) ("NOWHERE" nil))
          do (is (eql line (nth-value 1 (lisp-workbench/introspection:place-in-text text name))) "~A" name))))

(deftest "The operation describe-symbol tells everything that a name means, or near names [X42]"
  (evaluate "(defun described (x) \"Documented.\" x) (defvar described 5)")
  (flet ((meanings (symbol)
           (map 'list (lambda (meaning) (list (field meaning "kind") (field meaning "lambdaList") (field meaning "value")))
                (field (ask "describe-symbol" "context" "test" "symbol" symbol "package" nil) "meanings"))))
    (is (equal '(("function" "(X)" nil) ("variable" nil "5")) (meanings "described")))
    (is (equal '("special operator") (mapcar #'first (meanings "if"))))
    (is (equal '(("constant" nil "3.141592653589793d0")) (meanings "cl:pi"))))
  (let ((reply (ask "describe-symbol" "context" "test" "symbol" "mapcra" "package" nil)))
    (is (null (field reply "found")))
    (is (find "MAPCAR" (field reply "near") :test #'equal)))
  (is (eq t (field (ask "describe-symbol" "context" "test" "symbol" "x" "package" "nope") "unknownPackage"))))

(deftest "The operation describe-symbol takes local nicknames and SETF functions, and knows what was meant elsewhere [X42]"
  (evaluate "(defpackage :depot (:use :cl) (:export #:stocked))
             (defpackage :depot-user (:use :cl) (:local-nicknames (:d :depot)))"
            :context "elsewhere")
  (evaluate "(in-package :depot) (defun stocked (x) x) (defun (setf stocked) (new x) (list new x)) (defun hidden-shelf () 1)"
            :context "elsewhere")
  (flet ((described (symbol &optional package)
           (let ((reply (ask "describe-symbol" "context" "test" "symbol" symbol "package" package)))
             (list (field reply "symbol") (field reply "package")
                   (map 'list (lambda (meaning) (field meaning "kind")) (field reply "meanings"))
                   (coerce (field reply "near") 'list)))))
    (is (equal '("DEPOT:STOCKED" "DEPOT" ("function" "setf function") ()) (described "d:stocked" "depot-user")))
    (is (equal '("d:stocked" "d" () ()) (described "d:stocked")))
    (is (equal '("(SETF DEPOT:STOCKED)" "DEPOT" ("setf function") ()) (described "(setf depot:stocked)")))
    (is (equal '("(SETF DEPOT:STOCKED)" "DEPOT" ("setf function") ()) (described "#'(setf stocked)" "depot")))
    (is (equal '("(SETF GETF)" "COMMON-LISP" ("setf expander") ()) (described "(setf getf)")))
    (is (equal '("(SETF DEPOT::HIDDEN-SHELF)" "DEPOT" () ()) (described "(setf depot::hidden-shelf)")))
    (is (equal '("hidden-shelf" "COMMON-LISP-USER" () ("DEPOT::HIDDEN-SHELF")) (described "hidden-shelf")))
    (is (equal '("stockd" "COMMON-LISP-USER" () ("DEPOT:STOCKED")) (described "stockd")))
    (is (equal '("x1" "COMMON-LISP-USER" () ()) (described "x1")))
    (is (equal '("stocked hidden-shelf" "DEPOT" () ()) (described "stocked hidden-shelf" "depot")))
    (is (equal '("gone:stocked" "gone" () ()) (described "gone:stocked"))))
  (evaluate "(defpackage \"small\" (:use :cl)) (eval (read-from-string \"(defun |small|::|thing| (x) x)\"))")
  (is (equal "|small|::|thing|" (field (ask "describe-symbol" "context" "test" "symbol" "small::|thing|" "package" nil) "symbol")))
  (is (eq t (field (ask "find-definition" "context" "test" "symbol" "small::|thing|" "package" nil) "found")))
  (evaluate "(delete-package \"small\")"))

(deftest "Lambda lists are whole, however long [T14]"
  (evaluate "(defun many (a b c d e f g h i j &key (k '(1 (2 (3 (4))))) &allow-other-keys) (list a b c d e f g h i j k))
             (defclass many-slots () (a b c d e f g h i j))")
  (flet ((lambda-list (symbol)
           (field (aref (field (ask "describe-symbol" "context" "test" "symbol" symbol "package" nil) "meanings") 0)
                  "lambdaList")))
    (is (equal "(A B C D E F G H I J &KEY (K (QUOTE (1 (2 (3 (4)))))) &ALLOW-OTHER-KEYS)" (lambda-list "many")))
    (is (equal "(A B C D E F G H I J)" (lambda-list "many-slots")))))

(deftest "Disassembly and callers of a SETF function are its own [D10]"
  (evaluate "(defun shelf (x) (car x)) (defun (setf shelf) (new x) (rplaca x new))
             (defun reads-shelf (x) (shelf x)) (defun writes-shelf (x) (setf (shelf x) 1))")
  (flet ((callers (symbol)
           (map 'list (lambda (reference) (field reference "name"))
                (field (ask "cross-references" "context" "test" "package" nil "symbol" symbol "relation" "called-by"
                                               "limit" 10)
                       "references"))))
    (is (equal '("WRITES-SHELF") (callers "(setf shelf)")))
    (is (equal '("READS-SHELF" "WRITES-SHELF") (sort (callers "shelf") #'string<))))
  (is (search "(SETF SHELF)" (field (ask "disassemble" "context" "test" "package" nil "symbol" "(setf shelf)" "limit" 10000)
                                    "text"))))

(deftest "A look-up is served while an evaluation runs"
  (let ((busy (send-code "(sleep 1/2)" :evaluation "busy")))
    (is (eq t (field (ask "describe-symbol" "context" "test" "symbol" "car" "package" nil) "found")))
    (is (equal "ok" (field (await-reply busy) "status")))))

(deftest "Definitions of a text are found behind feature expressions, and compared without comments, white space and case"
  (flet ((names (text) (mapcar #'lisp-workbench/provenance::file-form-name (lisp-workbench/provenance::file-forms text)))
         (same-p (one other)
           (apply #'equal (mapcar (lambda (text) (lisp-workbench/provenance::form-tokens (first (lisp-workbench/provenance::file-forms text))))
                                  (list one other)))))
    (is (equal '("ONE" "CAR :AFTER ((EQL 'A) T)" "(SETF PLACE)" "POINT" "|a b|")
               (names "(defun #+sbcl one #-sbcl two () 1) #+sbcl (defmethod car :after ((x (eql 'a)) y) 1)
                       (defun (setf place) (x)) (progn (defstruct (point (:copier nil)) x)) (defvar |a b| #\\( )")))
    (is (same-p "(defun f (x) ; one
                   #| two |# `(a ,@x . b))" "(DEFUN F (x) `(A ,@X . b))"))
    (loop for (one other) in '(("(defun f () \"a\")" "(defun f () \"A\")") ("(defun f () #\\a)" "(defun f () #\\A)")
                               ("(defun f () #+a 1)" "(defun f () #-a 1)") ("(defun f () '(a . b))" "(defun f () '(a b))")
                               ("(defun f () 'x)" "(defun f () `x)") ("(defun f () `,x)" "(defun f () `,@x)")
                               ("(defun f () |x|)" "(defun f () x)") ("(defun f () #(1))" "(defun f () (1))")
                               ("(defun f () #'x)" "(defun f () 'x)") ("(defun f () #p\"a\")" "(defun f () #.\"a\")"))
          do (is (not (same-p one other)) "~A ~A" one other))))
