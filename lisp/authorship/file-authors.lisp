;;;; The guard follows the author into compiled files: the entry of each function of a file that guarded code compiles has a test
;;;; of its own, for which it asks when the file is loaded. Where no engine is, as in plain SBCL, and where the person loads the
;;;; file, that test never holds: compiled files remain what they are everywhere.

(in-package #:lisp-workbench/evaluation)

(sb-ext:defglobal *written-unasked-p* (constantly nil)
  "Function of a native name: whether guarded code may have written that file without being asked. Set by what decides that.")

(defun written-unasked-p (pathname)
  (and pathname (funcall *written-unasked-p* (sb-ext:native-namestring pathname)) t))

(defvar *compiles-unseen* nil "True while a file is compiled that guarded code may have written without anybody being asked.")

(defvar *unseen-files* '()
  "Native names of the files that ASDF's action takes in, where agents may have written their source unasked.")

(defun followed-p (unseen)
  "True when the functions of the file compiled or loaded now belong to the agent. Those of a system do not: the person agreed that its files
stand there. They do when UNSEEN is true, which says that this file was put there unasked, and when code of an agent took part, which may have
read or expanded the file as it likes."
  (and *guard* (or unseen (agents-part-p) (not (funcall *system-at-work-p*)))))

(defun written-here-p ()
  "True when the present definition is guarded code's own, and not that of a system which it loads."
  (and *guard* (or (null *loading*) (followed-p (loading-unseen *loading*)))))

;;; Compiling

(defun entry-in-file (expression function)
  "Return EXPRESSION, which makes FUNCTION's entry, in the form that goes into the file compiled now."
  (let ((unseen (or *compiles-unseen* (agents-part-p))))
    (if (followed-p unseen)
        (entry-with-test expression function unseen)
        expression)))

(sb-ext:defglobal *entry-count* 0)         ; the compiler runs in one thread at a time

(defun entry-with-test (expression function unseen)
  "Return the entry as GUARDED-ENTRY does, with a test that is loaded from the file at each place that needs it, since the compiler does not
bear a LET there. The test is (predicate . function). The predicate is true when the person calls. The function, called with NIL, gives
(symbols . values) to bind around the body; with a kind and arguments, as CALLED-KIND; with results as well, as GUARDED-RESULTS."
  (destructuring-bind (operator parameters declaration . body) expression
    (let* ((kind (entry-kind function))
           (test `(load-time-value (locally
                                      (declare (optimize (speed 0) (sb-ext:inhibit-warnings 3)))
                                    (let ((package (find "LISP-WORKBENCH/EVALUATION" (list-all-packages)
                                                           :key #'package-name :test #'equal))) ; past local nicknames
                                      (if package
                                          (funcall (find-symbol "TEST-OF-LOADED-CODE" package)
                                                   ,unseen ,(incf *entry-count*))
                                          (list nil)))))))
      (flet ((unchecked (form)
               ;; FORM holds nothing of the function's own, whose policy says how its arguments are checked.
               `(locally (declare (optimize (safety 0) (sb-ext:inhibit-warnings 3))) ,form)))
        (let* ((predicate (unchecked `(car (the cons ,test))))
               (call (unchecked `(the function (cddr (the cons ,test)))))
               (guarded `(locally ,*once*
                           (progv ,(unchecked `(car (the cons (funcall ,call nil)))) ,(unchecked `(cdr (the cons (funcall ,call nil))))
                             ,@(clear-unsupplied parameters function)
                             ,@body))))
          `(,operator ,parameters ,declaration
             (if (if ,predicate (funcall ,(unchecked `(the function ,predicate))) nil)
                 ,(if kind
                      `(values-list (funcall ,call (funcall ,call ,kind (list ,@(rest parameters)))
                                             (list ,@(rest parameters)) (multiple-value-list ,guarded)))
                      guarded)
                 (progn ,@body))))))))

;;; Loading

(sb-ext:defglobal *recorder* (constantly #'funcall) "Function of what a marked form is called by: returns its recorder, see recording/recorder.lisp.")

(defun test-of-loaded-code (&optional unseen entry &rest more)
  "(predicate author . function) for the ENTRY, a number, of the file that is loaded now; ENTRY-WITH-TEST says what they are for. UNSEEN is
what it was compiled as. A file that another version of this engine compiled may ask otherwise, and gets no test: it is taken for one that
was compiled elsewhere. Where UNSEEN is :RECORDER, return the recorder of the marked form ENTRY instead."
  (when (and (eq unseen :recorder) (null more)) (return-from test-of-loaded-code (funcall *recorder* entry)))
  (when (or more (not (integerp entry))) (return-from test-of-loaded-code (list nil)))
  (if *loading*
      (let ((tests (or (loading-tests *loading*) (setf (loading-tests *loading*) (make-hash-table)))))
        (or (gethash entry tests)
            (setf (gethash entry tests) (new-test unseen))))
      (new-test unseen)))

(defun new-test (unseen)
  (if (and (following-p)
           (followed-p (or unseen (and *loading* (loading-unseen *loading*)))))
      (let* ((author (author-of-load))
             (test (list* (if (author-trusted author) nil #'lent-p)
                          author
                          (lambda (kind &optional arguments (results nil given))
                            (cond (given (guarded-results author kind arguments results))
                                  (kind (called-kind author kind arguments))
                                  (t (guard-bindings author)))))))
        (push (sb-ext:make-weak-pointer test) (author-tests author)) ; the test refers to its author
        test)
      (list nil)))

(defun author-of-load ()
  "Return a new author for an entry of the file being loaded. Each definition has its own: reviewing one does not vouch for those before it."
  (incomparable (new-author)))

(defun end-author-of-load ()
  "Close the list of authors of the definition just loaded: what is loaded next belongs to another."
  (when *loading* (setf *form-authors* '())))

(defun guard-bindings (author)
  "Return (variables . values) that turn the guard on for AUTHOR; no variables where it is on already, since the code itself can call this."
  (unless (lent-p) (return-from guard-bindings (list nil)))
  (with-guard-of (author)
    (cons '(*guard* *lends* *author* *may-wait*) (list *guard* *lends* *author* *may-wait*))))
