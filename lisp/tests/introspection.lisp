(cl:in-package #:lisp-workbench/tests)

(defun completions (prefix &key (context "looking") package text offset (limit 20))
  (map 'list (lambda (completion) (field completion "text"))
       (field (ask "complete" "context" context "package" package "prefix" prefix
                              "text" text "offset" offset "limit" limit)
              "completions")))

(deftest "D4 completion finds names by their beginning, by their words and by their order"
  (is (equal "multiple-value-bind" (first (completions "mvb"))))
  (is (equal "with-output-to-string" (first (completions "w-o-t-s"))))
  (is (equal '("mapcar") (completions "mapcar" :limit 1)))
  (is (equal "MAPCAN" (first (completions "MAPCA"))))
  (is (equal '() (completions "zzqq-nothing"))))

(deftest "D4 completion knows packages, keywords and local nicknames"
  (evaluate "(defpackage :offered (:use :cl) (:export #:shown-thing))
             (in-package :offered) (defun shown-thing (a &key b) \"First line.
Second.\" (list a b)) (defun hidden-thing () 1)
             (defpackage :borrowing (:use :cl) (:local-nicknames (:off :offered)))" :context "offering")
  (is (equal '("offered:shown-thing") (completions "offered:")))
  (is (equal '("offered::hidden-thing") (completions "offered::hid")))
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

(deftest "Completion shows nothing of ours and no names without a meaning"
  (dolist (prefix '("lisp-w" "lisp-workbench/evaluation:" "lisp-workbench/evaluation::" "print-sho" "define-operation"
                    ":lisp-work" "%simple-fu"))
    (is (equal '() (completions prefix)) "~A" prefix)))

(defun locals (text)
  "What completion offers of TEXT's own at its |, with its kind."
  (let ((at (position #\| text)))
    (map 'list (lambda (completion) (field completion "text"))
         (remove-if-not (lambda (completion) (search "local" (aref (field completion "kinds") 0)))
                        (remove #() (field (ask "complete" "context" "looking" "package" nil "prefix" ""
                                                           "text" (remove #\| text) "offset" at "limit" 300)
                                           "completions")
                                :key (lambda (completion) (field completion "kinds")) :test #'equalp)))))

(deftest "D4 completion offers the locals of the form around"
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
