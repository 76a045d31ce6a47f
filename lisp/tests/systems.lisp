(cl:in-package #:lisp-workbench/tests)

(defun load-system (name)
  (ask "load-system" "evaluation" name "context" "loading" "actor" "person" "system" name "outputLimit" 100000))

(deftest "Available systems are listed by name, and nothing of the folder runs [K7]"
  (with-project '(("listed-one.asd" . "(error \"ran\") (defsystem \"listed-one\") (defsystem \"listed-one/tests\")"))
    (let ((names (map 'list (lambda (system) (field system "name")) (field (ask "systems") "systems"))))
      (is (subsetp '("listed-one" "listed-one/tests") names :test #'string=))
      (is (not (member "asdf" names :test #'string=))))))

(deftest "A system is loaded by a name in any case, and listed [S15, S24, S31, T18]"
  (with-project '(("tiny.asd" . "(defsystem \"tiny\" :version \"1.2\" :components ((:file \"tiny\")))")
                  ("tiny.lisp" . "(defpackage :tiny (:use :cl)) (in-package :tiny) (defun size () 1) (print :loading)"))
    (let ((reply (load-system " \"Tiny\" ")))
      (is (equal '("ok" "tiny" "1.2") (list (field reply "status") (field (field reply "result") "name") (field (field reply "result") "version")))))
    (is (search ":LOADING" (output "stdout")))
    (is (find "TINY" (field (ask "list-definitions" "context" "test" "package" nil) "systems") :test #'string=))
    (is (equal '("function" "SIZE") (subseq (first (definitions "TINY")) 0 2)))))

(deftest "A system of ASDF's source registry is found while another thread has that filled anew"
  (with-project '(("sought.asd" . "(defsystem \"sought\")"))
    (let* ((configuration `(:source-registry (:directory ,*default-pathname-defaults*) :ignore-inherited-configuration))
           (filler (progn
                     (asdf:initialize-source-registry configuration)
                     (sb-thread:make-thread (lambda () (loop repeat 300 do (asdf:initialize-source-registry configuration)))))))
      (unwind-protect
           (is (eql 0 (loop while (sb-thread:thread-alive-p filler)
                            count (null (lisp-workbench/internals:sysdef-source-registry-search "sought")))))
        (sb-thread:join-thread filler)
        (asdf:clear-source-registry)))))

(deftest "Systems that cannot be loaded say why [S45, S47, S48]"
  (with-project '(("broken.asd" . "(defsystem \"broken\" :components ((:file")
                  ("uncompilable.asd" . "(defsystem \"uncompilable\" :components ((:file \"u\")))")
                  ("u.lisp" . "(defun u (x) (let ((y")
                  ("dependent.asd" . "(defsystem \"dependent\" :depends-on (\"not-there\"))"))
    (loop for (name type words) in '(("not-there" "ASDF:MISSING-COMPONENT" "Component \"not-there\" not found")
                                     ("broken" "ASDF:LOAD-SYSTEM-DEFINITION-ERROR" "broken.asd")
                                     ("uncompilable" "ASDF:COMPILE-FILE-ERROR" "uncompilable")
                                     ("dependent" "ASDF:MISSING-DEPENDENCY" "not-there"))
          for reply = (load-system name)
          do (is (equal (list "error" type) (list (field reply "status") (condition-type reply))) "~A: ~S" name reply)
             (is (search words (condition-message reply)) "~A: ~A" name (condition-message reply)))))

(deftest "What a loaded file defines is nobody's evaluation and stands in its file"
  (with-project '(("standing.lisp" . "(in-package :cl-user)

(defun standing () 1)"))
    (evaluate "(load \"standing.lisp\")" :actor "client:c" :source (object "file" "/other.lisp" "offset" 0 "line" 1))
    (let ((record (find "STANDING" (field (ask "list-definitions" "context" "test" "package" "CL-USER") "definitions")
                        :key (lambda (record) (field record "name")) :test #'string=)))
      (is (null (field record "actor")))
      (is (search "standing.lisp" (field (field record "source") "file")))
      (is (eql 3 (field (field record "source") "line"))))))

(deftest "What came from a file is the same until the file or the image changes [P2]"
  (with-project '(("stated.lisp" . "(defpackage :stated (:use :cl)) (in-package :stated)
(defun f () 1) (defstruct point x) (defclass item () ((name :accessor name))) (defun g () 1)"))
    (evaluate "(load \"stated.lisp\")")
    (let ((file (field (field (first (history "f" :package "STATED")) "source") "file")))
      (is (equal '("same") (remove-duplicates (mapcar #'third (states "files" (one-file file nil) "package" nil)) :test #'equal)))
      (evaluate "(in-package :stated) (defun f () 2) (defun h () 1)" :context "stating")
      (is (equal '(("package" "STATED" "same") ("function" "F" "changed-in-image") ("structure" "POINT" "same")
                   ("class" "ITEM" "same") ("function" "G" "changed-in-file"))
                 (states "files" (one-file file "(defpackage :stated (:use :cl)) (in-package :stated)
(defun f () 1) (defstruct point x) (defclass item () ((name :accessor name))) (defun g () 2)")
                         "package" nil)))
      (is (subsetp '(("class" "ITEM" "same") ("function" "G" "same") ("function" "H" "only-in-image")
                     ("structure" "POINT" "same"))
                   (states "files" nil "package" "stated") :test #'equal)))))

(deftest "Of a file that was changed after it was loaded each definition is told by itself, and loading it again settles all [P2]"
  (with-project '(("moved.lisp" . "(in-package :cl-user)
(defun moved-1 () 1) (defvar *moved-2* 2) (defun moved-3 () 3) (defmacro moving (x) `(defun ,x () 5)) (moving moved-5)"))
    (evaluate "(load \"moved.lisp\")")
    (let ((file (field (field (first (history "moved-1")) "source") "file")))
      (flet ((now () (mapcar #'cdr (states "files" (one-file file nil) "package" nil))))
        (is (equal '(("MOVED-1" "same") ("*MOVED-2*" "same") ("MOVED-3" "same") ("MOVING" "same")) (now)))
        (with-open-file (out file :direction :output :if-exists :supersede)
          (write-string "(in-package :cl-user)
(defun  MOVED-1 () 1) (defvar *moved-2* 22) (defmacro moving (x) `(defun ,x () 5)) (moving moved-5)" out))
        (is (equal '(("MOVED-1" "same") ("*MOVED-2*" "changed-in-file") ("MOVING" "same") ("MOVED-3" "only-in-image"))
                   (now)))
        (evaluate "(defun moved-1 () :elsewhere)")
        (evaluate "(load \"moved.lisp\")")
        (is (equal '(("MOVED-1" "same") ("*MOVED-2*" "same") ("MOVING" "same") ("MOVED-3" "only-in-image"))
                   (now)))))))

(defun run-on-system (operation name &rest fields)
  (apply #'ask operation "evaluation" name "context" "loading" "actor" "person" "outputLimit" 100000 fields))

(deftest "A pipe that is named as a definition of systems is listed as one that cannot be read, and nobody waits for it [issue 34.1]"
  (with-project '(("real.asd" . "(defsystem \"real\")"))
    (sb-posix:mkfifo (sb-ext:native-namestring (merge-pathnames "pipe.asd")) #o600)
    (let ((systems (field (ask "systems") "systems")))
      (flet ((broken (name)
               (field (find name systems :key (lambda (system) (field system "name")) :test #'string=) "broken")))
        (is (equal "The file cannot be read." (broken "pipe")))
        (is (null (broken "real")))))))

(deftest "Systems in folders of the project are listed and loaded, and a text without a system is told"
  (with-project '(("folder/inner.asd" . "(defsystem \"inner\")")
                  ("node_modules/no.asd" . "(defsystem \"no\")")
                  ("nothing.asd" . ";"))
    (flet ((record (name)
             (find name (field (ask "systems") "systems") :key (lambda (system) (field system "name")) :test #'equal)))
      (is (equal "project" (field (record "inner") "origin")))
      (is (null (record "no")))
      (is (equal "The file defines no system." (field (record "nothing") "broken"))))
    (is (equal "ok" (field (load-system "inner") "status")))))

(deftest "ASDF tells how far it is, first and last in any case"
  (with-project '(("stepping.asd" . "(defsystem \"stepping\" :components ((:file \"one\") (:file \"two\")))")
                  ("one.lisp" . "") ("two.lisp" . ""))
    (let* ((result (field (load-system "stepping") "result"))
           (events (reverse (remove "system-progress" *events*
                                    :key (lambda (event) (field event "event")) :test-not #'equal)))
           (last (first (last events))))
      (is (equalp #("stepping") (field result "loadedSystems")))
      (is (< 1 (length events)))
      (is (eql 0 (field (first events) "done")))
      (is (equal (list (field result "actionsDone") (field result "actionsDone"))
                 (list (field last "done") (field last "total")))))))

(deftest "A file that is edited in the second of its compilation is compiled again by the next load, and so is what needs it [issue 35.1]"
  (with-project '(("swift.asd" . "(defsystem \"swift\" :serial t :components ((:file \"swift\") (:file \"user\")))")
                  ("swift.lisp" . "(defmacro swift () 0)") ("user.lisp" . "(defun swift-user () (swift))"))
    (load-system "swift")
    (dotimes (index 5)
      (write-file "swift.lisp" (format nil "(defmacro swift () ~D)" (1+ index)))
      (is (equalp '(1) (changed-counts "swift")))
      (load-system "swift")
      (is (equal (princ-to-string (1+ index)) (value "(swift-user)")))
      (is (equalp '(0) (changed-counts "swift"))))))

(deftest "A definition of a system that is edited in the second of its reading is read again [issue 35.1]"
  (with-project '(("swifter.asd" . "(defsystem \"swifter\" :version \"1\")"))
    (load-system "swifter")
    (dotimes (index 5)
      (write-file "swifter.asd" (format nil "(defsystem \"swifter\" :version \"2.~D\")" index))
      (is (equal (format nil "2.~D" index) (field (field (load-system "swifter") "result") "version"))))))

(deftest "A file that is edited while it is compiled is compiled again by the next load [issue 35.1]"
  (with-project '(("meanwhile.asd" . "(defsystem \"meanwhile\" :components ((:file \"meanwhile\")))")
                  ("meanwhile.lisp" . "(defun meanwhile () 1)
(eval-when (:compile-toplevel)
  (with-open-file (out *compile-file-truename* :direction :output :if-exists :supersede) (write-string \"(defun meanwhile () 2)\" out)))"))
    (load-system "meanwhile")
    (is (equal "1" (value "(meanwhile)")))
    (load-system "meanwhile")
    (is (equal "2" (value "(meanwhile)")))))

(defun write-file (name text)
  (with-open-file (out name :direction :output :if-exists :supersede) (write-string text out)))

(defun changed-counts (name)
  (loop for system across (field (ask "systems") "systems")
        when (equal name (field system "name")) collect (field system "changed")))

(deftest "Dependencies of every kind have names, and those of absent features none"
  (is (equal '("a" "b" "c" "d")
             (lisp-workbench/systems::dependency-names
              '("a" :b (:version "c" "1") (:feature :sbcl "d") (:feature :no-such-feature "e") "a" nil (:feature))))))

(deftest "A system whose definition does not work is described by what is wrong"
  (with-project '(("awry.asd" . "(defsystem \"awry\" :components ((:file"))
    (let ((reply (run-on-system "describe-system" "awry" "name" "awry")))
      (is (equal '("ok" "ASDF:LOAD-SYSTEM-DEFINITION-ERROR")
                 (list (field reply "status") (field (field (field reply "result") "problem") "type")))))))

(deftest "Tests are found in texts by their names"
  (is (equal '(("ONE" 1) ("TWO" 2) ("THREE" 4))
             (mapcar (lambda (place)
                       (list (lisp-workbench/testing::place-name place) (lisp-workbench/testing::place-line place)))
                     (reverse (lisp-workbench/testing::places-in-text
                               "x.lisp" (format nil "(test one)~%(def-test two ())~%(list 1)~%(deftest (three :in all) ())")))))))

(deftest "A system that names a file that does not exist is not loaded, though there is a fasl of it [issue 35.1]"
  (with-project '(("lacks.asd" . "(defsystem \"lacks\" :components ((:file \"lacking\")))") ("lacking.lisp" . "(defun lacking () 1)"))
    (is (equal "ok" (field (load-system "lacks") "status")))
    (delete-file "lacking.lisp")
    (is (equal "The file lacking.lisp of the system lacks does not exist. Restore it, or remove it from lacks.asd."
               (condition-message (load-system "lacks"))))))

(deftest "An error of a file that is loaded is told with its place [issue 35.1]"
  (with-project '(("places.asd" . "(defsystem \"places\" :components ((:file \"placed\")))")
                  ("placed.lisp" . "(defun placed () 1)

(error \"no way\")"))
    (is (equal "placed.lisp:3: no way" (condition-message (load-system "places"))))))
