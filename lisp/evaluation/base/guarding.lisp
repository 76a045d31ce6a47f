;;;; The guarded threads and code: whose effects outside the image are asked for. What the effects are is decided in
;;;; effects/; here is only who has them, since every part of the engine that starts a thread or runs code has to say
;;;; so.

(in-package #:lisp-workbench/evaluation)

(defvar *guard* nil
  "True while effects of this thread outside the image must be allowed first. MAIN sets the global value to true: code that nobody vouches
for, such as a finalizer's, counts as an agent's. Bound to false in the engine's own threads and in what the person evaluates.")

(defvar *lends* nil
  "True while this thread runs what the person evaluates, or the engine: the guard is off then, but for what agents defined.
Never assigned, only bound.")

(declaim (sb-ext:always-bound *lends*))

(eval-when (:compile-toplevel :load-toplevel :execute)
  ;; Read without a look at the global value. In a thread that does not bind it, it is neither true nor false.
  (when (following-p)
    (setf (info :variable :wired-tls '*lends*) :always-thread-local)))

(defvar *persons-code* nil
  "True while this thread runs what the person evaluates; false in the engine's own work. It matters only where the person's own effects may
wait, see unreviewed.lisp.")

(defvar *may-wait* t
  "False in code that interrupts a thread: what it tries is denied at once, since that thread must go on.")

(defvar *agents-part* nil
  "A cons while ASDF works on a system in this thread; its CAR becomes true when code of an agent runs in that, such as a macro, a reader macro
or a method around ASDF's. NIL when ASDF does nothing.")

(defun agents-part-p ()
  "True when code of an agent took part in what ASDF does now in this thread."
  (car *agents-part*))

(defun note-agents-part ()
  (when *agents-part* (setf (car *agents-part*) t)))

(defun compiles-system-p ()
  "True while ASDF works in this thread on files that no code of an agent took part in."
  (and *agents-part* (not (agents-part-p))))

(defvar *evaluation* nil "The evaluation for which this thread works; NIL when there is none. Threads made by evaluated code inherit it.")

(sb-ext:defglobal *own-folders* '())    ; (real name . thread) of folders that the engine made just now for its own work

(defstruct (loading (:copier nil) (:predicate nil) (:constructor make-loading (unseen)))
  "A load of a file. UNSEEN is true when guarded code may have written that file without anybody being asked."
  unseen
  (tests nil))                          ; table: number of an entry → its test

(defvar *loading* nil
  "The load that this thread is in; NIL when it is in none. SBCL's own variables, such as *LOAD-TRUENAME*, are not asked, since code can set them.")

(defmacro without-guard (&body body)
  "Run BODY, work of the engine in the midst of guarded code, without the guard. BODY must run none of the user's code."
  `(let ((*guard* nil) (*lends* t) (*persons-code* nil)) ,@body))

(defmacro with-guard-at-once (&body body)
  "Run BODY, work of the engine on objects of evaluated code, with the guard on. Effects of methods that it runs are denied without asking."
  `(let ((*guard* t) (*lends* nil) (*may-wait* nil)) ,@body))

(defmacro read-of-users (fallback &body body)
  "The value of BODY, which reads an object of the code by functions to which the code may have added methods; FALLBACK when one
of them fails."
  `(handler-case (with-guard-at-once ,@body)
     (error () ,fallback)))

;;; The guard is in the function objects: whoever gets hold of a function, by whatever name, gets the one with the guard in it.

(sb-ext:defglobal *real-functions* (make-weak-map)
  "Function with something around it → the one of before. SEAL takes the name away.")

(sb-ext:defglobal *arounds* '() "Name of a function → what was put around it, the first at first.")

(defun put-around (name around)
  "Make the global function NAME one that calls AROUND with the one of before and its arguments. It has the same name and lambda
list. Unlike what an encapsulation does, FDEFINITION gives the new one and (SETF FDEFINITION) can store it elsewhere."
  (let ((known (or (assoc name *arounds* :test #'equal) (first (push (list name) *arounds*)))))
    (setf (rest known) (append (rest known) (list around)))
    (note-remover (lambda ()
                    (setf *arounds* (if (rest (rest known)) *arounds* (remove known *arounds*))
                          (rest known) (remove around (rest known)))
                    (store-function name (associated (fdefinition name) *real-functions*)))))
  (make-guarded name around))

(defun put-around-again ()
  "Put around what has been defined anew whatever was around it before: ASDF that upgrades itself defines UIOP's functions anew."
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
                                                    (optimize (sb-ext:inhibit-warnings 3)) ; it has no source to show
                                                    (sb-ext:muffle-conditions sb-ext:compiler-note warning))
                                           (unless (funcall (the function ,(arguments-test real)) arguments)
                                             (apply (the function ,(arguments-refusal real)) arguments))
                                           (apply (the function ,around) ,real arguments)))))
    (setf (%fun-name function) name)
    (replace-function name function)))

;;; The name of what PUT-AROUND makes in stacks: the compiler, which is told a place in another file, must not look for it there.
(declaim (ftype function guarded-function))

(defun compile-in-place-of (real expression)
  "The function of the lambda EXPRESSION, without variables around it. What SBCL tells of a function (lambda list, documentation,
type, source, callers of others in it) it tells of this one as of REAL."
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
  "The number of the top-level form in the file from which FUNCTION was compiled; NIL when it was not, or cannot be known."
  (unless (lacking "source locations of guarded functions")
    (let ((source (ignore-errors (find-definition-source function))))
      (and source (definition-source-pathname source) (first (definition-source-form-path source))))))

(defun replace-function (name function)
  "Make FUNCTION, which calls the one of before, the global function NAME."
  (setf (associated function *real-functions*) (fdefinition name))
  (store-function name function))

(defun store-function (name function)
  "Make FUNCTION the global function NAME, of which SBCL knows the same as before. No hook learns of a redefinition."
  (let ((hooks *setf-fdefinition-hook*)
        (type (known-type name)) (whence (info :function :where-from name)))
    (setf *setf-fdefinition-hook* '())
    (unwind-protect-without-interrupts (sb-ext:without-package-locks (setf (fdefinition name) function))
      (setf *setf-fdefinition-hook* hooks))
    ;; SBCL forgets what is known of a function that is not compiled by that name.
    (setf (info :function :where-from name) whence
          (info :function :type name) type)
    function))

(defun known-type (name)
  "Return the type of the function NAME as SBCL knows it by declaration or found it when compiling."
  (if (and (not (lacking "source locations of guarded functions"))
           (consp (info :function :source-transform name))) ; a structure's constructor: known by its structure
      (specifier-type (function-type name))
      (info :function :type name)))

(defun keep-types-of-encapsulated ()
  "Called once, when the core is built, after all advice."
  (do-all-symbols (symbol)
    (dolist (name (list symbol `(setf ,symbol)))
      (keep-type-of-encapsulated name))))

(defun keep-type-of-encapsulated (name)
  "Keep what SBCL found of the type of the function NAME when it compiled it, if anything is put around that: SBCL asks the function that
stands in front otherwise, which takes any arguments."
  (when (and (fboundp name)
             (not (and (symbolp name) (or (macro-function name) (special-operator-p name))))
             (not (eq (fdefinition name) (fdefn-function name)))
             (eq :defined (info :function :where-from name))
             (typep (fdefinition name) '(and compiled-function (not generic-function)))
             (not (lacking "source locations of guarded functions")))
    (setf (info :function :type name) (specifier-type (%simple-fun-type (%fun-fun (fdefinition name)))))))

(defun real-function (function)
  "Return FUNCTION as it was before the engine put anything around it, so that it can be described, disassembled or found in its source.
SEAL takes this name away, so that only the engine's own compiled code can call it."
  (loop for real = (associated function *real-functions*)
        while real do (setf function real))
  function)

(defun take-engine-off ()
  "Leave the functions of SBCL, ASDF and SWANK as they are where there is no engine, for a program that runs without the workbench."
  (setf *setf-fdefinition-hook* '())
  (loop for (name) in *arounds*
        do (when (fboundp name)
             (let ((real (real-function (fdefinition name))))
               (unless (eq real (fdefinition name))
                 (sb-ext:without-package-locks (setf (fdefinition name) real))))))
  (loop for (name . type) in *advice*
        do (when (and (fboundp name) (encapsulated-p name type)) (unencapsulate name type))))

(sb-ext:defglobal *engine-symbols* '()) ; the symbols that SEAL has taken out of their packages

(defun engine-symbols ()
  *engine-symbols*)

(defun seal (kept)
  "Take the symbols of the engine, all but KEPT, out of its packages. Compiled code goes on using them; code that is read from now on
finds none of them, by whatever way it looks for names, so it can neither bind nor call them. They still say of which package they
are: they are printed as ever, and its lock holds for them. Called last, when the core is built."
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
  "True when PACKAGE is one of the engine's, but not that of the build, which is still at work."
  (let ((name (package-name package)))
    (and (eql 0 (search "LISP-WORKBENCH/" name)) (not (equal "LISP-WORKBENCH/BUILD" name)))))
