;;;; Recompiles methods for debugging, for the duration of an evaluation. All locals are then kept, and stepping stops at every form.

(in-package #:lisp-workbench/debugger)

(defstruct (method-definition (:conc-name definition-))
  "The source of the method OLD: its DEFMETHOD form, the FILE and the text that contain the form, and the path to the form."
  old new                               ; NEW is the version compiled for debugging that replaces OLD
  form package
  file                                  ; NIL if the code was evaluated
  text start                            ; START is the offset of the top-level form
  path                                  ; indexes that lead from the top-level form to the DEFMETHOD, or to the option of a DEFGENERIC
  call                                  ; the call of the macro that expands to the method, at PATH; NIL if the method is written directly
  stops                                 ; the STOPS at lines that were inserted, or NIL
  shift)                                ; the number to add to the indexes of FORM's parts to get the indexes in the option; 0 for a
                                        ; DEFMETHOD

(sb-ext:defglobal *methods-for-debugging* '()) ; the definitions of the methods that are installed for debugging

(defun called-methods (function arguments)
  "Return the methods of the generic FUNCTION that are applicable to ARGUMENTS, in the order in which a call reaches them."
  (let ((methods (ignore-errors (compute-applicable-methods function arguments))))
    (flet ((qualified (qualifier) (remove qualifier methods :key #'qualifiers-of :test-not #'equal)))
      (let ((first (append (qualified '(:around)) (qualified '(:before)))))
        (append first (set-difference-in-order methods first))))))

(defun set-difference-in-order (list others)
  (remove-if (lambda (each) (member each others)) list))

(defun keep-locals-of-method (name)
  "Compile the method NAME for debugging. NAME is (:METHOD generic-function qualifier… specializers), as in frames."
  (destructuring-bind (generic &rest more) (rest name)
    (let ((method (find-method (fdefinition generic) (butlast more) (mapcar #'specializer-of (first (last more))) nil)))
      (and method (compile-method-for-debugging method)))))

(defun specializer-of (name)
  (if (and (consp name) (eq (first name) 'eql)) (sb-mop:intern-eql-specializer (second name)) (find-class name)))

(defun compile-method-for-debugging (method)
  "Replace METHOD by a version compiled for debugging. Return a function that restores METHOD, unless it was redefined in the meantime.
Return NIL, and change nothing, if METHOD is already such a version or its source is unknown."
  (let ((function (sb-mop:method-generic-function method)))
    (unless (or (null function) (compiled-method-p method))
      (let ((definition (method-definition method)))
        (when definition
          (define-method-for-debugging definition method)
          (let ((new (find-method function (qualifiers-of method) (sb-mop:method-specializers method) nil)))
            (unless (or (null new) (eq new method))
              (setf (definition-new definition) new)
              (push definition *methods-for-debugging*)
              (note-methods-touched function)
              (stand-for new method)
              (stand-for (method-code new) (method-code method))
              (lambda () (restore-method definition function)))))))))

(defun compiled-method-p (method)
  (find method *methods-for-debugging* :key #'definition-new))

(defun define-method-for-debugging (definition method)
  (let* ((file (definition-file definition))
         (node (and (breakpoint-of (method-key-name method)) (method-node definition)))
         (stops (setf (definition-stops definition)
                      (and node (with-stops (definition-form definition) (method-key-name method) (definition-text definition) node))))
         (*package* (definition-package definition))
         (*source-plist* (if file '() (source-plist-of (method-code method)))))
    (handler-bind ((warning #'muffle-warning))
      (funcall (if file 'call-as-authors 'call-for-authors)
               (function-authors (method-code method))
               (lambda ()
                 (funcall (compile nil `(lambda () (declare ,*debugging-policy*)
                                          ,(method-without-optimization
                                             (if stops (stops-form stops) (definition-form definition)))))))))))

(defun method-key-name (method)
  "Return the name of METHOD, (:METHOD function qualifier… specializers)."
  `(:method ,(sb-mop:generic-function-name (sb-mop:method-generic-function method)) ,@(qualifiers-of method) ,(specializer-names method)))

(defun method-without-optimization (form)
  "Return FORM, a DEFMETHOD, without the optimization declarations of its body."
  (let* ((at (1+ (position-if #'listp form :start 2)))
         (body (nthcdr at form)))
    (multiple-value-bind (leading forms) (leading-declarations body)
      (append (subseq form 0 at) (mapcar #'without-optimization leading) forms))))

(defun restore-method (definition function)
  "Restore the original method of DEFINITION in FUNCTION, unless it was replaced in the meantime."
  (setf *methods-for-debugging* (remove definition *methods-for-debugging*))
  (when (member (definition-new definition) (sb-mop:generic-function-methods function))
    (add-method function (definition-old definition))
    (note-methods-touched function)))

(defun note-methods-touched (function)
  "Record that the sweep must not report the changes to methods of FUNCTION as redefinitions."
  (note-touched (cons :methods (sb-mop:generic-function-name function))))

;;; The source of a method

(defun method-definition (method)
  "Return the definition of METHOD, from its file or from evaluated code; NIL if the source is unknown. If the definition has changed in its
file since METHOD was compiled, return the compiled definition."
  (let* ((name (sb-mop:generic-function-name (sb-mop:method-generic-function method)))
         (source (known-source :method nil method))
         (pathname (and source (definition-source-pathname source)))
         (file (and pathname (native-file-name pathname))))
    (cond ((and pathname (sbcl-source-p pathname)) nil)
          ((and file (null (getf (definition-source-plist source) :evaluation)))
           (multiple-value-bind (text compiled) (source-texts pathname (method-date method source))
             (and compiled (method-definition-in-file method name file source compiled (or text compiled)))))
          (t (evaluated-method-definition method name)))))

(defun method-date (method source)
  "Return the write date of the file of SOURCE at the time when METHOD was compiled. SBCL records it only for the method's function."
  (let ((code (first (sources-of :function nil (method-code method)))))
    (or (and code (definition-source-file-write-date code)) (definition-source-file-write-date source))))

(defun method-definition-in-file (method name file source compiled text)
  "Return the definition of METHOD, of the function NAME, in COMPILED, the text of FILE from which SOURCE's code was compiled. If the same
top-level form is in TEXT, the current text, return that one, because its place is current."
  (let* ((code (first (sources-of :function nil (method-code method))))
         (before (top-of-source source compiled (and code (definition-source-character-offset code))))
         (now (and before (not (eq text compiled)) (same-top compiled before text)))
         (text (if now text compiled))
         (top (or now before)))
    (when top
      (let* ((start (node-start top))
             (*package* (or (find-package (or (read-package-at text start) "")) *package*))
             ;; Reading TEXT can run code after #. in it.
             (form (read-of-users nil (read-from-string text nil nil :start start))))
        (definition-within form method name :old method :package *package* :file file :text text :start start)))))

(defun evaluated-method-definition (method name)
  "Return the definition of METHOD of the function NAME from the code that was evaluated for METHOD or for NAME; NIL if unknown."
  (dolist (key (list (method-key method name) (cons :function name)))
    (multiple-value-bind (form package) (recorded-text-form key)
      (let ((definition (and form
                             (let ((*package* package))
                               (definition-within form method name :old method :package package :start 0
                                                                   :text (event-text (latest-event key)))))))
        (when definition (return definition))))))

(defun definition-within (form method name &rest initargs)
  "Return the definition of METHOD of the function NAME at the top level of FORM, created with INITARGS; NIL if there is none."
  (let ((call nil)) ; (path . form) of the macro call whose expansion is now being searched
    (labels ((look (form path)
               (when (and (consp form) (symbolp (first form)) (ignore-errors (list-length form)))
                 (case (first form)
                   ((progn eval-when locally)
                    (loop for part in (rest form)
                          for index from 1
                          do (look part (append path (list index)))))
                   ((defmethod)
                    (when (and (equal (second form) name) (method-head-p (cddr form) method)) (found form path 0)))
                   ((defgeneric)
                    (when (equal (second form) name)
                      (loop for option in (rest form)
                            for index from 1
                            do (when (and (consp option) (eq (first option) :method) (method-head-p (rest option) method))
                                 (found `(defmethod ,name ,@(rest option)) (append path (list index)) -1)))))
                   (t (let ((expansion (and (null call) (expansion-of-users form))))
                        (when expansion
                          (setf call (cons path form))
                          (look expansion '())
                          (setf call nil)))))))
             (found (form path shift)
               (return-from definition-within
                 (apply #'make-method-definition :form form :path (if call (first call) path) :call (rest call) :shift shift
                                                 initargs))))
      (look form '())
      nil)))

(defun expansion-of-users (form)
  "Return the expansion of FORM if it is a call of a user's macro. Return NIL for any other form, or if the macro fails."
  (let ((operator (first form)))
    (and (macro-function operator)
         (not (needed-by-debugger-p operator))
         (read-of-users nil (macroexpand form)))))

(defun method-head-p (rest method)
  "Return true if REST, (qualifier… specialized-lambda-list . body), belongs to METHOD."
  (let ((at (position-if #'listp rest)))
    (and at
         (equal (subseq rest 0 at) (qualifiers-of method))
         (let ((wanted (specializer-names method)) (required (required-parameters (nth at rest))))
           (and (= (length wanted) (length required))
                (every #'specializes-p required wanted))))))

(defun required-parameters (lambda-list)
  (subseq lambda-list 0 (or (position-if (lambda (each) (member each lambda-list-keywords)) lambda-list) (length lambda-list))))

(defun specializes-p (parameter name)
  "Return true if PARAMETER of a specialized lambda list specializes on NAME. The object of (EQL form) is compared only if the form is
constant."
  (let ((specializer (if (consp parameter) (second parameter) t)))
    (if (and (consp name) (eq (first name) 'eql))
        (and (consp specializer) (eq (first specializer) 'eql)
             (let ((form (second specializer)))
               (or (not (constantp form))
                   (eql (second name) (ignore-errors (eval form))))))
        (eq specializer name))))

;;; The place of a frame in a method compiled for debugging

(defun definition-of-frame (name)
  "Return the definition of the method compiled for debugging to which a frame or function with this NAME belongs, or NIL."
  (when (and *methods-for-debugging* (consp name)
             (member (first name) '(:method sb-pcl::fast-method sb-pcl::slow-method)))
    (find-if (lambda (definition)
               (equal (method-key (definition-old definition) (second name)) (key-of-frame name)))
             *methods-for-debugging*)))

(defun running-form-of-method (definition location)
  "Return the values of RUNNING-FORM for LOCATION in the method of DEFINITION."
  (let* ((text (definition-text definition))
         (top (first (read-nodes text :start (definition-start definition) :features t :count 1)))
         (method (and top (node-at-path top (definition-path definition))))
         ;; The compiler saw the form (LAMBDA () (DECLARE …) (DEFMETHOD …)).
         (inside (rest (form-path (core-debug-source-form (code-location-debug-source location)) location)))
         (path (if (definition-stops definition) (without-stops inside (stops-paths (definition-stops definition))) inside))
         (node (and method
                    (or (and (definition-call definition)
                             (node-of-expanded definition method (code-location-debug-source location) path))
                        (and path (null (definition-call definition))
                             (node-at-path method (cons (+ (first path) (definition-shift definition)) (rest path))))
                        method))))
    (when node
      (if (definition-file definition)
          (form-now (definition-file definition) text top node t)
          (values text top node (line-of-file (code-location-debug-source location) (line-and-column text (node-start node))) t)))))

(defun node-of-expanded (definition node source path)
  "Return the node within NODE for the form at PATH. NODE is the macro call that expanded to the method of DEFINITION. PATH leads into
SOURCE, which is the method as the compiler saw it. If the macro did not copy that form from its call, use the innermost enclosing form that
it did copy. Return NIL if there is none."
  (let ((compiled (find 'defmethod (core-debug-source-form source) :key (lambda (part) (and (consp part) (first part))))))
    (loop for length from (length path) downto 1
          for form = (ignore-errors (form-at compiled (subseq path 0 length)))
          for way = (and (consp form) (path-of-form form (definition-call definition)))
          when way return (node-at-path node way))))

(defun path-of-form (form within)
  "Return the indexes that lead to the list FORM within WITHIN, found by identity; NIL if it is not there."
  (let ((seen (make-hash-table :test #'eq))) ; data in code may be circular
    (labels ((look (part path)
               (cond ((eq part form) (return-from path-of-form (reverse path)))
                     ((consp part)
                      (loop for rest = part then (rest rest)
                            for index from 0
                            while (and (consp rest) (not (gethash rest seen)))
                            do (setf (gethash rest seen) t)
                               (look (first rest) (cons index path)))))))
      (look within '())
      nil)))
