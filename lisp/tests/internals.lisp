(cl:in-package #:lisp-workbench/tests)

(defmacro with-resolved (entries &body body)
  "Evaluate BODY while the names in ENTRIES are resolved; each entry is (feature kind alternative …). Remove the resolved names afterwards."
  `(let ((lisp-workbench/internals::*lacks* '()))
     (unwind-protect
          (progn
            (loop for (feature kind . alternatives) in ,entries
                  do (lisp-workbench/internals::resolve-name alternatives kind feature))
            ,@body)
       (loop for (nil nil first) in ,entries
             for symbol = (find-symbol (subseq first (1+ (position #\: first))) '#:lisp-workbench/internals)
             do (unexport symbol '#:lisp-workbench/internals)
                (unintern symbol '#:lisp-workbench/internals)))))

(defun missing-message (text)
  "Evaluate the form in TEXT, which signals that an internal name is missing. Return the report of that condition."
  (handler-case (let ((*package* (find-package '#:lisp-workbench/internals))) (eval (read-from-string text)))
    (lisp-workbench/internals:missing-internal (condition) (princ-to-string condition))
    (:no-error (&rest values) values)))

(defun engine-sources ()
  "Return (file . text) for each source file of the engine, except for its tests."
  (loop for pattern in '("../*.lisp" "../*/**/*.lisp")
        append (loop for file in (directory (merge-pathnames pattern *tests-directory*))
                     unless (search "/tests/" (namestring file)) collect (cons file (uiop:read-file-string file)))))

(deftest "This SBCL has everything that the table names"
  ;; Ignores the feature that LISP_WORKBENCH_FOLLOWING may have turned off for the test run.
  (is (equal '() (remove '("LISP_WORKBENCH_FOLLOWING=on") (lisp-workbench/internals:lacking-features) :key #'rest :test #'equal))))

(deftest "A part of what follows authors that fails its trial is taken off and named as lacking, and the others stay"
  (let ((lisp-workbench/internals::*lacks* '())
        (lisp-workbench/authorship::*installed* '())
        (lisp-workbench/authorship::*parts*
          (flet ((installer (name) (lambda () (lisp-workbench/evaluation:surround name 'trial #'funcall))))
            `(("checkpoints" ,(installer 'list-all-packages) ,(constantly nil))
              ("profiling" ,(installer 'machine-type) ,(constantly "a trial that passes"))
              ("stepping" ,(installer 'machine-version) ,(lambda () (error "No."))))))
        (first '()))
    (flet ((installed ()
             (remove-if-not (lambda (name) (sb-int:encapsulated-p name 'trial)) '(list-all-packages machine-type machine-version))))
      (lisp-workbench/authorship:install-authorship)
      (setf first (installed))
      (is (equal '("a trial that passes") (lisp-workbench/internals:lacking "profiling")))
      (is (search "No." (first (lisp-workbench/internals:lacking "stepping"))))
      (is (equal '() (lisp-workbench/internals:lacking "checkpoints")))
      (lisp-workbench/authorship:uninstall-authorship)
      (is (equal '((list-all-packages) ()) (list first (installed))))
      (is (not (lisp-workbench/internals:following-p))))))

(deftest "Source that uses what an SBCL lacks can be read and compiled, and says what is missing when it runs"
  (with-resolved '(("profiling" :function "SB-INT:TEST-NO-FUNCTION") ("stepping" :macro "SB-INT:TEST-NO-MACRO")
                   ("stepping" :constant "SB-NOWHERE:+TEST-NO-CONSTANT+") ("profiling" :type "SB-INT:TEST-NO-TYPE")
                   ("profiling" :variable "SB-INT:*TEST-NO-VARIABLE*"))
    (flet ((lacks (name feature)
             (format nil "SBCL ~A lacks ~A, needed for ~A. Everything else works." (lisp-implementation-version)
                     name feature)))
      (is (equal (lacks "SB-INT:TEST-NO-FUNCTION" "profiling") (missing-message "(test-no-function 1 2)")))
      (is (equal (lacks "SB-INT:TEST-NO-FUNCTION" "profiling") (missing-message "(setf (test-no-function 1) 2)")))
      (is (equal (lacks "SB-INT:TEST-NO-MACRO" "stepping") (missing-message "(test-no-macro ((a b)) c)")))
      (is (equal (lacks "SB-NOWHERE:+TEST-NO-CONSTANT+" "stepping") (missing-message "(1+ +test-no-constant+)")))
      (is (equal '(nil) (missing-message "(typep 1 'test-no-type)")))
      (is (equal '(1) (missing-message "(handler-bind ((test-no-type #'print)) 1)")))
      (is (equal '(3) (missing-message "(let ((*test-no-variable* 3)) (symbol-value '*test-no-variable*))")))
      (is (equal '("SB-INT:TEST-NO-FUNCTION" "SB-INT:TEST-NO-TYPE" "SB-INT:*TEST-NO-VARIABLE*")
                 (lisp-workbench/internals:lacking "profiling")))
      (is (equal '() (lisp-workbench/internals:lacking "checkpoints"))))))

(deftest "What an SBCL has under another name, or in another package, is taken from there"
  (with-resolved '(("profiling" :function "SB-INT:TEST-MEASURE" "SB-NOWHERE:LENGTH" "COMMON-LISP:LENGTH")
                   ("profiling" :function "SB-INT:TEST-INFO" "SB-INT:INFO"))
    (is (equal '(3) (missing-message "(test-measure '(1 2 3))")))
    (is (equal '((2 1)) (missing-message "(mapcar #'test-measure '((1 2) (3)))")))
    (is (equal '() (lisp-workbench/internals:lacking-features)))))

(deftest "A name of another kind than the table says counts as missing"
  (with-resolved '(("profiling" :function "SB-INT:BINDING*"))
    (is (equal '("SB-INT:BINDING*") (lisp-workbench/internals:lacking "profiling")))))

(deftest "Every operation of the table can be refused, and every name of it is used"
  (let ((text (format nil "~{~A~}" (loop for (file . text) in (engine-sources)
                                         unless (equal "internals" (pathname-name file)) collect (string-upcase text)))))
    (loop for entry in lisp-workbench/internals::*table*
          do (dolist (operation (lisp-workbench/internals::entry-operations entry))
               (is (find-operation operation) "~A" operation))
             (loop for (nil . names) in (cddr entry)
                   do (dolist (name names)
                        (let* ((first (if (listp name) (first name) name))
                               (bare (subseq first (let ((colon (position #\: first))) (if colon (1+ colon) 0)))))
                          (is (search bare text) "~A is used nowhere." bare)))))))

(deftest "At most 300 names of the table come from inside SBCL, the others being exported by contributed modules [issue 36.3]"
  (flet ((public-p (name)
           (let* ((colon (position #\: name)) (package (subseq name 0 colon)))
             (and (member package '("SB-INTROSPECT" "SB-SPROF" "SB-COVER" "SB-CLTL2") :test #'string=)
                  (eq :external (nth-value 1 (find-symbol (subseq name (1+ colon)) package)))))))
    (let ((names (remove-duplicates (loop for entry in lisp-workbench/internals::*table*
                                          append (loop for (nil . names) in (cddr entry)
                                                       append (loop for name in names
                                                                    collect (if (listp name) (find #\: name :test #'find) name))))
                                    :test #'string=)))
      (is (<= (count-if-not #'public-p names) 300) "~D names" (count-if-not #'public-p names)))))

(deftest "No source asks SB-POSIX for what it tells by a structure in foreign memory, which SBCL 2.2.9 now and then takes from a wrong address"
  (loop for (file . text) in (engine-sources)
        do (dolist (name '("stat" "lstat" "fstat" "getpwnam" "getpwuid" "getgrnam" "getgrgid" "tcgetattr" "utime"))
             (is (null (search (format nil "(sb-posix:~A " name) (string-downcase text))) "~A calls SB-POSIX:~A." file name))))

(deftest "The compiler warns of nothing in the engine's sources"
  (is (equal '() (symbol-value (find-symbol "*WARNINGS*" '#:lisp-workbench/tests/driver)))))

(deftest "The page about authorship names each feature of its parts, and what makes it work"
  (let ((page (uiop:read-file-string (merge-pathnames "../authorship/README.md" *tests-directory*))))
    (loop for (feature) in lisp-workbench/authorship::*parts*
          for entry = (find feature lisp-workbench/internals::*table* :key #'lisp-workbench/internals::entry-feature :test #'equal)
          do (is (search (format nil "| ~A |" feature) page) "~A" feature)
             (let ((name (second (third entry))))
               (is (search (subseq name (1+ (position #\: name))) page) "~A" name)))))
