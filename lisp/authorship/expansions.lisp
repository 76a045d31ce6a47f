;;;; Marks macro expansions. An expansion becomes part of the person's evaluation but remains its author's code. This applies to its
;;;; effects, closures and definitions, and to the code that the compiler runs early. The mark is lexical: the expansion is placed in the
;;;; scope of a symbol macro with an unreadable name. The compiler finds this mark around each function that it creates there.

(in-package #:lisp-workbench/evaluation)

(sb-ext:defglobal *mark* (make-symbol "AUTHOR")
  "The name of the mark around an expansion. The value of the mark is the author.")

(defun expansion-author (lexenv)
  "Return the author of the expansion that encloses LEXENV: the outermost untrusted one, or NIL if the person wrote all the surrounding
code. An inner mark never replaces an outer one, because an expansion could contain a forged mark."
  (let ((found nil))
    (loop for (name . meaning) in (and lexenv (lexenv-vars lexenv))
          do (when (and (eq name *mark*) (typep meaning '(cons t author)) (not (author-trusted (rest meaning))))
               (setf found (rest meaning))))
    found))

(defun as-written-p (author)
  "Return true if an expansion of AUTHOR's needs no mark: in guarded code, because its entries turn the guard on; in a file that is
compiled; or if AUTHOR is trusted. Functions that SBCL compiles for itself need the mark even in guarded code, because they have no guarded
entry."
  (or (and *guard* (not *compiles-for-itself*)) (author-trusted author) (producing-fasl-file)))

(defmacro as-defined-by (author form &environment environment)
  "Evaluate FORM and return its values. Turn the guard on if the person evaluates it. Definitions in FORM remain at top level."
  (unless (or (author-trusted author) (author-of-system author)) (note-agents-part))
  (cond ((or (as-written-p author) (atom form) (member (first form) '(quote declare))
             (and (eq (first form) 'function) (symbolp (second form))))
         form)
        ((not (eq author (macroexpand-1 *mark* environment)))
         `(symbol-macrolet ((,*mark* ,author)) (as-defined-by ,author ,form)))
        (*guard* ; functions that SBCL compiles for itself also serve the person's calls
         `(if (and (eq *lends* t) (not (author-trusted ,author))) (with-guard-of (,author) ,form) ,form))
        ((eq (first form) 'progn)
         `(progn ,@(loop for each in (rest form) collect `(as-defined-by ,author ,each))))
        ((eq (first form) 'eval-when)
         `(eval-when ,(second form) ,@(loop for each in (cddr form) collect `(as-defined-by ,author ,each))))
        (t (multiple-value-bind (expansion expanded)
               (if (eq (first form) 'call-method) form (macroexpand-1 form environment)) ; CLOS itself expands CALL-METHOD
             (if expanded
                 `(as-defined-by ,author ,expansion)
                 `(with-guard-of (,author) ,form))))))

(define-setf-expander as-defined-by (author form &environment environment)
  (multiple-value-bind (variables values stores writer reader) (get-setf-expansion form environment)
    (flet ((guarded (form) (if (as-written-p author) form `(as-defined-by ,author ,form))))
      (values variables (mapcar #'guarded values) stores (guarded writer) (guarded reader)))))

;;; Forms that the compiler evaluates while it converts an expansion, and closures that it would call without their entries

(defvar *function-converted* nil "The lambda expression or name whose FUNCTION form must be converted unchanged now.")

(defun guard-translators ()
  "Make special operators that evaluate forms early run these forms as their author's code if they are within an expansion."
  (dolist (operator '(load-time-value compiler-let))
    (translate-otherwise operator
                         (lambda (author translate arguments)
                           (with-guard-of (author)
                             (let ((*expansion-author* author)) (apply translate arguments))))))
  (translate-otherwise 'function #'convert-function))

(defun translate-otherwise (operator convert)
  "Make CONVERT convert the forms of OPERATOR if they are within an expansion and compiled for the person. CONVERT receives the author,
SBCL's function that converts such forms, and that function's arguments."
  (let ((translate (info :function :ir1-convert operator)))
    (when translate
      (let ((function (lambda (&rest arguments)
                        (let ((author (and (not *guard*) (expansion-author *lexenv*))))
                          (if author
                              (funcall convert author translate arguments)
                              (apply translate arguments))))))
        (note-remover (lambda () (setf (info :function :ir1-convert operator) translate)))
        (setf (info :function :ir1-convert operator)
              (compile-in-place-of translate `(named-lambda guarded-function (&rest arguments)
                                                (declare (dynamic-extent arguments) (optimize (sb-ext:inhibit-warnings 3)))
                                                (apply (the function ,function) arguments))))))))

(defun convert-function (author translate arguments)
  "Convert a FUNCTION form so that callers outside the expansion call the closure through its entry, which turns the guard on. Without this,
the compiler would recognize the function and call it directly, without the entry."
  (declare (ignore author))
  (destructuring-bind (start next result form) arguments
    (let ((name (second form)))
      (if (or (eq name *function-converted*)
              (and (atom name) (not (assoc name (lexenv-funs *lexenv*)))))
          (let ((*function-converted* nil)) (apply translate arguments))
          (let ((*function-converted* name))
            (ir1-convert start next result `(locally (declare (notinline identity)) (identity ,form))))))))

;;; Expanders

(defun guarded-expansion (author expansion)
  (if (or (atom expansion) (producing-fasl-file))
      expansion
      `(as-defined-by ,author ,expansion)))

(defun guarded-lambda (author expression)
  "Return the lambda EXPRESSION with its body marked as AUTHOR's."
  (if (and (consp expression) (eq 'lambda (first expression)) (consp (rest expression)))
      (let* ((body (cddr expression))
             (forms (member-if-not (lambda (each) (and (consp each) (eq 'declare (first each)))) body)))
        `(lambda ,(second expression) ,@(ldiff body forms) ,(guarded-expansion author `(progn ,@forms))))
      (guarded-expansion author expression)))

(defun guarded-results (author kind arguments results)
  "Return RESULTS, the values of AUTHOR's expander of KIND as a list, with the forms among them marked as AUTHOR's. If KIND is NIL, return
RESULTS unchanged."
  (flet ((guarded (form) (guarded-expansion author form)))
    (destructuring-bind (&optional first second third fourth fifth) (subseq results 0 (min 5 (length results)))
      (ecase kind
        ((nil) results)
        (:expander (if (eq first (first arguments)) results (list (guarded first))))
        (:form (list (guarded first)))
        (:first-form (list (guarded first) second))
        (:lambda (list (guarded-lambda author first) second))
        (:transform (if second results (list (guarded first) nil))) ; a true second value means that the transform declines
        (:places (list first (mapcar #'guarded second) third (guarded fourth) (guarded fifth)))))))

(defun called-kind (author kind arguments)
  "Return the kind of expander that AUTHOR's function of KIND acts as when called with ARGUMENTS; NIL if it does not expand a form in that
call."
  (cond ((not (eq kind :macro)) kind)
        ((expands-p author arguments) :expander)))

(defun expands-p (author arguments)
  "Return true if ARGUMENTS are a form and an environment, and the form's macro or compiler macro function is AUTHOR's."
  (let ((form (first arguments)))
    (and (consp form) (rest arguments) (null (cddr arguments))
         (let ((name (called-name form)))
           (flet ((own-p (function)
                    (and function (member author (function-authors function)) t)))
             (sound
               (or (and (symbolp name) (own-p (stored-macro-function name)))
                   (own-p (stored-compiler-macro-function name)))))))))

(defun expander-kind (function arguments)
  "Return the kind of expander that FUNCTION acts as when called with ARGUMENTS. An expander returns forms that the person's code will run.
Return NIL if FUNCTION is not an expander."
  (cond ((expander-p function arguments) :macro)
        ((and (= 3 (length arguments)) (typep (second arguments) 'method-combination)) :first-form)
        (t (let ((name (%fun-name function)))
             (and (consp name) (consp (rest name)) (expander-kind-by-name function (first name) (second name)))))))

(defun expander-kind-by-name (function role subject)
  (cond ((not (symbolp subject)) nil)
        ((and (symbolp role) (search "METHOD" (symbol-name role)))
         (case subject
           (sb-mop:compute-effective-method :first-form)
           (sb-mop:make-method-lambda :lambda)))
        (t (let ((expander (info :setf :expander subject)))
             (cond ((same-code-p function expander) :places)
                   ((and (consp expander) (same-code-p function (rest expander))) :form))))))

(defun same-code-p (function other)
  (and (functionp other)
       (or (eq function (real-function other))
           (eq (%fun-fun function) (%fun-fun (real-function other))))))

(defun expander-p (function arguments)
  "Return true if calling FUNCTION with ARGUMENTS expands a form whose macro or compiler macro function is FUNCTION."
  (let ((form (first arguments)))
    (and (consp form) (rest arguments) (null (cddr arguments))
         (let ((name (called-name form)))
           (sound
             (or (and (symbolp name) (same-code-p function (stored-macro-function name)))
                 (same-code-p function (stored-compiler-macro-function name))))))))

(macrolet ((define-stored (name reader)
             `(let ((function (fdefinition ',reader)))
                (defun ,name (name)
                  ,(format nil "Call SBCL's original ~A with NAME. The person's code calls it." reader)
                  (funcall (the function function) name)))))
  (define-stored stored-macro-function macro-function)
  (define-stored stored-compiler-macro-function compiler-macro-function))

(defun show-expander (original name &rest more)
  "Advice on MACRO-FUNCTION and COMPILER-MACRO-FUNCTION: to guarded code, return the stored function instead of the wrapper that adds the
guard."
  (let ((function (apply original name more)))
    (if (and function *guard* (associated function *lent-functions*))
        (real-function function)
        function)))

(defun called-name (form)
  "Return the name of the function that FORM calls, directly or with FUNCALL. A compiler macro receives forms of both kinds."
  (if (and (eq 'funcall (first form)) (typep form '(cons t (cons (cons symbol (cons t null))))))
      (second (second form))
      (first form)))

;;; Symbol macros and inline expansions

(defun keep-symbol-macro (name)
  "Mark the expansion of the symbol macro NAME, which guarded code has just defined, as its author's."
  (let ((expansion (info :variable :macro-expansion name)))
    (unless (or (atom expansion) (eq (first expansion) 'as-defined-by))
      (setf (info :variable :macro-expansion name) `(as-defined-by ,(new-author) ,expansion)))))

(defun show-symbol-macro (original form &optional environment)
  "Advice on MACROEXPAND-1: to guarded code and in files, return the expansion of a symbol macro as it was defined, without the guard's
mark."
  (multiple-value-bind (expansion expanded) (funcall original form environment)
    (values (if (and (symbolp form) expanded (consp expansion) (eq (first expansion) 'as-defined-by)
                     (as-written-p (second expansion)))
                (third expansion)
                expansion)
            expanded)))

(defun own-expansion (expansion)
  "Return EXPANSION, the expansion of a symbol macro, in the form in which its author wrote it."
  (if (and (consp expansion) (eq (first expansion) 'as-defined-by)) (third expansion) expansion))

(defun own-inline-expansion (original name)
  "Return the inline expansion of the function NAME. If inlining would lose the guard of the function's author, return NIL; the function is
then called."
  (let ((expansion (funcall original name)))
    (if (and expansion (kept-from-inlining-p name)) nil expansion)))

(defun kept-from-inlining-p (name)
  "Return true if the code being compiled must call the function NAME although plain SBCL might inline it."
  (and (or (not *guard*) (compiles-system-p)) (fboundp name)
       (some (lambda (author) (not (author-trusted author))) (function-authors (fdefinition name)))))
