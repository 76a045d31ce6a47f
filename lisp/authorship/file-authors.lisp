;;;; Makes the guard follow the author into compiled files. In a file that guarded code compiles, the entry of each function contains a
;;;; test, which the file requests from the engine when it is loaded. In plain SBCL without the engine, or if the person loads the file, the
;;;; test is always false. Compiled files therefore work everywhere.

(in-package #:lisp-workbench/evaluation)

(sb-ext:defglobal *written-unasked-p* (constantly nil)
  "A function that takes a native name and returns true if guarded code may have written that file without approval. The code that tracks
written files sets this variable.")

(defun written-unasked-p (pathname)
  (and pathname (funcall *written-unasked-p* (sb-ext:native-namestring pathname)) t))

(defvar *compiles-unseen* nil "True while a file is compiled that guarded code may have written without approval.")

(defvar *unseen-files* '()
  "The native names of the input files of ASDF's current action that agents may have written without approval.")

(defun followed-p (unseen)
  "Return true if the functions of the file being compiled or loaded belong to the agent. The functions of a system's file normally do not,
because the person agreed to the system's files. They do if UNSEEN is true (the file was written without approval), or if an agent's code
took part, because that code may have read or expanded the file in any way."
  (and *guard* (or unseen (agents-part-p) (not (funcall *system-at-work-p*)))))

(defun written-here-p ()
  "Return true if the current definition belongs to the guarded code itself, not to a system that the code loads."
  (and *guard* (or (null *loading*) (followed-p (loading-unseen *loading*)))))

;;; Compiling

(defun entry-in-file (expression function)
  "Return EXPRESSION, which creates FUNCTION's entry, changed as needed in the file that is being compiled."
  (let ((unseen (or *compiles-unseen* (agents-part-p))))
    (if (followed-p unseen)
        (entry-with-test expression function unseen)
        expression)))

(sb-ext:defglobal *entry-count* 0)         ; the compiler runs in one thread at a time

(defun entry-with-test (expression function unseen)
  "Return EXPRESSION with a guard, as GUARDED-ENTRY does, for a file that is being compiled. The guard uses a test, (predicate . function),
which the file requests when it is loaded. The predicate returns true if this thread runs for the person. The function, called with NIL,
returns (symbols . values) to bind around the body. Called with a kind and arguments, it returns the value of CALLED-KIND; called with a
kind, arguments and results, it returns the value of GUARDED-RESULTS. The test is repeated as a LOAD-TIME-VALUE form wherever it is needed,
because the compiler does not support a LET there."
  (destructuring-bind (operator parameters declaration . body) expression
    (let* ((kind (entry-kind function))
           (test `(load-time-value (locally
                                      (declare (optimize (speed 0) (sb-ext:inhibit-warnings 3)))
                                    (let ((package (find "LISP-WORKBENCH/EVALUATION" (list-all-packages)
                                                           :key #'package-name :test #'equal))) ; a package prefix would depend on local
                                                                                                ; nicknames
                                      (if package
                                          (funcall (find-symbol "TEST-OF-LOADED-CODE" package)
                                                   ,unseen ,(incf *entry-count*))
                                          (list nil)))))))
      (flet ((unchecked (form)
               ;; FORM contains none of the user function's code, so the function's policy for checking arguments still applies to that
               ;; code.
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

(sb-ext:defglobal *recorder* (constantly #'funcall) "A function that takes the id of a marked form and returns the form's recorder, see
recording/recorder.lisp.")

(defun test-of-loaded-code (&optional unseen entry &rest more)
  "Return (predicate author . function), the test for the function with the number ENTRY in the file being loaded; see ENTRY-WITH-TEST.
UNSEEN was recorded when the file was compiled. If UNSEEN is :RECORDER, return the recorder of the marked form ENTRY instead. If the
arguments do not match these, another version of this engine compiled the file. Its functions then get no test, as if the file had been
compiled elsewhere."
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
        (push (sb-ext:make-weak-pointer test) (author-tests author)) ; a weak pointer, because the test itself refers to the author
        test)
      (list nil)))

(defun author-of-load ()
  "Return a new author for an entry of the file being loaded. Each definition has its own author, so reviewing one definition does not vouch
for the earlier ones."
  (incomparable (new-author)))

(defun end-author-of-load ()
  "Reset the list of authors of the definition that was just loaded, because the next code belongs to another author."
  (when *loading* (setf *form-authors* '())))

(defun guard-bindings (author)
  "Return (variables . values) that turn the guard on for AUTHOR. Return no variables if the guard is already on, because guarded code can
call this function."
  (unless (lent-p) (return-from guard-bindings (list nil)))
  (with-guard-of (author)
    (cons '(*guard* *lends* *author* *may-wait*) (list *guard* *lends* *author* *may-wait*))))
