;;;; The guard follows the author: what guarded code compiled keeps the guard whoever calls it, until the person has reviewed it.
;;;; The entry of each function that is compiled then begins with a test whether the caller's thread runs for the person, and
;;;; calls itself with the guard on where it does. The test is one comparison with a slot of the thread, so that guarded code
;;;; runs as fast as in plain SBCL; what it calls by itself, tail calls among it, is called as always.

(in-package #:lisp-workbench/evaluation)

(defvar *author* nil
  "The author whose code the person's evaluation has called, and with it what that calls.")

(defstruct (author (:copier nil) (:predicate nil) (:constructor new-author-token ()))
  "Who compiled a piece of code. It is a constant of that code, which can get hold of it: what is known of it is kept elsewhere.")

(defstruct (knowledge (:copier nil) (:predicate nil))
  "What is known of an author. Once every definition EVENTS that came with it is reviewed, it is TRUSTED."
  actor evaluation
  (events '())                          ; (id . name) of the definitions that came with it
  (open '())                            ; ids of those that are not reviewed
  (tests '())                           ; of the entries of its functions that compiled files brought
  (trusted nil))

(sb-ext:defglobal *knowledge* (make-hash-table :test #'eq :weakness :key :synchronized t)) ; author → what is known of it

(defun make-author (&rest facts)
  (let ((author (new-author-token)))
    (setf (gethash author *knowledge*) (apply #'make-knowledge facts))
    author))

(defun knowledge (author)
  (or (gethash author *knowledge*) (make-knowledge)))

(macrolet ((define-facts (&rest names)
             `(progn
                ,@(loop for name in names
                        for author-fact = (intern (format nil "AUTHOR-~A" name))
                        for fact = (intern (format nil "KNOWLEDGE-~A" name))
                        append `((defun ,author-fact (author) (,fact (knowledge author)))
                                 (defun (setf ,author-fact) (new author) (setf (,fact (knowledge author)) new)))))))
  (define-facts actor evaluation events open tests trusted))

(defmethod print-object ((author author) stream)
  (print-unreadable-object (author stream) (format stream "what ~A defined" (author-actor author))))

(defun lent-p ()
  "Whether this thread runs for the person or the engine."
  (eq t *lends*))

(defmacro with-guard-of ((author) &body body)
  "Outside of evaluations nobody waits: that is the engine's own work."
  `(let ((*guard* t) (*lends* nil) (*author* ,author) (*may-wait* (and *may-wait* *evaluation* t))) ,@body))

(defun call-lent (author function &rest arguments)
  "Call FUNCTION for the person as what AUTHOR made."
  (declare (dynamic-extent arguments))
  (flet ((call () (with-guard-of (author) (apply function arguments)))
         (guarded (form) (guarded-expansion author form)))
    (case (expander-kind function arguments)
      ((nil) (call))
      (:macro (let ((form (first arguments)) (expansion (call)))
                (if (eq expansion form) form (guarded expansion))))
      (:storing-form (guarded (call)))
      (:method-combination (multiple-value-bind (form more) (call) (values (guarded form) more)))
      (:places (multiple-value-bind (variables values stores writer reader) (call)
                 (values variables (mapcar #'guarded values) stores (guarded writer) (guarded reader)))))))

;;; Expansions become part of what the person evaluates, and remain the author's.

(defun guarded-expansion (author expansion)
  (if (or (atom expansion) (producing-fasl-file))
      expansion
      `(as-defined-by ,author ,expansion)))

(defun expander-kind (function arguments)
  "What FUNCTION is called for when its value is a form that the person's code will run; NIL when it is none of these."
  (cond ((expander-p function arguments) :macro)
        ((and (= 3 (length arguments)) (typep (second arguments) 'method-combination)) :method-combination)
        (t (setf-expander-kind function))))

(defun same-code-p (function other)
  (and (functionp other) (eq (%fun-fun function) (%fun-fun (real-function other)))))

(defun expander-p (function arguments)
  "Whether FUNCTION is called as the macro or compiler macro function of a form."
  (let ((name (and (consp (first arguments)) (rest arguments) (null (cddr arguments)) (first (first arguments)))))
    (and name (symbolp name)
         (or (same-code-p function (macro-function name)) (same-code-p function (compiler-macro-function name))))))

(defun setf-expander-kind (function)
  ":PLACES for the function of DEFINE-SETF-EXPANDER, :STORING-FORM for that of DEFSETF. Their names say what they are of."
  (let* ((name (%fun-name function))
         (place (and (consp name) (consp (rest name)) (second name)))
         (expander (and place (symbolp place) (info :setf :expander place))))
    (cond ((same-code-p function expander) :places)
          ((and (consp expander) (same-code-p function (rest expander))) :storing-form))))

(defmacro as-defined-by (author form &environment environment)
  "The values of FORM, evaluated with the guard where the person evaluates it. Definitions in it stay at the top level."
  (cond ((or *guard* (author-trusted author) (atom form) (member (first form) '(quote function declare))) form)
        ((eq (first form) 'progn)
         `(progn ,@(loop for each in (rest form) collect `(as-defined-by ,author ,each))))
        ((eq (first form) 'eval-when)
         `(eval-when ,(second form) ,@(loop for each in (cddr form) collect `(as-defined-by ,author ,each))))
        (t (multiple-value-bind (expansion expanded) (macroexpand-1 form environment)
             (if expanded
                 `(as-defined-by ,author ,expansion)
                 `(with-guard-of (,author) ,form))))))

(define-setf-expander as-defined-by (author form &environment environment)
  (multiple-value-bind (variables values stores writer reader) (get-setf-expansion form environment)
    (flet ((guarded (form) `(as-defined-by ,author ,form)))
      (values variables (mapcar #'guarded values) stores (guarded writer) (guarded reader)))))

(defun keep-symbol-macro (name)
  "Let the expansion of the symbol macro NAME, which guarded code has just defined, remain its author's."
  (let ((expansion (info :variable :macro-expansion name)))
    (unless (or (atom expansion) (eq (first expansion) 'as-defined-by))
      (setf (info :variable :macro-expansion name) `(as-defined-by ,(new-author) ,expansion)))))

(defun own-expansion (expansion)
  "EXPANSION of a symbol macro as its author wrote it."
  (if (and (consp expansion) (eq (first expansion) 'as-defined-by)) (third expansion) expansion))

(defun own-inline-expansion (original name)
  "What the compiler puts in the place of a call of NAME, unless that belongs to an author who is guarded there: then it is called."
  (let ((expansion (funcall original name)))
    (if (and expansion (not *guard*) (fboundp name)
             (some (lambda (author) (not (author-trusted author))) (function-authors (fdefinition name))))
        nil
        expansion)))

;;; Compiling

(defvar *evaluation*)
(defvar *compiles-for-itself* nil "True while SBCL compiles what it needs itself, such as how it calls methods.")

(sb-ext:defglobal *latest-author* (list nil)) ; (compilation . author) of the compilation under way
(defvar *form-authors* '() "Those who were made since the top-level form began.")

(defun install-authors ()
  "Called once, when the core is built."
  (unless (lacking "keeping the guard on what agents defined")
    (surround 'make-xep-lambda-expression 'lisp-workbench #'entry-with-guard)
    (surround 'fun-name-inline-expansion 'lisp-workbench #'own-inline-expansion)
    (surround 'pcl-compile 'lisp-workbench
              (lambda (original &rest arguments)
                (let ((*compiles-for-itself* t)) (apply original arguments))))))

(defun entry-with-guard (original function)
  "The lambda expression by which the compiler makes FUNCTION's entry for calls from elsewhere."
  (let ((expression (funcall original function)))
    (cond ((or (not *guard*) *compiles-for-itself*) expression)
          ((producing-fasl-file) (entry-in-file expression function))
          (t (guarded-entry expression function (author-under-way))))))

(defun guarded-entry (expression function author)
  (destructuring-bind (operator parameters declaration . body) expression
    (let ((lent `(and (eq *lends* t) (not (author-trusted ,author)))))
      `(,operator ,parameters ,declaration
         ;; FUNCTION stays called at one place where it can, so that it is compiled into its entry.
         (if ,lent
             ,(if (typep function 'clambda)
                  `(call-lent ,author ,function ,@(rest parameters))
                  `(with-guard-of (,author) ,@body))
             (progn ,@body))))))

(defun author-under-way ()
  "One for all that is compiled at once. The compiler runs in one thread at a time."
  (destructuring-bind (compilation . author) *latest-author*
    (if (and author (eq compilation *compile-object*))
        author
        (rest (setf *latest-author* (cons *compile-object* (new-author)))))))

(defun new-author ()
  (let ((author (make-author :actor (author-name) :evaluation (and *evaluation* (evaluation-id *evaluation*)))))
    (push author *form-authors*)
    author))

(defun author-name ()
  "The actor whose code compiles now."
  (if *author*
      (author-actor *author*)
      (and *evaluation* (evaluation-actor *evaluation*))))

;;; Who made a function

(sb-ext:defglobal *lent-functions* (make-hash-table :test #'eq :weakness :key :synchronized t)
  "Function made by LEND-FUNCTION → its author.")

(defun function-authors (function)
  "Those who compiled what FUNCTION is made of; empty when the person or SBCL did."
  (unless (lacking "keeping the guard on what agents defined")
    (let* ((lent (gethash function *lent-functions*))
           (code (typecase function
                   (sb-mop:funcallable-standard-object nil)
                   (compiled-function (fun-code-header (%fun-fun function))))))
      (when lent (return-from function-authors (list lent)))
      (when code
        (loop for index from code-constants-offset below (code-header-words code)
              for constant = (code-header-ref code index)
              for author = (constant-author constant)
              when author collect author)))))

(defun constant-author (constant)
  "The author for whose code CONSTANT is kept; NIL for what the code has of its own."
  (typecase constant
    (author constant)
    ((cons t (cons author function)) (second constant)))) ; what TEST-OF-LOADED-CODE returned

(defun lend-function (function)
  "A function like FUNCTION, which guarded code brought and this SBCL did not compile just now, that has the guard."
  (let* ((author (new-author))
         (lent (lambda (&rest arguments)
                 (if (and (eq *lends* t) (not (author-trusted author)))
                     (apply #'call-lent author function arguments)
                     (apply function arguments)))))
    (setf (gethash lent *real-functions*) function
          (gethash lent *lent-functions*) author)
    lent))

(defun call-for-authors (authors function)
  "Call FUNCTION, which compiles again what AUTHORS made, so that it remains theirs where the person has not reviewed it."
  (let ((author (find-if-not #'author-trusted authors)))
    (if (and author (not *guard*))
        (let ((*guard* t) (*lends* nil) (*author* author)) (funcall function))
        (funcall function))))

(defun call-as-authors (authors function)
  "The same for what AUTHORS may have changed since the person looked at it: reviewed or not, it is theirs."
  (if (and authors (not *guard*))
      (with-guard-of ((first authors)) (funcall function))
      (funcall function)))

(defun note-definition (authors id name)
  "The definition event ID, of NAME, came with what AUTHORS compiled."
  (dolist (author authors)
    (push (cons id name) (author-events author))
    (push id (author-open author))
    (trust author nil)))

(defun trust (author trusted)
  (setf (author-trusted author) trusted)
  (dolist (test (author-tests author)) (setf (car test) (if trusted nil #'lent-p))))

(defun review-authors (authors id reviewed)
  "The person has looked at the definition event ID of AUTHORS, or takes that back."
  (dolist (author authors)
    (when (assoc id (author-events author))
      (setf (author-open author) (if reviewed (remove id (author-open author)) (adjoin id (author-open author))))
      (trust author (null (author-open author))))))

(defun author-object (author)
  "AUTHOR as the wire has it; NIL for none."
  (when author
    (let ((events (reverse (author-events author))))
      (object "actor" (author-actor author)
              "evaluation" (author-evaluation author)
              "names" (array-of (mapcar #'cdr events))
              "events" (array-of (mapcar #'car events))))))
