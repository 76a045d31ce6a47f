;;;; One function compiled again so that it can be debugged: all locals, every form a step. And back to what it was.

(in-package #:lisp-workbench/debugger)

(sb-ext:defglobal *compiled-for-debugging* '()) ; (name new . old)

(define-run "debug-function" (evaluation request)
  (let ((name (named-function (field request "function"))))
    (if (field request "set")
        (compile-for-debugging name)
        (restore-compiled name))
    (let ((*package* (find-package '#:common-lisp-user)))
      (object "functions" (array-of (loop for (name) in *compiled-for-debugging* collect (print-short name 300)))))))

(defun compile-for-debugging (name)
  (restore-compiled name)
  (when (typep (fdefinition name) 'generic-function)
    (error "~S is a generic function; evaluate its methods to debug them." name))
  (multiple-value-bind (form package) (source-form name)
    (unless form (error "The source of ~S is not known, so it cannot be compiled again." name))
    (let* ((*package* package)
           (old (fdefinition name))
           (new (compile nil `(lambda () (declare (optimize (debug 3))) ,(named-lambda-form form)))))
      (setf (fdefinition name) (funcall new))
      (push (list* name (fdefinition name) old) *compiled-for-debugging*))))

(defun restore-compiled (name)
  "Nothing to do when the function was redefined meanwhile."
  (let ((entry (assoc name *compiled-for-debugging* :test #'equal)))
    (when entry
      (setf *compiled-for-debugging* (remove entry *compiled-for-debugging*))
      (destructuring-bind (new . old) (rest entry)
        (when (and (fboundp name) (eq new (fdefinition name)))
          (setf (fdefinition name) old))))))

(defun named-lambda-form (form)
  "(DEFUN NAME LAMBDA-LIST . BODY) as a function that knows its name."
  (destructuring-bind (name lambda-list &rest body) (rest form)
    (multiple-value-bind (leading forms) (leading-declarations body)
      `(named-lambda ,name ,lambda-list
         ,@leading
         (block ,(if (consp name) (second name) name) ,@forms)))))

(defun leading-declarations (body)
  (loop for rest on body
        while (or (and (consp (first rest)) (eq (first (first rest)) 'declare))
                  (and (stringp (first rest)) (rest rest)))
        collect (first rest) into leading
        finally (return (values leading rest))))

(defun source-form (name)
  "The DEFUN form of NAME, from its file or from what was evaluated, and the package in which to read it; NIL when unknown."
  (let* ((source (known-source :function name (fdefinition name)))
         (pathname (and source (definition-source-pathname source)))
         (file (and pathname (existing-file pathname)))
         (text (and file (file-text file))))
    (if text
        (form-in-file text name (definition-source-character-offset source))
        (evaluated-form name))))

(defun form-in-file (text name offset)
  (let* ((symbol (if (consp name) (second name) name))
         (*package* (or (package-at text (or offset 0)) (symbol-package symbol)))
         (start (and offset (position #\( text :start (min offset (length text)))))
         (form (and start (ignore-errors (read-from-string text nil nil :start start)))))
    (when (and (consp form) (member (first form) '(defun)) (equal (second form) name))
      (values form *package*))))

(defun package-at (text offset)
  "The package of the last IN-PACKAGE before OFFSET."
  (loop with found = nil
        for start = (search "(in-package" text :test #'char-equal :end2 (min offset (length text)))
          then (search "(in-package" text :test #'char-equal :start2 (1+ start) :end2 (min offset (length text)))
        while start
        do (let* ((end (position #\) text :start start))
                  (name (and end (string-trim " #:'\"" (subseq text (+ start 11) end)))))
             (setf found (or (and name (designated-package name)) found)))
        finally (return found)))

(defun evaluated-form (name)
  (let ((form (ignore-errors
               (core-debug-source-form
                (code-location-debug-source
                 (debug-fun-start-location (fun-debug-fun (fdefinition name))))))))
    (when (and (consp form) (equal (second form) name))
      (let ((symbol (if (consp name) (second name) name)))
        (values (list* 'defun (rest form)) (or (symbol-package symbol) *package*))))))
