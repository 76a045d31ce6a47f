;;;; The guard follows the author: what guarded code compiled keeps the guard whoever calls it, until the person has reviewed it.
;;;; The entry of each function that is compiled then begins with a test whether the caller's thread runs for the person, and
;;;; calls the function with the guard on where it does. The test is one comparison with a slot of the thread, so that guarded
;;;; code runs as fast as in plain SBCL; what it calls by itself, tail calls among it, is called as always.

(in-package #:lisp-workbench/evaluation)

(defvar *author* nil
  "The author whose code runs in this thread because the person's evaluation called it; NIL when there is none.")

(defstruct (author (:copier nil) (:predicate nil) (:constructor new-author-token ()))
  "A token for whoever compiled a piece of code. It is a constant of that code, which can get hold of it; so what is known of an author
is kept elsewhere, in *KNOWLEDGE*.")

(defstruct (knowledge (:copier nil) (:predicate nil))
  "The facts about an author. It is TRUSTED once the person has reviewed all its EVENTS."
  actor evaluation
  (events '())                          ; (id . name) of the definitions that came with it
  (open '())                            ; ids of the definitions not yet reviewed
  (of-system nil)                       ; true when its code came while ASDF compiled or loaded a file that is its authors'
  (tests '())                           ; weak pointers to the tests at the entries of its functions from compiled files
  (trusted nil))

(sb-ext:defglobal *knowledge* (make-weak-map)) ; author → what is known of it

(sb-ext:defglobal *code-of-authors* (make-weak-map)
  "Author → digests of the components that were compiled for it, latest first; NIL among them where one cannot be compared.")

(defun incomparable (author)
  "Return AUTHOR, whose code was not compiled here just now and so is not known."
  (push nil (associated author *code-of-authors*))
  author)

(defun make-author (&rest facts)
  (let ((author (new-author-token)))
    (setf (associated author *knowledge*) (apply #'make-knowledge facts))
    author))

(defun knowledge (author)
  (or (associated author *knowledge*) (make-knowledge)))

(macrolet ((define-facts (&rest names)
             `(progn
                ,@(loop for name in names
                        for author-fact = (intern (format nil "AUTHOR-~A" name))
                        for fact = (intern (format nil "KNOWLEDGE-~A" name))
                        append `((defun ,author-fact (author) (,fact (knowledge author)))
                                 (defun (setf ,author-fact) (new author) (setf (,fact (knowledge author)) new)))))))
  (define-facts actor evaluation events open of-system tests trusted))

(defmethod print-object ((author author) stream)
  (print-unreadable-object (author stream) (format stream "what ~A defined" (author-actor author))))

(defun lent-p ()
  "True when this thread runs for the person or the engine."
  (eq t *lends*))

(defmacro with-guard-of ((author) &body body)
  "Run BODY with the guard on, as code of AUTHOR. It stands in the entry of each function that guarded code compiles: what it expands to is
short, since the compiler spends more time on it than on a small function."
  `(let ((*guard* t) (*lends* nil) (*author* ,author) (*may-wait* (effects-may-wait-p)))
     (note-work-of-author)
     ,@body))

(defun effects-may-wait-p ()
  "True when an effect may wait for a decision. Outside evaluations, in the engine's own work, it is denied at once."
  (and *may-wait* *evaluation* t))

(defun note-work-of-author ()
  "Note that code of *AUTHOR* takes part in what ASDF does now, unless it came with a system."
  (unless (author-of-system *author*) (note-agents-part)))

(defun call-lent (author function &rest arguments)
  "Call FUNCTION, which AUTHOR made, for the person, with the guard on. Forms that an expander returns become AUTHOR's too."
  (declare (dynamic-extent arguments))
  (flet ((call () (with-guard-of (author) (apply function arguments))))
    (let ((kind (expander-kind function arguments)))
      (case kind
        ((nil) (call))
        (:macro (let ((form (first arguments)) (expansion (call)))
                  (if (eq expansion form) form (guarded-expansion author expansion))))
        (t (values-list (guarded-results author kind arguments (multiple-value-list (call)))))))))

;;; Compiling

(defvar *expansion-author* nil "The author of an expansion while a part of it is compiled for the person, to run before the rest; else NIL.")
(defvar *compiles-for-itself* nil "True while SBCL compiles what it needs itself, such as how it calls methods.")

(sb-ext:defglobal *latest-author* (list nil)) ; (compilation . author) of the compilation under way
(defvar *form-authors* '() "The authors made since the current top-level form began.")

(defun install-entries ()
  "Put the guard of authors around the compiler's functions."
  (surround 'make-xep-lambda-expression 'lisp-workbench #'entry-with-guard)
  (surround 'fun-name-inline-expansion 'lisp-workbench #'own-inline-expansion)
  (advise 'macroexpand-1 'lisp-workbench #'show-symbol-macro)
  (advise 'macro-function 'lisp-workbench #'show-expander)
  (advise 'compiler-macro-function 'lisp-workbench #'show-expander)
  (guard-translators)
  (surround 'pcl-compile 'lisp-workbench
            (lambda (original &rest arguments)
              (let ((*compiles-for-itself* t)) (apply original arguments)))))

(defun install-inline-remarks ()
  "Keep the compiler from remarks on functions that it does not copy because their author's guard would be lost."
  (surround 'warn-if-inline-failed/call 'lisp-workbench
            (lambda (original name &rest more)
              (unless (kept-from-inlining-p name) (apply original name more)))))

(defun entry-with-guard (original function)
  "The lambda expression by which the compiler makes FUNCTION's entry for calls from elsewhere."
  (let* ((expression (funcall original function))
         (expander (and (or (not *guard*) *compiles-for-itself*)
                        (not (producing-fasl-file))
                        (expansion-author (functional-lexenv function)))))
    (cond (expander (guarded-entry expression function expander))
          ((or (not *guard*) *compiles-for-itself*) expression)
          ((producing-fasl-file) (entry-in-file expression function))
          (t (guarded-entry expression function (author-under-way))))))

(defparameter *once* '(declare (optimize (speed 0) (space 1)))
  "The declaration around the second of two calls of a function in its entry. It keeps the compiler from copying an inline function
there, and from telling twice of its code.")

(defun guarded-entry (expression function author)
  "Return EXPRESSION, which makes FUNCTION's entry, with the guard of AUTHOR added where the person calls it. The body of the entry, a call
of FUNCTION, stands there twice: to refer to FUNCTION as a value in its own entry would confuse the compiler where it copies or renames
FUNCTION, and would lose the type of its result."
  (destructuring-bind (operator parameters declaration . body) expression
    (let ((guarded `(locally ,*once* (with-guard-of (,author) ,@(clear-unsupplied parameters function) ,@body)))
          (kind (entry-kind function)))
      `(,operator ,parameters ,declaration
         (if (and (eq *lends* t) (not (author-trusted ,author)))
             ,(if kind
                  ;; The kind of call is looked up before FUNCTION runs: an expander could take its own name away.
                  `(values-list (guarded-results ,author (called-kind ,author ,kind (list ,@(rest parameters)))
                                                 (list ,@(rest parameters)) (multiple-value-list ,guarded)))
                  guarded)
             (progn ,@body))))))

