;;;; The tracker: SBCL's functions behind DEFUN and the like are encapsulated once, when the core is built. What they do is
;;;; recorded with what was there before. The sweep finds the rest.

(in-package #:lisp-workbench/definitions)

(defvar *recording* t "NIL within a definition that is being recorded, and where nothing shall be.")
(defvar *form-text* nil "(text . package name) of the form that this thread evaluates, where the evaluation does not know it.")

(sb-ext:defglobal *structure* nil)      ; (thread function-names . event) of the latest structure: its functions follow
(sb-ext:defglobal *source-names* '(nil)) ; (truename of a fasl . its source file), as a function of it told
(sb-ext:defglobal *latest-text* (list nil nil nil nil)) ; evaluation, position, text, package: a form often defines more than once

(defmacro without-recording (&body body)
  `(let ((*recording* nil)) ,@body))

(defmacro tracking (name lambda-list key)
  "Record what NAME does to KEY, a form of the variables of LAMBDA-LIST."
  `(encapsulate ',name 'lisp-workbench-definitions
                (lambda (original &rest arguments)
                  (if *recording*
                      (call-recorded (destructuring-bind ,lambda-list arguments
                                       (declare (ignorable ,@(remove-if (lambda (each) (member each lambda-list-keywords))
                                                                        lambda-list)))
                                       ,key)
                                     original arguments)
                      (apply original arguments)))))

(defun install-tracker ()
  "Called once, when the core is built. Half of it would do harm: where something is missing the sweep alone finds what changed."
  (unless (lacking "recording definitions as they are made")
    (track-definitions))
  (pushnew 'drop-values-under-pressure sb-ext:*after-gc-hooks*))

(defun track-definitions ()
  (tracking %defmacro (name &rest more) (cons :function name))
  (tracking %define-compiler-macro (name &rest more) (cons :compiler-macro name))
  (tracking %defvar (name &rest more) (cons :variable name))
  (tracking %defparameter (name &rest more) (cons :variable name))
  (tracking %defglobal (name &rest more) (cons :variable name))
  (tracking %defconstant (name &rest more) (cons :variable name))
  (tracking %define-symbol-macro (name &rest more) (cons :variable name))
  (tracking %deftype (name &rest more) (cons :type name))
  (tracking %defsetf (name &rest more) (cons :setf-expander name))
  (tracking %defpackage (name &rest more) (cons :package (string name)))
  (tracking make-package (name &rest more) (cons :package (string name)))
  (tracking load-defgeneric (name &rest more) (cons :function name))
  (tracking load-short-defcombin (name &rest more) (cons :method-combination name))
  (tracking load-long-defcombin (name &rest more) (cons :method-combination name))
  (encapsulate '%defun 'lisp-workbench-definitions #'record-defun)
  (encapsulate '%defstruct 'lisp-workbench-definitions #'record-defstruct)
  (encapsulate 'load-defclass 'lisp-workbench-definitions #'record-defclass)
  (encapsulate '%define-condition 'lisp-workbench-definitions #'record-define-condition)
  (encapsulate 'load-defmethod 'lisp-workbench-definitions #'record-defmethod)
  (encapsulate 'fmakunbound 'lisp-workbench-definitions #'record-fmakunbound)
  (encapsulate 'makunbound 'lisp-workbench-definitions #'record-makunbound)
  (encapsulate 'unintern 'lisp-workbench-definitions #'record-unintern)
  (encapsulate 'delete-package 'lisp-workbench-definitions #'record-delete-package)
  (encapsulate 'remove-method 'lisp-workbench-definitions #'record-remove-method)
  (pushnew #'record-set-fdefinition *setf-fdefinition-hook*))

(defun drop-values-under-pressure ()
  (when (> (* 100 (dynamic-usage)) (* 35 (sb-ext:dynamic-space-size)))
    (drop-variable-values)))

(defun call-recorded (key function arguments &optional (parts '()))
  "The values of FUNCTION. PARTS are keys that it defines along with KEY."
  (if (recordable-p key)
      (let ((before (capture key))
            (part-states (mapcar (lambda (part) (cons part (capture part))) parts)))
        (multiple-value-prog1 (without-recording (apply function arguments))
          (record-event key before :parts part-states)))
      (without-recording (apply function arguments))))

(defun recordable-p (key)
  "Names that nobody could speak of are left out, and what SBCL makes for itself under names such as (SB-PCL::CTOR …)."
  (or (eq (car key) :package)
      (let ((symbol (key-symbol key)))
        (and symbol (symbol-package symbol)
             (or (symbolp (cdr key))
                 (eq (car key) :method)
                 (and (eq (first (cdr key)) 'setf) (null (cddr (cdr key)))))))))

(defun record-event (key before &key parts undoes (after (capture key)) text read-package like name-text)
  "Keep that KEY was changed from the state BEFORE to what it is now. LIKE is an event whose place and text are this one's."
  (let ((evaluation *evaluation*) (plist *source-plist*)
        (operation (cond ((null before) "defined") ((or after (eq (car key) :method-combination)) "redefined") (t "removed"))))
    (multiple-value-bind (form-text form-package cost)
        (cond (like (values (event-text like) (event-read-package like) 0))
              (text (values text read-package (length text)))
              (t (current-form-text evaluation)))
      (multiple-value-bind (file offset line)
          (if like
              (values (event-file like) (event-offset like) (event-line like))
              (current-place plist form-text key after))
        (keep-event (make-event :kind (state-kind (or after before '(:method-combination)))
                                :key key
                                :package (key-package key)
                                :operation operation
                                :actor (or (getf plist :actor) (and evaluation (evaluation-actor evaluation)))
                                :evaluation (or (getf plist :evaluation) (and evaluation (evaluation-id evaluation)))
                                :time (unix-milliseconds)
                                :file file :offset offset :line line
                                :text form-text :read-package form-package :text-cost cost
                                :before before :parts parts :undoes undoes :name-text name-text)
                    (not (loading-system-p evaluation)))))))

(defun loading-system-p (evaluation)
  (and evaluation *load-truename*
       (equal "load-system" (field (evaluation-request evaluation) "op"))))

(defun unix-milliseconds ()
  (multiple-value-bind (seconds microseconds) (sb-ext:get-time-of-day)
    (+ (* 1000 seconds) (floor microseconds 1000))))

(defun current-form-text (evaluation)
  "Text, package in which it was read, and how many characters are new; NIL, NIL and 0 for what comes from a file."
  (cond (*load-truename* (values nil nil 0))
        (*form-text* (values (car *form-text*) (cdr *form-text*) 0))
        ((null evaluation) (values nil nil 0))
        (t (multiple-value-bind (position get-text) (evaluation-form-text evaluation)
             (if position
                 (text-at evaluation position get-text)
                 (values nil nil 0))))))

(defun text-at (evaluation position get-text)
  (destructuring-bind (known-evaluation known-position text package) *latest-text*
    (if (and (eq known-evaluation evaluation) (eql known-position position))
        (values text package 0)
        (let ((text (funcall get-text)) (package (package-name (live-package *package*))))
          (when (> (length text) +longest-text+) (setf text nil))
          (setf *latest-text* (list evaluation position text package))
          (values text package (length text))))))

(defun current-place (plist text key after)
  "File, offset and line of the form that runs; of a file that is loaded only its name."
  (cond (*load-truename* (values (file-of key after) nil nil))
        ((and text (getf plist :file)) (values (getf plist :file) (getf plist :offset) (getf plist :line)))
        (t (values nil nil nil))))

(defun file-of (key state)
  "The source file that is being loaded, perhaps as a fasl, as a native name."
  (let ((function (and (eq (car key) :function) (state-fact state :function))))
    (or (and (compiled-function-p function) (not (typep function 'generic-function)) (source-name function))
        (loaded-source-name)
        (sb-ext:native-namestring *load-truename*))))

(defun source-name (function)
  (let ((name (ignore-errors
               (debug-source-namestring
                (debug-info-source (%code-debug-info (fun-code-header (%fun-fun function))))))))
    (cond ((null name) nil)
          (t (setf *source-names* (cons *load-truename* name))
             name))))

(defun loaded-source-name ()
  (let ((known *source-names*))
    (and (eq (car known) *load-truename*) (cdr known))))

;;; What needs more than the key

(defun record-defun (original name function &rest more)
  (let ((role (second more)) (structure *structure*))
    (cond ((not *recording*) (apply original name function more))
          ((and role structure (eq (first structure) sb-thread:*current-thread*)
                (member name (second structure) :test #'equal))
           (without-recording (apply original name function more)))
          (t (call-recorded (cons :function name) original (list* name function more))))))

(defun record-defstruct (original description &rest more)
  "A structure's functions, which are defined after it, belong to it."
  (if (not *recording*)
      (apply original description more)
      (let ((names (structure-function-names description)))
        (setf *structure* (list sb-thread:*current-thread* names))
        (dolist (name names) (note-touched (cons :function name)))
        (call-recorded (cons :class (dd-name description)) original (list* description more)
                       (mapcar (lambda (name) (cons :function name)) names)))))

(defun structure-function-names (description)
  (let ((accessors (remove nil (mapcar #'dsd-accessor-name (dd-slots description)))))
    (remove nil (append (mapcar #'car (dd-constructors description))
                        (list (dd-predicate-name description) (dd-copier-name description))
                        accessors
                        (mapcar (lambda (accessor) (list 'setf accessor)) accessors)))))

(defun record-defclass (original name metaclass supers slots other readers writers &rest more)
  (let ((arguments (list* name metaclass supers slots other readers writers more)))
    (if *recording*
        (call-recorded (cons :class name) original arguments (accessor-keys readers writers))
        (apply original arguments))))

(defun record-define-condition (original name supers layout slots initargs readers writers &rest more)
  (let ((arguments (list* name supers layout slots initargs readers writers more)))
    (if *recording*
        (call-recorded (cons :class name) original arguments (accessor-keys readers writers))
        (apply original arguments))))

(defun accessor-keys (readers writers)
  (let ((keys (mapcar (lambda (name) (cons :function name)) (append readers writers))))
    (mapc #'note-touched keys)
    (remove-if (lambda (key) (fboundp (cdr key))) keys)))

(defun record-defmethod (original class name &rest more)
  "Its key is known when the method is there; what it replaces is found among the methods of before."
  (if (not *recording*)
      (apply original class name more)
      (let* ((function (and (fboundp name) (fdefinition name)))
             (fresh (not (typep function 'generic-function)))
             (methods (if fresh '() (copy-list (sb-mop:generic-function-methods function))))
             (method (without-recording (apply original class name more)))
             (key (method-key method name))
             (replaced (find-if (lambda (other)
                                  (and (not (eq other method))
                                       (equal (third key) (method-qualifiers other))
                                       (equal (fourth key) (specializer-names other))))
                                methods)))
        (when fresh (note-touched (cons :function name)))
        (note-touched (cons :methods name))
        (when (recordable-p key)
          (record-event key (and replaced (list :method :method replaced :function function))
                        :parts (and fresh (list (cons (cons :function name)
                                                      (and function (list :function :function function)))))))
        method)))

(defun record-set-fdefinition (name function)
  "Called before (SETF FDEFINITION) does its work."
  (let ((key (cons :function name)))
    (when (and *recording* (recordable-p key))
      (record-event key (capture key) :after (list (if (typep function 'generic-function) :generic-function :function)
                                                   :function function)))))

;;; Removals

(defun call-recording-removal (key original arguments)
  (if (and *recording* (recordable-p key) (capture key))
      (let ((name-text (event-name-text-of key)))
        (call-with-name-text name-text key original arguments))
      (without-recording (apply original arguments))))

(defun call-with-name-text (name-text key original arguments)
  (let ((before (capture key)) (package (key-package key)))
    (multiple-value-prog1 (without-recording (apply original arguments))
      (unless (capture key)
        (let ((event (record-event key before :name-text name-text :after nil)))
          (setf (event-package event) package))))))

(defun record-fmakunbound (original name)
  (call-recording-removal (cons :function name) original (list name)))

(defun record-makunbound (original symbol)
  (if (and *recording* (boundp symbol) (recordable-p (cons :variable symbol)))
      (call-recorded (cons :variable symbol) original (list symbol))
      (funcall original symbol)))

(defun record-unintern (original symbol &optional (package *package*))
  (if (and *recording* (symbolp symbol) (symbol-package symbol)
           (eq (symbol-package symbol) (find-package package))
           (defined-p symbol))
      (call-recording-removal (cons :symbol symbol) original (list symbol package))
      (funcall original symbol package)))

(defun record-delete-package (original designator)
  (let ((package (and *recording* (find-package designator))))
    (if package
        (call-recording-removal (cons :package (package-name package)) original (list designator))
        (funcall original designator))))

(defun record-remove-method (original function method)
  (let ((key (and *recording*
                  (eq function (sb-mop:method-generic-function method))
                  (method-key method (sb-mop:generic-function-name function)))))
    (cond (key
           (note-touched (cons :methods (second key)))
           (call-recording-removal key original (list function method)))
          (t (without-recording (funcall original function method))))))
