;;;; Makes the guard follow the author: functions that guarded code compiled run with the guard on, regardless of the caller, until the
;;;; person has reviewed them. The entry of each function tests whether the calling thread runs for the person. If so, the entry turns the
;;;; guard on before it calls the function. The test compares one thread-local slot, so guarded code runs as fast as in plain SBCL. Calls
;;;; inside the function, including tail calls, are unchanged.

(in-package #:lisp-workbench/evaluation)

(defvar *author* nil
  "The author whose code this thread runs because the person's evaluation called it, or NIL.")

(defstruct (author (:copier nil) (:predicate nil) (:constructor new-author-token ()))
  "A token for the actor that compiled a piece of code. The token is a constant in that code, so the code could modify it. Therefore the
facts about an author are stored in *KNOWLEDGE* instead.")

(defstruct (knowledge (:copier nil) (:predicate nil))
  "The facts about an author. TRUSTED is true once the person has reviewed all EVENTS."
  actor evaluation
  (events '())                          ; (id . name) of the definitions that the author's code made
  (open '())                            ; ids of the definitions not yet reviewed
  (of-system nil)                       ; true if the author's code was compiled or loaded by ASDF as part of a system's file
  (tests '())                           ; weak pointers to the entry tests of the author's functions from compiled files
  (trusted nil))

(sb-ext:defglobal *knowledge* (make-weak-map)) ; author → the facts about the author

(sb-ext:defglobal *code-of-authors* (make-weak-map)
  "Author → digests of the components that were compiled for the author, latest first. NIL represents the digest of a component that cannot
be compared.")

(defun incomparable (author)
  "Mark AUTHOR's code as not comparable: it was not compiled here, so it has no digest. Return AUTHOR."
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
  "Return true if this thread runs for the person or the engine."
  (eq t *lends*))

(defmacro with-guard-of ((author) &body body)
  "Run BODY with the guard on, as AUTHOR's code. The expansion is short because the entry of each guarded function contains it, and the
compiler spends more time on it than on a small function."
  `(let ((*guard* t) (*lends* nil) (*author* ,author) (*may-wait* (effects-may-wait-p)))
     (note-work-of-author)
     ,@body))

(defun effects-may-wait-p ()
  "Return true if an effect may wait for a decision. Outside evaluations, in the engine's own work, an effect is denied immediately."
  (and *may-wait* *evaluation* t))

(defun note-work-of-author ()
  "Record that *AUTHOR*'s code takes part in the current ASDF action, unless that code came with a system."
  (unless (author-of-system *author*) (note-agents-part)))

(defun call-lent (author function &rest arguments)
  "Call FUNCTION, which AUTHOR created, for the person with the guard on. If FUNCTION is an expander, mark the forms that it returns as
AUTHOR's."
  (declare (dynamic-extent arguments))
  (flet ((call () (with-guard-of (author) (apply function arguments))))
    (let ((kind (expander-kind function arguments)))
      (case kind
        ((nil) (call))
        (:macro (let ((form (first arguments)) (expansion (call)))
                  (if (eq expansion form) form (guarded-expansion author expansion))))
        (t (values-list (guarded-results author kind arguments (multiple-value-list (call)))))))))

;;; Compiling

(defvar *expansion-author* nil "The author of the current expansion, while some of the expansion's code is compiled to run early for the
person; otherwise NIL.")
(defvar *compiles-for-itself* nil "True while SBCL compiles code for its own use, such as method dispatch.")

(sb-ext:defglobal *latest-author* (list nil)) ; (compilation . author) of the current compilation
(defvar *form-authors* '() "The authors created since the current top-level form began.")

(defun install-entries ()
  "Install the advice on the compiler's functions that makes the guard follow authors."
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
  "Muffle the compiler's remarks about functions that it cannot inline because inlining would lose the author's guard."
  (surround 'warn-if-inline-failed/call 'lisp-workbench
            (lambda (original name &rest more)
              (unless (kept-from-inlining-p name) (apply original name more)))))

(defun entry-with-guard (original function)
  "Return the lambda expression from which the compiler makes FUNCTION's external entry; add the guard if needed."
  (let* ((expression (funcall original function))
         (expander (and (or (not *guard*) *compiles-for-itself*)
                        (not (producing-fasl-file))
                        (expansion-author (functional-lexenv function)))))
    (cond (expander (guarded-entry expression function expander))
          ((or (not *guard*) *compiles-for-itself*) expression)
          ((producing-fasl-file) (entry-in-file expression function))
          (t (guarded-entry expression function (author-under-way))))))

(defparameter *once* '(declare (optimize (speed 0) (space 1)))
  "A declaration for the second of the two calls of a function in the function's entry. It keeps the compiler from inlining the function
there, and from reporting remarks about the function's code twice.")

(defun guarded-entry (expression function author)
  "Return EXPRESSION, which creates FUNCTION's entry, with AUTHOR's guard added for calls by the person. The body of the entry, a call of
FUNCTION, occurs twice in the result. Passing FUNCTION as a value instead would confuse the compiler when it copies or renames FUNCTION, and
would lose the type of the result."
  (destructuring-bind (operator parameters declaration . body) expression
    (let ((guarded `(locally ,*once* (with-guard-of (,author) ,@(clear-unsupplied parameters function) ,@body)))
          (kind (entry-kind function)))
      `(,operator ,parameters ,declaration
         (if (and (eq *lends* t) (not (author-trusted ,author)))
             ,(if kind
                  ;; The kind is determined before FUNCTION runs, because an expander could remove its own name.
                  `(values-list (guarded-results ,author (called-kind ,author ,kind (list ,@(rest parameters)))
                                                 (list ,@(rest parameters)) (multiple-value-list ,guarded)))
                  guarded)
             (progn ,@body))))))

