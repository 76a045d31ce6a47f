;;;; Recompiles a function for debugging, so that all locals are retained and there is a step point at every form. Can also restore the
;;;; original function.

(in-package #:lisp-workbench/debugger)

(defparameter *debugging-policy* '(optimize (debug 3) (speed 1) (space 1) (compilation-speed 1))
  "A declaration for debugging. The compiler inserts step points if DEBUG is higher than each of the other qualities, so this declaration
sets them all, regardless of proclamations.")

(define-run "debug-function" (evaluation request)
  (let ((name (named-function (field request "function"))) (note nil))
    ;; This does not count as a definition, because the meaning of the function does not change, except if its file has changed, which NOTE
    ;; then says.
    (without-recording
      (if (field request "set")
          (setf note (redefinition-note (compile-for-debugging name :current t)))
          (restore-compiled name)))
    (let ((*package* (find-package '#:common-lisp-user)))
      (object "functions" (array-of (loop for each in *compiled-for-debugging* collect (print-short (recompiled-name each) 300 :lines t)))
              "note" note))))

(defun redefinition-note (recompiled)
  "Return a sentence for the person if RECOMPILED contains another definition than the one that was loaded; otherwise NIL."
  (let ((origin (recompiled-origin recompiled)))
    (and origin (origin-newer origin)
         (format nil "The file of ~A has changed since its code was loaded. The definition that is now in the file was compiled."
                 (print-short (recompiled-name recompiled) 200)))))

(defun compile-for-debugging (name &key current)
  "Compile the function NAME for debugging. Return the RECOMPILED function. If its definition in its file has changed since its code was
loaded, compile the loaded definition, or with CURRENT the one that is now in the file."
  (restore-compiled name)
  (when (typep (fdefinition name) 'generic-function)
    (error "~S is a generic function; evaluate its methods to debug them." name))
  (multiple-value-bind (form package origin) (source-form name :current current)
    (unless form (error (why-no-source-form name) name))
    (let* ((*package* package)
           (old (fdefinition name))
           ;; Frames of the new function need the place of the text from which the function was evaluated.
           (*source-plist* (if origin '() (source-plist-of old)))
           (stops (and (breakpoint-of name)
                       (multiple-value-bind (text definition) (text-of-form name origin) (with-stops form name text definition))))
           ;; If the code comes from a file, its text may have changed since the definition was reviewed.
           (new (funcall (if origin 'call-as-authors 'call-for-authors)
                         (function-authors old)
                         (lambda ()
                           (compile nil `(lambda () (declare ,*debugging-policy*)
                                           ,(named-lambda-form (if stops (stops-form stops) form))))))))
      (note-touched (cons :function name)) ; the sweep must not report this change as a redefinition
      (set-definition name (funcall new))
      (stand-for (fdefinition name) old)
      (first (push (make-recompiled :name name :new (fdefinition name) :old old :origin origin :stops stops)
                   *compiled-for-debugging*)))))

(defun why-no-source-form (name)
  "Return a sentence, a format control with NAME as its argument, that explains why SOURCE-FORM found no form."
  (let* ((source (file-source name)) (changed (and source (source-changed-p source)))
         (form (and source (form-of-key (cons :function name) (source-texts (definition-source-pathname source) nil)))))
    (cond ((and form (enclosing-operator form))
           (concatenate 'string "The definition of ~S is inside " (enclosing-operator form) ", so it cannot be compiled separately."))
          ((and changed form)
           "The file of ~S has changed since its code was loaded. Load it again, or recompile the function for debugging.")
          (changed "The file of ~S has changed since its code was loaded, and its definition was not found there.")
          (t "The source of ~S is not known, so it cannot be compiled again."))))

(defun source-plist-of (function)
  "Return the recorded facts about the evaluation in which FUNCTION was compiled."
  (ignore-errors
   (debug-source-plist (source-of-code function))))

(defun restore-compiled (name)
  "Restore the function NAME as it was before it was compiled for debugging, unless it was redefined in the meantime."
  (let ((entry (recompiled-function name)))
    (when entry
      (setf *compiled-for-debugging* (remove entry *compiled-for-debugging*))
      (when (and (fboundp name) (eq (recompiled-new entry) (fdefinition name)))
        (note-touched (cons :function name))
        (set-definition name (recompiled-old entry))))))

(defun set-definition (name function)
  "Make FUNCTION the definition of NAME; encapsulations of NAME remain around it."
  (setf (fdefinition name) function)
  (keep-type-of-encapsulated name))

(defun named-lambda-form (form)
  "Return (DEFUN NAME LAMBDA-LIST . BODY) as a NAMED-LAMBDA form."
  (destructuring-bind (name lambda-list &rest body) (rest form)
    (multiple-value-bind (leading forms) (leading-declarations body)
      `(named-lambda ,name ,lambda-list
         ,@(mapcar #'without-optimization leading)
         (block ,(if (consp name) (second name) name) ,@forms)))))

(defun without-optimization (form)
  "Return FORM, a documentation string or a DECLARE form, without optimization qualities, which would override the debugging policy."
  (if (consp form)
      (cons 'declare (remove-if (lambda (each) (and (consp each) (eq (first each) 'optimize))) (rest form)))
      form))

(defun leading-declarations (body)
  (loop for rest on body
        while (or (and (consp (first rest)) (eq (first (first rest)) 'declare))
                  (and (stringp (first rest)) (rest rest)))
        collect (first rest) into leading
        finally (return (values leading rest))))

(defun source-form (name &key current)
  "Return three values: the DEFUN form of NAME, from its file or from evaluated code; the package in which to read the form; and its ORIGIN
if it comes from a file. If the definition in the file has changed since its code was loaded, the form is the loaded one, or with CURRENT
the one that is now in the file. Return NIL if the form is unknown."
  (let ((source (file-source name)))
    (if source
        (form-from-file name source current)
        (evaluated-form name))))

(defun file-source (name)
  "Return SBCL's source location of the function NAME if its code was loaded from a file whose text is known; otherwise NIL."
  (let* ((source (known-source :function name (fdefinition name)))
         (pathname (and source (definition-source-pathname source))))
    (and pathname
         (null (getf (definition-source-plist source) :evaluation))
         (multiple-value-bind (text compiled) (source-texts pathname (definition-source-file-write-date source))
           (or text compiled))
         source)))

(defun form-from-file (name source current)
  "Return the values of SOURCE-FORM for the function NAME, which was loaded from the file of SOURCE."
  (multiple-value-bind (text compiled file) (source-texts (definition-source-pathname source) (definition-source-file-write-date source))
    (let* ((key (cons :function name))
           (before (and compiled (form-of-key key compiled)))
           (now (and text (form-of-key key text)))
           (same (and before now (string= (form-tokens before) (form-tokens now))))
           (chosen (if (or same (and current now)) now before)))
      (when (and chosen (null (enclosing-operator chosen)))
        (let* ((package (or (find-package (or (read-package-at (file-form-text chosen) (node-start (file-form-node chosen))) ""))
                            (symbol-package (breakpoint-symbol name))))
               ;; Reading can run code after #. in the text.
               (form (let ((*package* package))
                       (read-of-users nil (read-from-string (file-form-text chosen) nil nil :start (node-start (file-form-node chosen)))))))
          (when (and (consp form) (eq (first form) 'defun) (equal (second form) name))
            (values form package
                    (make-origin :file file :text (file-form-text chosen) :definition (file-form-node chosen) :form form
                                 :newer (and current (not same) (not (eq chosen before)))))))))))

(defun enclosing-operator (form)
  "Return the name of the operator around FORM, a FILE-FORM, that may give names in it another meaning, such as LET; NIL if there is none."
  (let* ((node (file-form-node form)) (top (top-around (file-form-text form) node)))
    (loop for around in (nodes-around (list top) (1+ (node-start node)))
          until (= (node-start around) (node-start node))
          thereis (and (not (member (operator-name around) '("PROGN" "EVAL-WHEN" "WHEN" "UNLESS") :test #'equal))
                       (or (operator-name around) "another form")))))

(defun evaluated-form (name)
  "Return the DEFUN form of NAME as it was evaluated: SBCL's own copy if it has one, otherwise the text recorded with the definition."
  (let ((form (ignore-errors
               (core-debug-source-form (source-of-code (fdefinition name))))))
    (when (and (consp form) (eq (first form) 'lambda)) ; the function is already compiled for debugging
      (setf form (find-if (lambda (part) (and (consp part) (eq (first part) 'named-lambda))) form)))
    (if (and (consp form) (equal (second form) name))
        (let ((symbol (if (consp name) (second name) name)))
          (values (list* 'defun (without-block form)) (or (symbol-package symbol) *package*)))
        (recorded-form (cons :function name) 'defun))))

(defun without-block (form)
  "Return (name lambda-list . body) of FORM, a NAMED-LAMBDA, without the block that DEFUN put around the body."
  (destructuring-bind (name lambda-list &rest body) (rest form)
    (multiple-value-bind (leading forms) (leading-declarations body)
      (let ((block (and (null (rest forms)) (first forms))))
        (list* name lambda-list
               (if (and (consp block) (eq (first block) 'block))
                   (append leading (cddr block))
                   body))))))

(defun recorded-form (key operator)
  "Return two values: the form of OPERATOR that was evaluated for the definition KEY, and the package in which it was read; NIL if unknown."
  (multiple-value-bind (form package) (recorded-text-form key)
    (when (and (consp form) (eq (first form) operator))
      (values form package))))

(defun recorded-text-form (key)
  "Return two values: the top-level form that was evaluated for the definition KEY, and the package in which it was read; NIL if unknown."
  (let* ((event (latest-event key))
         (package (and event (event-text event) (designated-package (or (event-read-package event) "")))))
    (when package
      (values (let ((*package* package) (*read-eval* nil))
                (ignore-errors (read-from-string (event-text event))))
              package))))

;;; Locals on demand: evaluated code is compiled as in plain SBCL, which keeps few locals. Before failed code is evaluated again to inspect
;;; it, the functions of its frames are compiled for debugging.

(defun keep-locals (names)
  "Compile NAMES for debugging. NAMES contains functions and methods, by their names in frames, or method objects. Return a function that
restores the originals."
  (let ((restorers (loop for name in names
                         for restorer = (ignore-errors (without-recording (keep-locals-of name)))
                         when restorer collect restorer)))
    (lambda ()
      (dolist (restorer restorers)
        (ignore-errors (without-recording (funcall restorer)))))))

(defun keep-locals-of (name)
  (cond ((typep name 'method) (compile-method-for-debugging name))
        ((and (consp name) (eq (first name) :method)) (keep-locals-of-method name))
        ((recompiled-function name) nil)
        ((or (needed-by-debugger-p name) (typep (fdefinition name) 'generic-function)) nil)
        (t (compile-for-debugging name)
           (lambda () (restore-compiled name)))))
