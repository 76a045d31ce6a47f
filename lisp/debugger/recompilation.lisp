;;;; Recompiles a function for debugging, so that all locals are retained and there is a step point at every form. Can also restore the
;;;; original function.

(in-package #:lisp-workbench/debugger)

(defparameter *debugging-policy* '(optimize (debug 3) (speed 1) (space 1) (compilation-speed 1))
  "A declaration for debugging. The compiler inserts step points if DEBUG is higher than each of the other qualities, so this declaration
sets them all, regardless of proclamations.")

(define-run "debug-function" (evaluation request)
  (let ((name (named-function (field request "function"))))
    ;; This does not count as a definition, because the meaning of the function does not change.
    (without-recording
      (if (field request "set")
          (compile-for-debugging name)
          (restore-compiled name)))
    (let ((*package* (find-package '#:common-lisp-user)))
      (object "functions" (array-of (loop for (name) in *compiled-for-debugging* collect (print-short name 300 :lines t)))))))

(defun compile-for-debugging (name)
  (restore-compiled name)
  (when (typep (fdefinition name) 'generic-function)
    (error "~S is a generic function; evaluate its methods to debug them." name))
  (multiple-value-bind (form package from-file) (source-form name)
    (unless form
      (error (if (file-changed-p (file-source name))
                 "The file of ~S has changed since its code was loaded. Load it again to compile the function for debugging."
                 "The source of ~S is not known, so it cannot be compiled again.")
             name))
    (let* ((*package* package)
           (old (fdefinition name))
           ;; Frames of the new function need the place of the text from which the function was evaluated.
           (*source-plist* (if from-file '() (source-plist-of old)))
           ;; If the code comes from a file, its text may have changed since the definition was reviewed.
           (new (funcall (if from-file 'call-as-authors 'call-for-authors)
                         (function-authors old)
                         (lambda ()
                           (compile nil `(lambda () (declare ,*debugging-policy*) ,(named-lambda-form form)))))))
      (note-touched (cons :function name)) ; the sweep must not report this change as a redefinition
      (set-definition name (funcall new))
      (stand-for (fdefinition name) old)
      (push (list* name (fdefinition name) old) *compiled-for-debugging*))))

(defun source-plist-of (function)
  "Return the recorded facts about the evaluation in which FUNCTION was compiled."
  (ignore-errors
   (debug-source-plist (source-of-code function))))

(defun restore-compiled (name)
  "Restore the function NAME as it was before it was compiled for debugging, unless it was redefined in the meantime."
  (let ((entry (assoc name *compiled-for-debugging* :test #'equal)))
    (when entry
      (setf *compiled-for-debugging* (remove entry *compiled-for-debugging*))
      (destructuring-bind (new . old) (rest entry)
        (when (and (fboundp name) (eq new (fdefinition name)))
          (note-touched (cons :function name))
          (set-definition name old))))))

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

(defun source-form (name)
  "Return three values: the DEFUN form of NAME, from its file or from evaluated code; the package in which to read the form; and true if the
form comes from a file. Return NIL if the form is unknown, or if the file has changed, because it may now contain a different function."
  (let* ((source (file-source name))
         (file (and source (not (file-changed-p source)) (existing-file (definition-source-pathname source))))
         (text (and file (file-text file))))
    (if text
        (multiple-value-bind (form package) (form-in-file text name (definition-source-character-offset source))
          (values form package t))
        (evaluated-form name))))

(defun file-source (name)
  "Return SBCL's source location of the function NAME if its file exists; otherwise NIL."
  (let* ((source (known-source :function name (fdefinition name)))
         (pathname (and source (definition-source-pathname source))))
    (and pathname (existing-file pathname) source)))

(defun file-changed-p (source)
  (let ((date (and source (definition-source-file-write-date source))))
    (and date (not (eql date (file-write-date (existing-file (definition-source-pathname source))))))))

(defun form-in-file (text name offset)
  (let* ((symbol (if (consp name) (second name) name))
         (*package* (or (package-at text (or offset 0)) (symbol-package symbol)))
         ;; SBCL's offset points before text that the reader skips, such as #+ code. Reading can run code after #. in TEXT.
         (form (and offset (read-of-users nil (read-from-string text nil nil :start (min offset (length text)))))))
    (when (and (consp form) (member (first form) '(defun)) (equal (second form) name))
      (values form *package*))))

(defun package-at (text offset)
  "Return the package of the last IN-PACKAGE before OFFSET."
  (loop with found = nil
        for start = (search "(in-package" text :test #'char-equal :end2 (min offset (length text)))
          then (search "(in-package" text :test #'char-equal :start2 (1+ start) :end2 (min offset (length text)))
        while start
        do (let* ((end (position #\) text :start start))
                  (name (and end (string-trim " #:'\"" (subseq text (+ start 11) end)))))
             (setf found (or (and name (designated-package name)) found)))
        finally (return found)))

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
        ((assoc name *compiled-for-debugging* :test #'equal) nil)
        ((or (needed-by-debugger-p name) (typep (fdefinition name) 'generic-function)) nil)
        (t (compile-for-debugging name)
           (lambda () (restore-compiled name)))))
