;;;; The guard follows the author into compiled files: the entry of each function of a file that guarded code compiles has a test
;;;; of its own, for which it asks when the file is loaded. Where no engine is, as in plain SBCL, and where the person loads the
;;;; file, that test never holds: compiled files remain what they are everywhere.

(in-package #:lisp-workbench/evaluation)

(sb-ext:defglobal *unasked-place-p* (constantly nil)
  "Function of a native name: whether guarded code may write that file without being asked. Set by what decides that.")

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
  (destructuring-bind (operator parameters declaration . body) expression
    (let ((test (gensym "TEST")) (call (gensym "CALL")))
      (flet ((unchecked (form)
               ;; Around nothing of the function's own: how its arguments are checked is for its own policy to say.
               `(locally (declare (optimize (safety 0) (sb-ext:inhibit-warnings 3))) ,form)))
        `(,operator ,parameters ,declaration
           (let ((,test (load-time-value (let ((package (find-package "LISP-WORKBENCH/EVALUATION")))
                                           (if package
                                               (funcall (find-symbol "TEST-OF-LOADED-CODE" package) ,unseen)
                                               (list nil))))))
             (if ,(unchecked `(and (car (the cons ,test)) (funcall (the function (car ,test)))))
                 (let ((,call ,(unchecked `(the function (cddr (the cons ,test))))))
                   ,(if (typep function 'clambda)
                        `(funcall ,call ,function ,@(rest parameters))
                        `(let ((,call (funcall ,call nil)))
                           (progv ,(unchecked `(car (the cons ,call))) ,(unchecked `(cdr (the cons ,call)))
                             ,@body))))
                 (progn ,@body))))))))

;;; Loading

(defun test-of-loaded-code (unseen)
  "(predicate author . function) for an entry of the file that is loaded now. Where the predicate holds the function calls the one that it is
given, with the guard; given NIL it returns (symbols . values) to be bound around the code. UNSEEN is what it was compiled as."
  (if (and (not (lacking "keeping the guard on what agents defined")) (followed-p unseen))
      (let* ((author (author-of-load))
             (test (list* (if (author-trusted author) nil #'lent-p)
                          author
                          (lambda (function &rest arguments)
                            (declare (dynamic-extent arguments))
                            (if function
                                (apply #'call-lent author function arguments)
                                (guard-bindings author))))))
        (push test (author-tests author))
        test)
      (list nil)))

(defun author-of-load ()
  "One for each entry: who reviews a definition vouches for what that compiled, and not for what stands before it in its file."
  (new-author))

(defun end-author-of-load ()
  "What is loaded next belongs to another definition."
  (when *load-truename* (setf *form-authors* '())))

(defun guard-bindings (author)
  "Nothing where the guard is on already: the code itself can call this."
  (unless (lent-p) (return-from guard-bindings (list nil)))
  (with-guard-of (author)
    (cons '(*guard* *lends* *author* *may-wait*) (list *guard* *lends* *author* *may-wait*))))
