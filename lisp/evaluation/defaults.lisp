;;;; Defaults: the variables of SBCL, UIOP and ASDF that control how code is compiled, printed, loaded and found. Their global values are
;;;; the person's values. Guarded code has its own values: each of its contexts starts with the person's values, and stores the values that
;;;; its code sets. A variable that its code has not set keeps following the person's value.

(in-package #:lisp-workbench/evaluation)

(defparameter *compiler-defaults* '(*policy* *policy-min* *policy-max* *macro-policy* *handled-conditions* *disabled-package-locks*)
  "Variables that PROCLAIM and SB-EXT:RESTRICT-COMPILER-POLICY set.")

(defparameter *packages-of-defaults* '("COMMON-LISP" "SB-EXT" "SB-DEBUG" "SB-ALIEN" "ASDF/" "UIOP/")
  "Names of packages, or prefixes of such names, whose variables are defaults.")

(defparameter *facts-of-image*
  '("*GC-RUN-TIME*" "*GC-REAL-TIME*" "*STEPPER-HOOK*" "*IN-THE-DEBUGGER*" "*STACK-TOP-HINT*" "*COMPILE-FILE-PATHNAME*" "*COMPILE-FILE-TRUENAME*"
    "*LOAD-PATHNAME*" "*LOAD-TRUENAME*" "*CLEAR-CONFIGURATION-HOOK*" "*IMAGE-DUMP-HOOK*" "*IMAGE-RESTORE-HOOK*" "*IMAGE-RESTORED-P*"
    "*IMAGE-DUMPED-P*" "*IMAGE-ENTRY-POINT*" "*IMAGE-PRELUDE*" "*IMAGE-POSTLUDE*" "*POST-UPGRADE-CLEANUP-HOOK*" "*ASDF-SESSION*"
    "*OPERATIONS*" "*REGISTERED-SYSTEMS*" "*PRELOADED-SYSTEMS*" "*PACKAGE-INFERRED-SYSTEMS*" "*OLD-ASDF-SYSTEMS*" "*IMMUTABLE-SYSTEMS*" "*MODULES-BEING-REQUIRED*" "*IN-MAKE-OPERATION*" "*ASDF-VERSION*" "*UIOP-VERSION*" "*PREVIOUS-ASDF-VERSIONS*"
    "*ALL-PACKAGE-HAPPINESS*" "*ALL-PACKAGE-FISHINESS*")
  "Variables of those packages that are not defaults, because they describe the image or the work of a thread.")

(defparameter *gathered-lists*
  '(*features* *modules* sb-ext:*module-provider-functions* asdf:*system-definition-search-functions* asdf:*central-registry*)
  "Lists to which all code adds elements. A context stores only the elements that its own code has added to and removed from such a list.")

(defparameter *lists-of-libraries*
  '(*features* *modules* sb-ext:*module-provider-functions* asdf:*system-definition-search-functions*)
  "Lists that specify which libraries the image has. If guarded code loads a file that adds elements, these are appended for all contexts.")