(defun clear-unsupplied (parameters function)
  "Return forms that set each of PARAMETERS of FUNCTION's entry to NIL if the caller passed no argument for it. In a function with optional
parameters, the variable of an unsupplied parameter contains an arbitrary register value, for example an address, which is not a valid
object. In plain SBCL this does no harm, because the entry is no longer on the stack when FUNCTION runs. With the guard the entry stays on
the stack, and a backtrace would copy these values into lists. The garbage collector would then mistake an address for an object header and
corrupt memory."
  (unless (typep function 'clambda)
    (destructuring-bind (count . arguments) parameters
      (loop with least = (optional-dispatch-min-args function)
            for index from least
            for argument in (nthcdr least arguments)
            collect `(when (<= ,count ,index) (setq ,argument nil))))))

(defun entry-kind (function)
  "Return the kind of expander that FUNCTION is, judging by its name while it is compiled. Return :MACRO if the kind is known only when
FUNCTION is called, and NIL if FUNCTION is not an expander."
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
  "A function of no arguments that returns true while ASDF loads or compiles a system's file in this thread. The engine sets this function
and does not read ASDF's variables, because code can bind those.")

(defun author-under-way ()
  "Return the author of the current compilation. The compiler runs in one thread at a time, so all code that is compiled together has one
author."
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
  "Return the author of code that an unknown agent may have written."
  *unknown-author*)

(defun author-of-system-p (author)
  (author-of-system author))

(defun author-name ()
  "Return the actor whose code is running or being compiled. Guarded code outside an evaluation, such as a finalizer, could belong to any
agent, so it has the unknown author. Return NIL for the engine's own work."
  (cond (*author* (author-actor *author*))
        (*evaluation* (evaluation-actor *evaluation*))
        (*guard* (author-actor *unknown-author*))))

(defun author-of-interruption ()
  "Return the author of code with which this thread interrupts another thread; NIL if the code is the person's or the engine's."
  (and *guard* (or *author* (if *evaluation*
                                (make-author :actor (evaluation-actor *evaluation*) :evaluation (evaluation-id *evaluation*))
                                *unknown-author*))))

;;; The authors of a function

(sb-ext:defglobal *lent-functions* (make-weak-map)
  "interpreted function, or function created by LEND-FUNCTION → its author")

(defun function-authors (function)
  "Return the authors that compiled FUNCTION and the functions within it; NIL if the person or SBCL compiled all of this code."
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
  "Return the author that CONSTANT, taken from compiled code, represents; NIL if it is an ordinary constant of the code."
  (typecase constant
    (author constant)
    ((cons t (cons author function)) (second constant)))) ; from TEST-OF-LOADED-CODE

(defun lend-function (function &optional author)
  "Return a function that calls FUNCTION with the guard on when the person calls it. Use it for guarded code's functions that have no
guarded entry because they were compiled earlier. AUTHOR defaults to a new author."
  (let* ((author (or author (incomparable (new-author))))
         (lent (lambda (&rest arguments)
                 (if (and (eq *lends* t) (not (author-trusted author)))
                     (apply #'call-lent author function arguments)
                     (apply function arguments)))))
    (setf (associated lent *real-functions*) function
          (associated lent *lent-functions*) author)
    lent))

(defun call-for-authors (authors function)
  "Call FUNCTION, which recompiles the code of AUTHORS. Unreviewed code remains theirs."
  (let ((author (find-if-not #'author-trusted authors)))
    (if (and author (not *guard*))
        (let ((*guard* t) (*lends* nil) (*author* author)) (funcall function))
        (funcall function))))

(defun call-as-authors (authors function)
  "Call FUNCTION as CALL-FOR-AUTHORS does, but turn the guard on even if AUTHORS are reviewed, because they may have changed the code since
the review."
  (if (and authors (not *guard*))
      (with-guard-of ((first authors)) (funcall function))
      (funcall function)))

(defun note-definition (authors id name &optional instead)
  "Record that the definition event ID, of NAME, includes code that AUTHORS compiled. AUTHORS are not trusted until the event is reviewed.
If the event restored the definition of the event INSTEAD, ID replaces INSTEAD."
  (dolist (author authors)
    (setf (author-events author) (acons id name (remove instead (author-events author) :key #'car))
          (author-open author) (cons id (remove instead (author-open author))))
    (trust author nil)))

(defun keep-unnamed-untrusted (authors)
  "Keep each of AUTHORS untrusted whose code was compiled by an earlier evaluation without a definition, if the current evaluation gives
that code a name. A review of the definition does not vouch for other code that was compiled together with it and does not appear in the
list of changes."
  (dolist (author authors)
    (when (and *evaluation* (author-evaluation author) (null (author-events author))
               (not (equal (author-evaluation author) (evaluation-id *evaluation*))))
      (push :unnamed (author-open author))
      (trust author nil))))

(defun close-definition (authors id name)
  "Withdraw trust permanently from the code that AUTHORS compiled for the definition event ID, of NAME. A review of ID does not restore it."
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
  "Record that the person has reviewed the definition event ID of AUTHORS or, if REVIEWED is false, has withdrawn the review."
  (dolist (author authors)
    (when (assoc id (author-events author))
      (setf (author-open author) (if reviewed (remove id (author-open author)) (adjoin id (author-open author))))
      (trust author (null (author-open author))))))

(defun author-object (author)
  "Return AUTHOR as a wire object; NIL if AUTHOR is NIL."
  (when author
    (let ((events (reverse (author-events author))))
      (object "actor" (author-actor author)
              "evaluation" (author-evaluation author)
              "names" (array-of (mapcar #'cdr events))
              "events" (array-of (mapcar #'car events))))))
