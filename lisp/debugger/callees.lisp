;;;; Makes "step into" work for functions compiled without debugging. A step can only enter a function that was compiled for stepping.
;;;; Therefore the function that is about to be called, and the functions that it calls, are first compiled for debugging. SBCL stops at
;;;; most calls, but not at calls by FUNCALL, APPLY, SETF and others.

(in-package #:lisp-workbench/debugger)

(defconstant +most-made-steppable+ 50 "The maximum number of functions and methods compiled for one step.")

(defun make-steppable (name &optional (arguments :unknown))
  "Compile for debugging the function NAME and the user's functions that it calls. For a generic function, compile its methods; if ARGUMENTS
are known, only the methods applicable to them. Return a function that restores the original functions."
  (let ((bodies (bodies-of name arguments)))
    (keep-locals (first-of +most-made-steppable+ (append bodies (loop for body in bodies append (callees body)))))))

(defun first-of (count list)
  (subseq list 0 (min count (length list))))

(defun bodies-of (name arguments)
  "Return the functions whose code runs when the function NAME is called with ARGUMENTS: NAME itself, the method that NAME denotes, or the
methods of a generic function in the order in which they are called."
  (let* ((method (and (method-name-p name) (named-method name)))
         (function (and (not (method-name-p name)) (fboundp name) (fdefinition name))))
    (cond ((method-name-p name) (and method (list method)))
          ((not (typep function 'generic-function)) (list name))
          ((listp arguments) (called-methods function arguments))
          (t (read-of-users '() (copy-list (sb-mop:generic-function-methods function)))))))

(defun body-code (body)
  (cond ((typep body 'method) (method-code body))
        ((fboundp body) (fdefinition body))))

(defun callees (body)
  "Return the user's functions that BODY calls, as names or as methods of generic functions."
  (let ((code (body-code body)))
    (when (compiled-function-p code)
      (loop for callee in (function-callees code)
            for name = (if (typep callee 'generic-function) (sb-mop:generic-function-name callee) (%fun-name callee))
            when (and (or (symbolp name) (and (consp name) (eq (first name) 'setf)))
                      (ignore-errors (eq callee (fdefinition name)))
                      (not (needed-by-debugger-p name)))
              append (bodies-of name :unknown)))))

;;; The function that a "step into" enters

(defun prepare-callee (debugger)
  "Make a \"step into\" enter the function that is called where DEBUGGER stopped. This applies until DEBUGGER's evaluation ends. If no step
can stop in that function, record a message about that."
  (let ((condition (debugger-condition debugger)) (evaluation (debugger-evaluation debugger)))
    (typecase condition
      (sb-ext:step-form-condition
       (let* ((callee (callee-name debugger))
              (name (or callee (called-name debugger (sb-ext:step-condition-form condition))))
              (arguments (if callee (sb-ext:step-condition-args condition) :unknown)))
         (when name
           (push (make-steppable name arguments) (evaluation-restorers evaluation))
           (when callee (note-stepped-over callee arguments)))))
      (function-entered
       (let ((name (entered-name condition)) (arguments (entered-arguments condition)))
         (cond ((or (generic-name-p name) (method-name-p name))
                (push (make-steppable name arguments) (evaluation-restorers evaluation))
                (note-stepped-over name arguments))
               ;; The function is compiled when it is called, see STEPPABLE-DEFINITION.
               ((not (source-form name)) (note-stepped-over name arguments))))))))

(defun callee-name (debugger)
  "Return the name of the global function that is called where DEBUGGER stopped at a step; NIL at forms that are compiled inline."
  (let* ((frames (debugger-frames debugger))
         (record (find-if #'step-wrapper-name-p frames
                          :key #'frame-record-name :end (position-if #'relevant-name-p frames :key #'frame-record-name)))
         (callee (and record (ignore-errors (wrapped-callee (frame-record-frame record)))))
         (name (typecase callee
                 (fdefn (fdefn-name callee))
                 (function (%fun-name callee))
                 (symbol callee))))
    (and name (ignore-errors (fboundp name)) name)))

(defun step-wrapper-name-p (name)
  "Return true if NAME names the function that SBCL calls in place of the function that is about to be called when a step stops."
  (and (consp name) (eq (first name) 'lambda)
       (let ((owner (getf (cddr name) :in)))
         (and (symbolp owner) (string= "HANDLE-SINGLE-STEP-AROUND-TRAP" (symbol-name owner))))))

(defun wrapped-callee (frame)
  (do-debug-fun-vars (variable (frame-debug-fun frame))
    (when (string= "CALLEE" (symbol-name (debug-var-symbol variable)))
      (return-from wrapped-callee (debug-var-value variable frame)))))

(defun called-name (debugger form)
  "Return the function that FORM, a form or its text, names at the point where DEBUGGER stopped; NIL if unknown."
  (let* ((frame (find-if #'relevant-name-p (debugger-frames debugger) :key #'frame-record-name))
         (form (if (stringp form)
                   (let ((*read-eval* nil)
                         (*package* (or (and frame (package-of-name (frame-record-name frame))) *package*)))
                     (ignore-errors (read-from-string form)))
                   form)))
    (and (consp form) (symbolp (first form)) (fboundp (first form)) (not (macro-function (first form)))
         (first form))))

;;; Functions in which a step cannot stop

(defun note-stepped-over (name arguments)
  "If a step cannot stop in any code that a call of the function NAME with ARGUMENTS runs, record a message for the person who is stepping."
  (let ((bodies (bodies-of name arguments)))
    (unless (or (null bodies)
                (every #'lisps-own-p bodies)
                (some (lambda (body) (steppable-code-p (body-code body))) bodies))
      (setf *leaving-note* (format nil "~A was stepped over: ~A" (print-short name 200) (why-no-step bodies))))))

(defun lisps-own-p (body)
  (if (typep body 'method)
      (let ((source (known-source :method nil body)))
        (and source (definition-source-pathname source) (sbcl-source-p (definition-source-pathname source))))
      (needed-by-debugger-p body)))

(defun why-no-step (bodies)
  (let ((method (typep (first bodies) 'method)))
    (cond ((some #'compiled-for-debugging-p bodies)
           (format nil "a step cannot stop at any form of ~:[it~;its method~]." method))
          ((every (lambda (body) (typep body 'sb-mop:standard-accessor-method)) bodies)
           "it only reads or writes a slot, and has no forms to stop at.")
          ((some #'body-file-changed-p bodies)
           (format nil "the file of ~:[it~;its method~] has changed since its code was loaded. Load it again to step into it." method))
          (t (format nil "the source of ~:[it~;its method~] is not known, so it cannot be compiled for debugging." method)))))

(defun compiled-for-debugging-p (body)
  (if (typep body 'method)
      (compiled-method-p body)
      (recompiled-function body)))

(defun body-file-changed-p (body)
  (let* ((source (if (typep body 'method) (known-source :method nil body) (file-source body)))
         (pathname (and source (definition-source-pathname source))))
    (and pathname
         (multiple-value-bind (text compiled)
             (source-texts pathname (if (typep body 'method) (method-date body source) (definition-source-file-write-date source)))
           (not (and text (eq text compiled)))))))