(sb-ext:defglobal *default-variables* '()) ; the default variables; the variables of *GATHERED-LISTS* come first

;;; Functions that are compiled when the core is built, for speed: each evaluation of an agent processes all variables twice.
(sb-ext:defglobal *binder* nil)         ; calls a function with the default variables bound to a list of values
(sb-ext:defglobal *global-reader* nil)  ; returns the list of the variables' global values
(sb-ext:defglobal *present-reader* nil) ; returns the list of the variables' current values, with *UNBOUND* for an unbound variable
(sb-ext:defglobal *unbound* (list nil))

(defun install-defaults ()
  "Find the default variables, and compile the functions that bind and read them. Called once, when the core is built."
  (let ((variables (remove-if-not (lambda (variable) (and (boundp variable) (eq :special (info :variable :kind variable)))) *compiler-defaults*)))
    (dolist (package (list-all-packages))
      (when (default-package-p (package-name package))
        (do-symbols (symbol package)
          (when (and (eq package (symbol-package symbol)) (default-variable-p symbol)) (pushnew symbol variables)))))
    (setf variables (append *gathered-lists* (remove-if (lambda (each) (member each *gathered-lists*)) variables)))
    (setf *default-variables* variables
          *binder* (let ((names (mapcar (lambda (variable) (gensym (symbol-name variable))) variables)))
                     (compile nil `(lambda (kept work)        ; the parameters are the engine's symbols, so that backtraces omit this frame
                                     (destructuring-bind ,names kept
                                       (let ,(mapcar #'list variables names)
                                         (funcall work))))))
          *global-reader* (compile nil `(lambda ()
                                          (list ,@(mapcar (lambda (each) `(sb-ext:symbol-global-value ',each)) variables))))
          *present-reader* (compile nil `(lambda ()
                                           (list ,@(mapcar (lambda (each) `(if (boundp ',each) (symbol-value ',each) *unbound*))
                                                           variables)))))))

(defun default-package-p (name)
  (some (lambda (beginning)
          (let ((end (mismatch beginning name)))
            (or (null end) (and (eql end (length beginning)) (find #\/ beginning)))))
        *packages-of-defaults*))

(defun default-variable-p (symbol)
  (let ((name (symbol-name symbol)))
    (and (eq :special (info :variable :kind symbol))
         (boundp symbol)
         (eql 0 (position #\* name))
         (> (length name) 3)            ; excludes *, ** and ***
         (not (search "-NOTIFIED-P" name))
         (not (member name *facts-of-image* :test #'string=))
         (not (member symbol *inherited-variables*))
         (not (member symbol *stream-variables*)))))

;;; A context has an alist of its own values: variable → value; for the lists to which all code adds elements, variable → (added . removed).

(defun default-in-context (context variable)
  "Return two values: CONTEXT's own value of VARIABLE, and true. If CONTEXT has no own value, return NIL and NIL."
  (let ((own (assoc variable (context-defaults context))))
    (if own (values (own-value variable own) t) (values nil nil))))

(defun own-value (variable own)
  "Return the value of VARIABLE in a context. OWN is the context's entry for VARIABLE, or NIL if there is no entry."
  (let ((persons (global-value variable)))
    (cond ((not (and (member variable *gathered-lists*) (proper-list-p persons)))
           (cond (own (rest own))
                 ((member variable *compiler-defaults*) persons)
                 (t (copied persons))))
          (own (destructuring-bind (added . removed) (rest own)
                 (append added (remove-if (lambda (each) (or (known-p each removed) (known-p each added))) persons))))
          (t (copy-list persons)))))    ; a copy, because code may change the list in place

(defun global-value (variable)
  "Return the global value of VARIABLE; NIL if the person has made it unbound."
  (ignore-errors (sb-ext:symbol-global-value variable)))

(defun global-values ()
  "Return a fresh list of the global values of all default variables."
  (handler-case (funcall (the function *global-reader*))
    (error () (mapcar #'global-value *default-variables*))))

(defun copied (object &optional (depth 4))
  "Return OBJECT. If it is a list, copy it and the lists in it, because code may change a default in place."
  (if (and (consp object) (plusp depth) (proper-list-p object))
      (mapcar (lambda (each) (copied each (1- depth))) object)
      object))

(defun proper-list-p (object)
  (and (listp object) (ignore-errors (list-length object)) t))

(defun known-p (item list)
  "Return true if ITEM is in LIST. Lists are compared only by identity, because lists made by user code may be circular."
  (member item list :test (if (or (stringp item) (pathnamep item)) #'equal #'eql)))

(defun defaults-of (context)
  "Return the values of all default variables in CONTEXT. If CONTEXT is NIL, return the values for a new context."
  (let ((own (and context (context-defaults context))))
    (unless (assoc '*random-state* own) ; each use of a random state changes it, so the context needs its own
      (push (cons '*random-state* (make-random-state (sb-ext:symbol-global-value '*random-state*))) own)
      (when context (setf (context-defaults context) own)))
    (let ((values (global-values)))
      (loop for variable in *gathered-lists*
            for place on values
            do (setf (first place) (own-value variable (assoc variable own))))
      (loop for variable in *default-variables*
            for place on values
            do (when (and (consp (first place)) (not (member variable *gathered-lists*)) (not (member variable *compiler-defaults*)))
                 (setf (first place) (copied (first place)))))
      (loop for (variable . value) in own
            unless (member variable *gathered-lists*)
              do (setf (nth (position variable *default-variables*) values) value))
      values)))

(defun call-with-defaults (values function)
  "Call FUNCTION with the default variables bound to VALUES. If VALUES is NIL, do not bind them."
  (if values
      (funcall (the function *binder*) values function)
      (funcall function)))

(defun call-with-fresh-defaults (function)
  "Call FUNCTION, guarded code that interrupts a thread of other code, with defaults that are discarded when it returns."
  (call-with-defaults (defaults-of nil) function))

(defun call-with-defaults-of (id function)
  "Call FUNCTION, a look-up. If the context ID has its own defaults, bind them during the call."
  (let ((context (and id (find-context id))))
    (call-with-defaults (and context (context-defaults context) (defaults-of context)) function)))

(defun keep-defaults (context before)
  "Store in CONTEXT the values of those default variables whose values differ from BEFORE."
  (loop for variable in *default-variables*
        for value in before
        for now in (funcall (the function *present-reader*))
        for gathered = *gathered-lists* then (rest gathered)
        do (cond ((eq now *unbound*))
                 (gathered (keep-gathered context variable now))
                 ((not (eq now value)) (keep-default context variable now)))))

(defun keep-default (context variable own)
  (let ((entry (assoc variable (context-defaults context))))
    (if entry
        (setf (rest entry) own)
        (push (cons variable own) (context-defaults context)))))

(defun keep-gathered (context variable now)
  (let ((persons (sb-ext:symbol-global-value variable)) (entry (assoc variable (context-defaults context))))
    (when (and (proper-list-p now) (proper-list-p persons)
               (or entry (not (and (= (length now) (length persons)) (every #'eq now persons)))))
      (keep-default context variable
                    (cons (remove-if (lambda (each) (known-p each persons)) now)
                          (remove-if (lambda (each) (known-p each now)) persons))))))

(defun call-sharing-libraries (unseen function)
  "Call FUNCTION, which loads a file. If guarded code loads the file, append the elements that the file adds to the lists of libraries for
all contexts. Otherwise the next actor that loads the library would not get these elements, because the library is already loaded. If UNSEEN
is true, the file was written without approval and does not count as a library."
  (if (or unseen (not *guard*))
      (funcall function)
      (let ((before (mapcar #'symbol-value *lists-of-libraries*)))
        (multiple-value-prog1 (funcall function)
          (loop for variable in *lists-of-libraries*
                for known in before
                do (sound (share-added variable known (symbol-value variable))))))))

(defun share-added (variable known now)
  (let ((persons (sb-ext:symbol-global-value variable)))
    (when (and (not (eq now known)) (not (eq now persons)))
      (let ((added (remove-if (lambda (each) (or (known-p each known) (known-p each persons))) now)))
        (when added
          (setf (sb-ext:symbol-global-value variable) (append persons added)))))))

;;; Floating point traps and rounding. These modes belong to a thread, but a thread evaluates for all clients.

(sb-ext:defglobal *float-modes* nil)    ; the person's modes; NIL before the first evaluation

(defun float-modes ()
  "Return the floating point modes of this thread, without the flags that each operation sets."
  (dpb 0 float-sticky-bits (floating-point-modes)))

(defun enter-float-modes (context)
  "Set this thread's floating point modes to those of CONTEXT. If CONTEXT is NIL or stores no modes, set the person's modes."
  (unless (lacking "floating point modes of each client")
    (unless *float-modes* (setf *float-modes* (float-modes)))
    (setf (floating-point-modes) (or (and context (context-float-modes context)) *float-modes*))))

(defun keep-float-modes (context)
  "Store this thread's floating point modes. If CONTEXT is NIL, store them as the person's; otherwise store them in CONTEXT if its code has
changed them."
  (unless (lacking "floating point modes of each client")
    (let ((modes (float-modes)))
      (cond ((null context) (setf *float-modes* modes))
            ((not (eql modes *float-modes*)) (setf (context-float-modes context) modes))
            ((context-float-modes context) (setf (context-float-modes context) nil))))))
