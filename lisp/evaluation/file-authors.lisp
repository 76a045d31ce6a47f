;;;; The guard follows the author into compiled files: the entry of each function of a file that guarded code compiles has a test
;;;; of its own, for which it asks when the file is loaded. Where no engine is, as in plain SBCL, and where the person loads the
;;;; file, that test never holds: compiled files remain what they are everywhere.

(in-package #:lisp-workbench/evaluation)

(sb-ext:defglobal *unasked-place-p* (constantly nil)
  "Function of a native name: whether guarded code may write that file without being asked. Set by what decides that.")

(sb-ext:defglobal *loaded-author* (list nil)
  "(name of the file that is loaded . author) of what was loaded last and belongs to no definition yet.")

(defun made-unseen-p (truename)
  (and truename (funcall *unasked-place-p* (sb-ext:native-namestring truename)) t))

(defun asdf-at-work-p ()
  (let ((session (find-symbol "*ASDF-SESSION*" "ASDF/SESSION")))
    (and session (boundp session) (symbol-value session) t)))

(defun followed-p (unseen)
  "Whether functions of the file that is compiled or loaded now are the agent's own: those of a system are its authors', as nobody
but the person could have put it where it is; UNSEEN is whether this one was put there unasked."
  (and *guard* (or unseen (not (asdf-at-work-p)))))

;;; Compiling

(defun entry-in-file (expression function)
  "EXPRESSION, which makes FUNCTION's entry, as it goes into the file that is compiled now."
  (let ((unseen (made-unseen-p *compile-file-truename*)))
    (if (followed-p unseen)
        (entry-with-test expression function unseen)
        expression)))

(defun entry-with-test (expression function unseen)
  "See GUARDED-ENTRY. The function that the test holds gives, called with NIL, (symbols . values) to be bound around the body, else what
becomes of the results of an expander."
  (destructuring-bind (operator parameters declaration . body) expression
    (let ((test (gensym "TEST")) (call (gensym "CALL")) (bindings (gensym "BINDINGS"))
          (kind (entry-kind function)))
      (flet ((unchecked (form)
               ;; Around nothing of the function's own: how its arguments are checked is for its own policy to say.
               `(locally (declare (optimize (safety 0) (sb-ext:inhibit-warnings 3))) ,form)))
        (let ((guarded `(progv ,(unchecked `(car (the cons ,bindings))) ,(unchecked `(cdr (the cons ,bindings)))
                          ,@body)))
          `(,operator ,parameters ,declaration
             (let ((,test (load-time-value (let ((package (find-package "LISP-WORKBENCH/EVALUATION")))
                                             (if package
                                                 (funcall (find-symbol "TEST-OF-LOADED-CODE" package) ,unseen)
                                                 (list nil))))))
               (if ,(unchecked `(eq t (symbol-value (the symbol (car (the cons ,test))))))
                   (let* ((,call ,(unchecked `(the function (cddr (the cons ,test)))))
                          (,bindings (funcall ,call nil)))
                     ,(if kind
                          `(values-list (funcall ,call ,kind (list ,@(rest parameters)) (multiple-value-list ,guarded)))
                          guarded))
                   (progn ,@body)))))))))

;;; Loading

(defun test-of-loaded-code (unseen)
  "(symbol author . function) for an entry of the file that is loaded now. Where the symbol is true the function calls the one that it is
given, with the guard; given NIL it returns (symbols . values) to be bound around the code. UNSEEN is what it was compiled as."
  (if (and (not (lacking "keeping the guard on what agents defined"))
           (followed-p (or unseen (made-unseen-p *load-truename*))))
      (let* ((author (author-of-load))
             (test (list* (if (author-trusted author) nil '*lends*)
                          author
                          (lambda (kind &optional arguments results)
                            (if kind
                                (guarded-results author kind arguments results)
                                (guard-bindings author))))))
        (push test (author-tests author))
        test)
      (list nil)))

(defun author-of-load ()
  "One for what is loaded between two definitions, so that each of these can be reviewed by itself."
  (let ((latest *loaded-author*))
    (if (and (rest latest) (eq (first latest) *load-truename*))
        (rest latest)
        (rest (setf *loaded-author* (cons *load-truename* (new-author)))))))

(defun end-author-of-load ()
  "What is loaded next belongs to another definition."
  (when (rest *loaded-author*) (setf *loaded-author* (list nil)))
  (when *load-truename* (setf *form-authors* '())))

(defun guard-bindings (author)
  (with-guard-of (author)
    (cons '(*guard* *lends* *author* *may-wait*) (list *guard* *lends* *author* *may-wait*))))
