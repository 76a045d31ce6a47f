(cl:in-package #:lisp-workbench/tests)

(defun compile-text (text &key package source load policy)
  (ask "compile-text" "evaluation" (format nil "c~D" *next-id*) "context" "compiling" "actor" "person"
                      "outputLimit" 100000 "text" text "package" package "source" source "load" load "policy" policy))

(defun diagnostics (reply)
  "Return the severity and the source text of each diagnostic."
  (map 'list (lambda (each) (list (field each "severity") (field each "message") (field each "start") (field each "end")))
       (field (field reply "result") "diagnostics")))

(defun marked (text reply)
  "Return the severity of each diagnostic, and the piece of TEXT to which it points. TEXT must not contain astral characters."
  (map 'list (lambda (each)
               (list (field each "severity")
                     (and (field each "start") (subseq text (field each "start") (field each "end")))))
       (field (field reply "result") "diagnostics")))

(deftest "Diagnostics stand at the exact form, whatever comments, conditionals and reader macros are around it"
  (let ((text "; one
(defun d1 (x) #| two |# #-sbcl (nowhere) (list #+sbcl (d1-missing x) d1-unbound) (car 1 2))
(defun d2 () (d1-missing 1))
#.(progn '(defun d4 () (d4-missing 1)))
(defun d3 (unused) '(d1-missing) (flet ((d1-missing ())) (d1-missing)) (let ((a 1 2)) a))"))
    (is (equal '(("error" "(a 1 2)") ("style-warning" "unused") ("style-warning" "d1-missing")
                 ("style-warning" "d1-missing") ("style-warning" "d4-missing") ("warning" "car") ("warning" "d1-unbound"))
               (stable-sort (marked text (compile-text text)) #'string< :key #'first)))))

(deftest "Places count UTF-16 code units, in the file that the text came from"
  (is (equal '(("style-warning" "undefined function: D5-MISSING" 125 135))
             (diagnostics (compile-text (format nil "; ~C~C~%(defun d5 () ~S (d5-missing))" (code-char #x1f600) (code-char 233)
                                                (string (code-char #x1f600)))
                                        :source (object "file" "/tmp/some.lisp" "offset" 100 "line" 7)))))
  (let ((diagnostic (aref (field (field (compile-text "
  (d6-missing)" :source (object "file" "/tmp/some.lisp" "offset" 100 "line" 7)) "result") "diagnostics") 0)))
    (is (equal '("/tmp/some.lisp" 8 3) (list (field diagnostic "file") (field diagnostic "line") (field diagnostic "column"))))))

(deftest "What cannot be read is told with its place"
  (flet ((place (text)
           (let ((reply (compile-text text :load t)))
             (is (eq t (field (field reply "result") "failed")))
             (is (null (field (field reply "result") "loaded")))
             (list* (field (aref (field (field reply "result") "diagnostics") 0) "type")
                    (marked text reply)))))
    (is (equal '("END-OF-FILE" ("read-error" "(defun d7 () (list 1)
")) (place "(print 1)
(defun d7 () (list 1)
")))
    (is (equal '("READER-ERROR" ("read-error" "no-such-package:d8")) (place "(list no-such-package:d8 2)")))
    (is (equal '("READER-ERROR" ("read-error" "#?")) (place "(list 1
  #?\"abc\")")))
    (is (equal '("READER-ERROR" ("read-error" ")")) (place "(list 1))")))
    (is (equal '("READER-ERROR" ("read-error" "no-such-package:d8")) (place "(print \"é\")

(list \"äß\"
 no-such-package:d8 2)
(print 3)")))))

(deftest "A fault of the reader tells its place once, and with columns from 1"
  (flet ((fault (text)
           (let ((diagnostic (aref (field (field (compile-text text) "result") "diagnostics") 0)))
             (list (field diagnostic "message") (field diagnostic "line") (field diagnostic "column")))))
    (is (equal '("Package NO-SUCH-PACKAGE does not exist." 2 2) (fault "(list 1
  no-such-package:d10)"))))
  (let ((message (condition-message (evaluate "(let ((file (format nil \"/tmp/unread-~36R.lisp\" (random (expt 36 10)))))
  (unwind-protect
       (progn (with-open-file (out file :direction :output) (format out \"(list 1~%  no-such-package:d10)\"))
              (load file))
    (delete-file file)))"))))
    ;; The position is after the token, because SBCL had already read the whole token.
    (is (search "Line: 2, Column: 22" message) "~A" message)
    (is (not (search "File-Position" message)))))

(deftest "A text that was compiled and loaded stands in its file, form by form, and leaves nothing behind"
  (let ((reply (compile-text "(defvar *d9* 1)

(defun d9 () (lambda () *d9*))
(defclass d9-class () ())
(defmethod d9-method ((d d9-class)) d)" :load t :source (object "file" "/tmp/some.lisp" "offset" 10 "line" 3))))
    (is (equal (quote (t 4 nil)) (list (field (field reply "result") "loaded") (field (field reply "result") "definitions")
                                (field (field reply "result") "fasl"))))
    (loop for (kind name offset line) in '((:variable cl-user::*d9* 10 3) (:function cl-user::d9 27 5)
                                           (:class cl-user::d9-class 58 6) (:method cl-user::d9-method 84 7))
          for source = (first (sb-introspect:find-definition-sources-by-name
                               (find-symbol (symbol-name name) '#:cl-user) kind))
          for plist = (sb-introspect:definition-source-plist source)
          do (is (equal (list "person" "/tmp/some.lisp" offset line)
                        (list (getf plist :actor) (getf plist :file) (getf plist :offset) (getf plist :line)))
                 "~A: ~S" name source))
    (compile-text "(defvar *d9-fasl* *load-truename*)" :load t)
    (let ((fasl (symbol-value (find-symbol "*D9-FASL*" '#:cl-user))))
      (is (pathnamep fasl))
      (is (null (uiop:directory-exists-p (uiop:pathname-directory-pathname fasl)))))
    (is (equal '() (diagnostics (compile-text "(defun d9 () 2)" :load t :source (object "file" "/tmp/some.lisp" "offset" 10 "line" 3)))))
    (is (equal '(("redefinition" "redefining D9 in DEFUN" 0 15))
               (diagnostics (compile-text "(defun d9 () 3)" :load t :source (object "file" "/tmp/other.lisp" "offset" 0 "line" 1)))))))

(deftest "An error while code is compiled or loaded ends it, and what was said until then is kept"
  (let ((reply (compile-text "(defun d10 (x) 1)
(eval-when (:compile-toplevel) (error \"while compiling\"))")))
    (is (equal '("error" (("style-warning" "The variable X is defined but never used." 12 13)
                          ("error" "while compiling" 18 75)))
               (list (field reply "status") (diagnostics reply)))))
  (let ((reply (compile-text "(defun d11 (x) 1) (error \"while loading\")" :load t)))
    (is (equal '("error" "while loading" (("style-warning" "The variable X is defined but never used." 12 13)
                ("error" "while loading" 18 41)))
               (list (field reply "status") (condition-message reply) (diagnostics reply))))))

(deftest "What the compiler says of a text is no output, but what its macros print is"
  (compile-text "(defun d17 (x) (d17-missing d17-unbound) (car 1 2)) (eval-when (:compile-toplevel) (princ \"mine\"))" :load t)
  (is (equal '("mine" "") (list (output "stdout") (output "stderr"))))
  (compile-text "(defun d18 (x) (d18-missing)")
  (is (equal '("" "") (list (output "stdout") (output "stderr")))))

(deftest "A name that stands alone has its place, and macros see the file that a text belongs to"
  (is (equal '(("warning" "d15-alone")) (let ((text "1 d15-alone")) (marked text (compile-text text)))))
  (with-project '(("real.lisp" . ""))
    (let ((file (sb-ext:native-namestring (truename "real.lisp"))))
      (compile-text "(defparameter *d16* #.(sb-ext:native-namestring *compile-file-truename*))" :load t
                    :source (object "file" file "offset" 0 "line" 1))
      (is (equal file (symbol-value (find-symbol "*D16*" '#:cl-user)))))))

(deftest "The policy that is asked for a text is that text's alone"
  (is (find "note" (diagnostics (compile-text "(defun d12 (x y) (+ x y))" :policy (object "speed" 3))) :key #'first :test #'equal))
  (is (equal '() (diagnostics (compile-text "(defun d12 (x y) (+ x y))")))))

(deftest "A file is compiled into ASDF's cache or where it is asked for, never beside the source"
  (with-project '(("compiled.lisp" . "(in-package :cl-user) (defun d13 () (d13-missing))")
                  ("bad.lisp" . "(in-package :cl-user) (defun d14 () (car 1 2))"))
    (flet ((compile-it (name output)
             (field (ask "compile-file" "evaluation" "f" "context" "compiling" "actor" "person" "outputLimit" 100000
                                        "file" name "load" t "output" output "externalFormat" nil)
                    "result")))
      (let ((result (compile-it "compiled.lisp" nil)))
        (is (probe-file (field result "fasl")))
        (is (null (probe-file "compiled.fasl")))
        (is (search "compiled.lisp" (field (aref (field result "diagnostics") 0) "file")))
        (delete-file (field result "fasl")))
      (is (search "out.fasl" (field (compile-it "compiled.lisp" "out.fasl") "fasl")))
      (is (equal '(t t nil) (let ((result (compile-it "bad.lisp" nil)))
                              (list (field result "failed") (field result "loaded") (field result "fasl")))))
      (is (search "compiled.lisp"
                  (namestring (sb-introspect:definition-source-pathname
                               (sb-introspect:find-definition-source (fdefinition (find-symbol "D13" '#:cl-user))))))))))
