(cl:in-package #:lisp-workbench/tests)

(defun inspect-code (code &rest fields)
  "Return three values: the inspector page for the value of CODE, the handle of that page, and the reply."
  (let* ((reply (apply #'ask "inspect-expression" "evaluation" (format nil "i~D" *next-id*) "context" "inspecting"
                       "actor" "person" "outputLimit" 1000 "code" code "holder" "looker"
                       (append fields (list "view" nil "offset" 0 "limit" 20 "package" nil))))
         (result (field reply "result")))
    (values (field result "page") (field result "handle") reply)))

(defun parts (page)
  (map 'list (lambda (part) (list (field part "label") (field part "text"))) (field page "parts")))

(defun look-at (handle &rest fields)
  (apply #'ask "inspect" "handle" handle
         (append fields (list "holder" "looker" "view" nil "offset" 0 "limit" 20 "package" nil))))

(defun set-part (handle part code)
  "Set PART of the object with HANDLE to the value of CODE, and return the reply."
  (ask "set-part" "evaluation" (format nil "s~D" *next-id*) "context" "inspecting" "actor" "person" "outputLimit" 1000
                  "handle" handle "path" (field part "path") "code" code "remove" :false "holder" "looker"
                  "view" nil "offset" 0 "limit" 20 "package" nil))

(deftest "Every view of every kind of object can be shown [D7]"
  (dolist (code '("nil" "t" "'car" ":key" "'#:alone" "(list 1)" "(cons 1 2)" "\"\"" "(string #\\a)" "#()" "#0A1" "#2A()"
                  "#*" "(make-array '(1 2 3))" "(make-array 0 :fill-pointer 0)" "(make-hash-table)" "*package*" "#p\"\"" "#p\"*.*\""
                  "(make-string-output-stream)" "(make-broadcast-stream)" "*terminal-io*" "sb-thread:*current-thread*"
                  "(make-condition 'error)" "#'car" "(lambda ())" "#'print-object" "#'(setf car)" "(find-class 't)"
                  "(find-class 'null)" "(find-class 'error)" "(find-class 'package)" "0" "-1" "1e0" "-0d0" "1/2" "#c(1 2)"
                  "sb-ext:double-float-positive-infinity" "(expt 10 5000)" "(code-char 0)" "(code-char #xd800)" "*readtable*"
                  "*random-state*" "(asdf:find-system \"asdf\")" "(sb-mop:class-prototype (find-class 'standard-object))"
                  "(first (sb-mop:generic-function-methods #'print-object))" "(sb-ext:make-weak-pointer 1)"
                  "(sb-kernel:%make-lisp-obj sb-vm:unbound-marker-widetag)" "(allocate-instance (find-class 'sb-mop:standard-method))"))
    (multiple-value-bind (page handle reply) (inspect-code code)
      (is (equal "ok" (field reply "status")) "~A: ~S" code (field reply "condition"))
      (map nil (lambda (view)
                 (let ((shown (look-at handle "view" view)))
                   (is (equal view (field shown "view")) "~A ~A: ~S" code view shown)
                   (is (null (field shown "problem")) "~A ~A: ~S" code view (field shown "problem"))))
           (field page "views")))))

(deftest "An object whose class was changed or whose package is gone is still shown [D7]"
  (evaluate "(defclass changing () ((a :initform 1))) (defvar *changing* (make-instance 'changing))
             (defclass changing () ((b :initform 2)))
             (defpackage :vanishing) (defvar *lost* (intern \"LOST\" :vanishing)) (delete-package :vanishing)" :context "inspecting")
  (is (equal '(("B" "2")) (parts (inspect-code "*changing*"))))
  (is (equal "symbol" (field (inspect-code "*lost*") "kind")))
  (is (equal '(("0" "#:LOST")) (parts (inspect-code "(list *lost*)")))))

(deftest "A part is changed in the object itself [D7]"
  (evaluate "(defparameter *chosen* (list 1 2 3))" :context "inspecting")
  (multiple-value-bind (page handle) (inspect-code "*chosen*")
    (let ((reply (set-part handle (aref (field page "parts") 1) "(list * *)")))
      (is (equal '(("0" "1") ("1" "(2 2)") ("2" "3")) (parts (field reply "result"))))
      (is (equal "(1 (2 2) 3)" (value "*chosen*" :context "inspecting"))))))

(deftest "A name is inspected without evaluating anything [D7]"
  (evaluate "(defvar cl-user::*named-list* (list 1 2)) (define-symbol-macro cl-user::trap (error \"no\")) (list 3 4 5)"
            :context "by-name")
  (flet ((name (text)
           (let ((reply (ask "inspect-name" "context" "by-name" "name" text "holder" "looker" "view" nil "offset" 0
                                            "limit" 20 "package" nil)))
             (and (eq t (field reply "found"))
                  (list (field (field reply "page") "kind") (field (field reply "page") "text"))))))
    (is (equal '("list" "(1 2)") (name "*named-list*")))
    (is (equal '("list" "(3 4 5)") (name "*")))
    (is (equal "package" (first (name "*package*"))))
    (is (equal '("symbol" "TRAP") (name "trap")))
    (is (equal '("symbol" "*NAMED-LIST*") (name "'*named-list*")))
    (is (equal "function" (first (name "#'car"))))
    (is (equal "function" (first (name "#'(setf symbol-plist)"))))
    (is (equal '("symbol" ":A-KEYWORD") (progn (evaluate ":a-keyword" :context "by-name") (name ":a-keyword"))))
    (dolist (text '("" "(" "(error \"x\")" "never-seen-name" "no-package:x" "#.(error \"x\")" "#'" "#'never-seen-name" "1" "\"x\""
                    "'(1 2)" "lisp-workbench/evaluation::*contexts*"))
      (is (null (name text)) "~S: ~S" text (name text)))
    (is (null (find-symbol "NEVER-SEEN-NAME" '#:cl-user)))))