(defun clear-unsupplied (parameters function)
  "Forms that give NIL to each of PARAMETERS, those of FUNCTION's entry, for which the caller has no argument. The entry of a function
with optional parameters finds in those whatever was in the registers, such as an address, which is no object. Plain SBCL has left the
entry when FUNCTION runs; with the guard it stays on the stack, and a backtrace takes the values from there into lists, where the garbage
collector takes an address for the header of an object and loses or overruns what lies behind it."
  (unless (typep function 'clambda)
    (destructuring-bind (count . arguments) parameters
      (loop with least = (optional-dispatch-min-args function)
            for index from least
            for argument in (nthcdr least arguments)
            collect `(when (<= ,count ,index) (setq ,argument nil))))))

(defun entry-kind (function)
  "The kind of expander that FUNCTION, which is being compiled, is by its name, :MACRO where only its call can tell; NIL when it is none."
  (when (typep function 'clambda)
    (let ((name (functional-debug-name function)))
      (destructuring-bind (&optional role subject &rest more) (if (consp name) name '())
        (declare (ignore more))
        (cond ((not (symbolp role)) nil)
              ((string= role "LAMBDA")
               (let ((parameters (and (consp subject) (ignore-errors (mapcar #'string subject)))))
                 (cond ((null parameters) nil)
                       ((equal (second parameters) ".METHOD-COMBINATION.") :first-form)
                       ((and (= 2 (length parameters)) (notany (lambda (each) (char= #\& (char each 0))) parameters)) :macro))))
              ((search "METHOD" (string role))
               (case subject
                 (sb-mop:compute-effective-method :first-form)
                 (sb-mop:make-method-lambda :lambda)))
              (t (cdr (assoc (string role)
                             '(("MACRO-FUNCTION" . :expander) ("COMPILER-MACRO" . :expander)
                               ("COMPILER-MACRO-FUNCTION" . :expander)
                               ("SETF-EXPANDER" . :places) ("%DEFSETF" . :form))
                             :test #'string=))))))))

(sb-ext:defglobal *system-at-work-p* (constantly nil)
  "Function of no arguments, true while ASDF loads or compiles a system's file in this thread. The engine sets it and does not ask ASDF's own
variables, which code can bind.")

(defun author-under-way ()
  "Return the author of the compilation under way, one for all that is compiled at once. The compiler runs in one thread at a time."
  (destructuring-bind (compilation . author) *latest-author*
    (cond (*expansion-author*)
          ((and author (eq compilation *compile-object*)) author)
          (t (rest (setf *latest-author* (cons *compile-object* (new-author))))))))

(defun new-author ()
  (let ((author (make-author :actor (author-name) :evaluation (and *evaluation* (evaluation-id *evaluation*))
                             :of-system (if *loading*
                                            (not (followed-p (loading-unseen *loading*)))
                                            (compiles-system-p)))))
    (push author *form-authors*)
    author))

(sb-ext:defglobal *unknown-author* (make-author :actor "client:unknown"))

(defun unknown-author ()
  "Return the author of code that some agent may have written, nobody knows which."
  *unknown-author*)

(defun author-of-system-p (author)
  (author-of-system author))

(defun author-name ()
  "Return the actor whose code runs or compiles now. Guarded code of no evaluation, such as a finalizer's, may be any agent's: it has the
unknown author. NIL for the engine's own work."
  (cond (*author* (author-actor *author*))
        (*evaluation* (evaluation-actor *evaluation*))
        (*guard* (author-actor *unknown-author*))))

(defun author-of-interruption ()
  "Return the author of code that this thread has another one run in the midst of its work; NIL for the person's and the engine's."
  (and *guard* (or *author* (if *evaluation*
                                (make-author :actor (evaluation-actor *evaluation*) :evaluation (evaluation-id *evaluation*))
                                *unknown-author*))))

;;; The authors of a function

(sb-ext:defglobal *lent-functions* (make-weak-map)
  "Interpreted function, or function made by LEND-FUNCTION → its author.")

(defun function-authors (function)
  "Return the authors who compiled FUNCTION and the functions within it; NIL when only the person or SBCL did."
  (when (following-p)
    (let* ((lent (associated function *lent-functions*))
           (code (typecase function
                   (sb-mop:funcallable-standard-object nil)
                   (compiled-function (fun-code-header (%fun-fun function))))))
      (when lent (return-from function-authors (list lent)))
      (when code (authors-in-code code)))))

(defun authors-in-code (code)
  (loop with authors = '()
        for index from code-constants-offset below (code-header-words code)
        for constant = (code-header-ref code index)
        for author = (constant-author constant)
        when author do (pushnew author authors)
        finally (return (nreverse authors))))

(defun constant-author (constant)
  "Return the author whom CONSTANT, taken from compiled code, stands for; NIL when it is a constant of the code itself."
  (typecase constant
    (author constant)
    ((cons t (cons author function)) (second constant)))) ; from TEST-OF-LOADED-CODE

(defun lend-function (function &optional author)
  "Return a function that calls FUNCTION with the guard on when the person calls it. It serves for functions of guarded code that were not
compiled just now and so have no guarded entry. AUTHOR is a new one by default."
  (let* ((author (or author (incomparable (new-author))))
         (lent (lambda (&rest arguments)
                 (if (and (eq *lends* t) (not (author-trusted author)))
                     (apply #'call-lent author function arguments)
                     (apply function arguments)))))
    (setf (associated lent *real-functions*) function
          (associated lent *lent-functions*) author)
    lent))

(defun call-for-authors (authors function)
  "Call FUNCTION, which compiles again what AUTHORS made, so that it remains theirs where the person has not reviewed it."
  (let ((author (find-if-not #'author-trusted authors)))
    (if (and author (not *guard*))
        (let ((*guard* t) (*lends* nil) (*author* author)) (funcall function))
        (funcall function))))

(defun call-as-authors (authors function)
  "Call FUNCTION as CALL-FOR-AUTHORS does, but with the guard on even where AUTHORS are reviewed, for code that they may have changed since."
  (if (and authors (not *guard*))
      (with-guard-of ((first authors)) (funcall function))
      (funcall function)))

(defun note-definition (authors id name &optional instead)
  "Note that the definition event ID, of NAME, came with code that AUTHORS compiled. They are not trusted until it is reviewed. It stands
for the event INSTEAD where it brought back what that one had defined."
  (dolist (author authors)
    (setf (author-events author) (acons id name (remove instead (author-events author) :key #'car))
          (author-open author) (cons id (remove instead (author-open author))))
    (trust author nil)))

(defun keep-unnamed-untrusted (authors)
  "Note that those of AUTHORS are never trusted to which this evaluation is the first to give a name, though an earlier one compiled their code: no mark of
the name vouches for other code that was compiled with it, which no entry of the list shows."
  (dolist (author authors)
    (when (and *evaluation* (author-evaluation author) (null (author-events author))
               (not (equal (author-evaluation author) (evaluation-id *evaluation*))))
      (push :unnamed (author-open author))
      (trust author nil))))

(defun close-definition (authors id name)
  "Note that the code that AUTHORS compiled for the definition event ID, of NAME, is trusted no more, and that no mark of ID changes that."
  (dolist (author authors)
    (unless (assoc id (author-events author)) (push (cons id name) (author-events author)))
    (setf (author-open author) (adjoin id (author-open author)))
    (trust author nil)))

(defun trust (author trusted)
  (setf (author-trusted author) trusted)
  (dolist (pointer (author-tests author))
    (let ((test (sb-ext:weak-pointer-value pointer)))
      (when test (setf (car test) (if trusted nil #'lent-p))))))

(defun review-authors (authors id reviewed)
  "Note that the person has reviewed the definition event ID of AUTHORS or, when REVIEWED is false, takes that back."
  (dolist (author authors)
    (when (assoc id (author-events author))
      (setf (author-open author) (if reviewed (remove id (author-open author)) (adjoin id (author-open author))))
      (trust author (null (author-open author))))))

(defun author-object (author)
  "Return AUTHOR as an object of the wire; NIL when AUTHOR is NIL."
  (when author
    (let ((events (reverse (author-events author))))
      (object "actor" (author-actor author)
              "evaluation" (author-evaluation author)
              "names" (array-of (mapcar #'cdr events))
              "events" (array-of (mapcar #'car events))))))
