;;;; Guarded threads and code, whose effects outside the image need approval. The folder effects/ determines these effects. This file only
;;;; records which code is guarded, because every part of the engine that starts a thread or runs code must declare whether that code is
;;;; guarded.

(in-package #:lisp-workbench/evaluation)

(defvar *guard* nil
  "True while this thread's effects outside the image need approval. MAIN sets the global value to true, which means that code of unknown
origin, such as a finalizer, counts as an agent's. The engine's own threads and the person's evaluations bind the variable to false.")

(defvar *lends* nil
  "True while this thread runs the person's evaluation or the engine's code. The guard is then off, except in agents' definitions. The
variable is only bound, never assigned.")

(declaim (sb-ext:always-bound *lends*))

(eval-when (:compile-toplevel :load-toplevel :execute)
  ;; The variable is read without a check for a global value. In a thread that does not bind it, the value is neither true nor false.
  (when (following-p)
    (setf (info :variable :wired-tls '*lends*) :always-thread-local)))

(defvar *persons-code* nil
  "True while this thread runs the person's evaluation; false in the engine's own work. Used only if the person's own effects may wait for
approval, see unreviewed.lisp.")

(defvar *may-wait* t
  "False in code that interrupts a thread. This code's effects are denied immediately, because the interrupted thread must continue.")

(defvar *agents-part* nil
  "A cons while ASDF works on a system in this thread; otherwise NIL. Its CAR becomes true when an agent's code, such as a macro, a reader
macro or a method around one of ASDF's, takes part in that work.")

(defun agents-part-p ()
  "Return true if an agent's code has taken part in ASDF's current work in this thread."
  (car *agents-part*))

(defun note-agents-part ()
  (when *agents-part* (setf (car *agents-part*) t)))

(defun compiles-system-p ()
  "Return true while ASDF works in this thread and no agent's code has taken part."
  (and *agents-part* (not (agents-part-p))))

(defvar *evaluation* nil "The evaluation for which this thread works, or NIL. Threads that evaluated code creates inherit the value.")

(sb-ext:defglobal *own-folders* '())    ; (real name . thread) of folders that the engine has just created for its own work in that thread

(defstruct (loading (:copier nil) (:predicate nil) (:constructor make-loading (unseen)))
  "The load of a file. UNSEEN is true if guarded code may have written that file without approval."
  unseen
  (tests nil))                          ; table: number of an entry → its test

(defvar *loading* nil
  "The current load in this thread, or NIL. SBCL's own variables, such as *LOAD-TRUENAME*, are not used, because code can set them.")

(defmacro without-guard (&body body)
  "Run BODY without the guard. BODY is work of the engine in the middle of guarded code, and must not run user code."
  `(let ((*guard* nil) (*lends* t) (*persons-code* nil)) ,@body))

(defmacro with-guard-at-once (&body body)
  "Run BODY, the engine's work on objects of evaluated code, with the guard on. If BODY calls methods of user code, deny their effects
without a request for approval."
  `(let ((*guard* t) (*lends* nil) (*may-wait* nil)) ,@body))

(defmacro read-of-users (fallback &body body)
  "Return the value of BODY, which reads a user's object with functions to which user code may have added methods. Return FALLBACK if such a
method fails."
  `(handler-case (with-guard-at-once ,@body)
     (error () ,fallback)))

;;; The guard is part of the function object, so code that gets the function under any name also gets the guard.

(sb-ext:defglobal *real-functions* (make-weak-map)
  "A function with advice by PUT-AROUND → the function that it replaced. SEAL removes this variable's name.")

(sb-ext:defglobal *arounds* '() "The name of a function → the advice put around it, in the order of installation.")

(defun put-around (name around)
  "Replace the global function NAME with a function that calls AROUND with the previous function and the arguments. The new function has the
same name and lambda list. Unlike with an encapsulation, FDEFINITION returns the new function, and (SETF FDEFINITION) can store it under
another name."
  (let ((known (or (assoc name *arounds* :test #'equal) (first (push (list name) *arounds*)))))
    (setf (rest known) (append (rest known) (list around)))
    (note-remover (lambda ()
                    (setf *arounds* (if (rest (rest known)) *arounds* (remove known *arounds*))
                          (rest known) (remove around (rest known)))
                    (store-function name (associated (fdefinition name) *real-functions*)))))
  (make-guarded name around))

(defun put-around-again ()
  "Install the advice again around functions that were redefined. For example, ASDF redefines UIOP's functions when it upgrades itself."
  (loop for (name . arounds) in *arounds*
        do (when (and (fboundp name)
                      (not (typep (fdefinition name) 'generic-function))
                      (not (nth-value 1 (associated (fdefinition name) *real-functions*))))
             (dolist (around arounds) (make-guarded name around)))))

(defun make-guarded (name around)
  (let* ((real (fdefinition name))
         (function (compile-in-place-of real
                                        `(named-lambda guarded-function (&rest arguments)
                                           (declare (dynamic-extent arguments)
                                                    (optimize (sb-ext:inhibit-warnings 3)) ; the function has no source that the compiler's
                                                                                           ; remarks could refer to
                                                    (sb-ext:muffle-conditions sb-ext:compiler-note warning))
                                           (unless (funcall (the function ,(arguments-test real)) arguments)
                                             (apply (the function ,(arguments-refusal real)) arguments))
                                           (apply (the function ,around) ,real arguments)))))
    (setf (%fun-name function) name)
    (replace-function name function)))

;;; The name of PUT-AROUND's functions in backtraces. It is declaimed as a function because these functions get a source location in another
;;; file, where the compiler would otherwise look for the name.
(declaim (ftype function guarded-function))

(defun compile-in-place-of (real expression)
  "Return the function of the lambda EXPRESSION, compiled in the null lexical environment. SBCL's information about the new function (lambda
list, documentation, type, source, cross references) is the same as for REAL."
  (let ((function (let ((*error-output* (make-broadcast-stream)) (number (source-form-number real)))
                    (if number
                        (compile-in-lexenv expression (make-null-lexenv) nil nil number nil nil)
                        (compile nil expression)))))
    (setf (%fun-lambda-list function) (%fun-lambda-list real))
    (unless (or (lacking "source locations of guarded functions") (not (typep real 'compiled-function)))
      (let ((inner (%fun-fun real)))
        (setf (%simple-fun-source function) (%simple-fun-source inner)
              (%simple-fun-info function) (%simple-fun-info inner))
        (when (source-form-number real)
          (setf (compiled-debug-info-source (%code-debug-info (fun-code-header function)))
                (compiled-debug-info-source (%code-debug-info (fun-code-header inner)))))))
    function))

(defun source-form-number (function)
  "Return the number of the top-level form from which FUNCTION was compiled in its file; NIL if it is unknown or FUNCTION does not come from
a file."
  (unless (lacking "source locations of guarded functions")
    (let ((source (ignore-errors (find-definition-source function))))
      (and source (definition-source-pathname source) (first (definition-source-form-path source))))))

(defun replace-function (name function)
  "Make FUNCTION, which calls the previous function, the global function NAME."
  (setf (associated function *real-functions*) (fdefinition name))
  (store-function name function))

(defun store-function (name function)
  "Make FUNCTION the global function NAME, and preserve SBCL's information about that name. Do not call the redefinition hooks."
  (let ((hooks *setf-fdefinition-hook*)
        (type (known-type name)) (whence (info :function :where-from name)))
    (setf *setf-fdefinition-hook* '())
    (unwind-protect-without-interrupts (sb-ext:without-package-locks (setf (fdefinition name) function))
      (setf *setf-fdefinition-hook* hooks))
    ;; If the new function was not compiled under this name, SBCL clears its information about the name.
    (setf (info :function :where-from name) whence
          (info :function :type name) type)
    function))

(defun known-type (name)
  "Return the type of the function NAME that SBCL knows from a declaration or from the compilation of the function."
  (if (and (not (lacking "source locations of guarded functions"))
           (consp (info :function :source-transform name))) ; this function is the constructor of a structure, and its type comes from the
                                                            ; structure
      (specifier-type (function-type name))
      (info :function :type name)))

(defun keep-types-of-encapsulated ()
  "Preserve the types of all functions with advice. Called once, when the core is built, after all advice has been installed."
  (do-all-symbols (symbol)
    (dolist (name (list symbol `(setf ,symbol)))
      (keep-type-of-encapsulated name))))

(defun keep-type-of-encapsulated (name)
  "Preserve the type that SBCL derived when it compiled the function NAME, if the function is encapsulated. Otherwise SBCL would use the
type of the encapsulation, which takes any arguments."
  (when (and (fboundp name)
             (not (and (symbolp name) (or (macro-function name) (special-operator-p name))))
             (not (eq (fdefinition name) (fdefn-function name)))
             (eq :defined (info :function :where-from name))
             (typep (fdefinition name) '(and compiled-function (not generic-function)))
             (not (lacking "source locations of guarded functions")))
    (setf (info :function :type name) (specifier-type (%simple-fun-type (%fun-fun (fdefinition name)))))))

(defun real-function (function)
  "Return the function that FUNCTION was before the engine put advice around it, so that it can be described, disassembled or located in its
source. SEAL removes the name REAL-FUNCTION, which means that only the engine's own compiled code can call it."
  (loop for real = (associated function *real-functions*)
        while real do (setf function real))
  function)

(defun take-engine-off ()
  "Restore the functions of SBCL, ASDF and SWANK to their state without the engine, for a program that runs without the workbench."
  (setf *setf-fdefinition-hook* '())
  (loop for (name) in *arounds*
        do (when (fboundp name)
             (let ((real (real-function (fdefinition name))))
               (unless (eq real (fdefinition name))
                 (sb-ext:without-package-locks (setf (fdefinition name) real))))))
  (loop for (name . type) in *advice*
        do (when (and (fboundp name) (encapsulated-p name type)) (unencapsulate name type))))

(sb-ext:defglobal *engine-symbols* '()) ; the symbols that SEAL has removed from their packages

(defun engine-symbols ()
  *engine-symbols*)

(defun seal (kept)
  "Remove the engine's symbols, except KEPT, from its packages. Compiled code still uses these symbols, but code that is read from now on
cannot find them, so it can neither bind nor call them. The symbols keep their home package, which means that they are still printed with it
and that package locks still protect them. Called last, when the core is built."
  (let ((packages (remove-if-not #'sealable-p (list-all-packages))))
    (dolist (package packages)
      (let ((own '()))
        (do-symbols (symbol package)
          (when (and (eq package (symbol-package symbol)) (not (member symbol kept))) (pushnew symbol own)))
        (dolist (symbol own)
          ;; Other packages may have imported the symbol.
          (dolist (each packages)
            (when (eq symbol (find-symbol (symbol-name symbol) each)) (unintern symbol each)))
          (%set-symbol-package symbol package))
        (setf *engine-symbols* (append own *engine-symbols*))))))

(defun sealable-p (package)
  "Return true if PACKAGE belongs to the engine and is not the build's package, which is still in use."
  (let ((name (package-name package)))
    (and (eql 0 (search "LISP-WORKBENCH/" name)) (not (equal "LISP-WORKBENCH/BUILD" name)))))
