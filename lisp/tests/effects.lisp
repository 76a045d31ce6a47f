;;;; Tests of the effects that the guard reports before a call. Which client or person is asked, and whether the guard's table is complete,
;;;; is tested over the wire.

(cl:in-package #:lisp-workbench/tests)

(defun call-in-folder (function)
  "Call FUNCTION with the native name of a new folder. Links in the name are resolved, and it has no slash at the end."
  (let* ((folder (uiop:ensure-directory-pathname (sb-posix:mkdtemp "/tmp/effects-XXXXXX")))
         (name (string-right-trim "/" (sb-ext:native-namestring (truename folder)))))
    (unwind-protect (funcall function name)
      (sb-ext:delete-directory folder :recursive t))))

(defun joined (folder name)
  (concatenate 'string folder "/" name))

(deftest "Names are told with links followed, also of what does not exist yet [G2]"
  (call-in-folder
   (lambda (folder)
     (flet ((real (name &optional (follow t))
              (lisp-workbench/effects::real-name (joined folder name) follow)))
       (sb-posix:mkdir (joined folder "real") #o700)
       (sb-posix:symlink "real" (joined folder "link"))
       (sb-posix:symlink (joined folder "link/../link") (joined folder "again"))
       (sb-posix:symlink "loop" (joined folder "loop"))
       (is (equal (joined folder "real/new") (real "link/new")))
       (is (equal (joined folder "real/b") (real "again//./c/../b")))
       (is (equal (joined folder "link") (real "link" nil)))
       (is (equal (joined folder "real") (real "link/" nil)))
       (is (equal (joined folder "real/x") (real "link/x" nil)))
       (is (equal folder (real "link/..")))
       (signals error (real "loop/x"))
       (is (equal "/" (lisp-workbench/effects::real-name "/../..")))))))

(deftest "A command line is told as a shell has it [G2]"
  (flet ((line (program &rest arguments)
           (lisp-workbench/effects::effect-target (lisp-workbench/effects::look-at-program program arguments))))
    (is (equal "/bin/ls -l /tmp" (line "/bin/ls" "-l" "/tmp")))
    (is (equal "sh -c 'rm -rf *; echo '\\''x'\\''' ''" (line "sh" "-c" "rm -rf *; echo 'x'" "")))))

(deftest "Addresses are told as people write them [G2]"
  (is (equal "127.0.0.1" (lisp-workbench/effects::address-text #(127 0 0 1))))
  (is (equal "[fe80:0:0:0:0:0:0:1]" (lisp-workbench/effects::address-text #(254 128 0 0 0 0 0 0 0 0 0 0 0 0 0 1)))))

(deftest "A folder allows what is below it, not its neighbours [G4]"
  (is (lisp-workbench/effects::within-p "/a/b/c" "/a/b"))
  (is (not (lisp-workbench/effects::within-p "/a/bc" "/a/b")))
  (is (not (lisp-workbench/effects::within-p "/a/b" "/a/b"))))

(deftest "Opening for input is no effect unless it makes a file [G4]"
  (call-in-folder
   (lambda (folder)
     (flet ((effect (&rest arguments)
              (apply #'lisp-workbench/effects::look-at-open (joined folder "new") arguments)))
       (is (null (effect)))
       (is (null (effect :direction :probe)))
       (is (not (null (effect :direction :output))))
       (is (not (null (effect :if-does-not-exist :create))))
       (close (open (joined folder "new") :direction :output))
       (is (null (effect :if-does-not-exist :create)))))))

(deftest "A denial says what was denied and why, and in an evaluation that no other way is wanted [decision 28]"
  (let ((denial (make-condition 'lisp-workbench:effect-denied :operator "EXIT" :target "with code 7"
                                                              :reason "The person said no.")))
    (is (equal "Denied: EXIT with code 7. The person said no." (princ-to-string denial)))
    (let ((lisp-workbench/evaluation:*evaluation* t))
      (is (equal "Denied: EXIT with code 7. The person said no. Do not try another way." (princ-to-string denial))))))
