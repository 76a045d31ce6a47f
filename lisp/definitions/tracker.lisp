;;;; The tracker: records changes with the previous states. When the core is built, it encapsulates the SBCL functions that DEFUN and
;;;; similar macros call. The sweep finds all other changes.

(in-package #:lisp-workbench/definitions)

(defmacro tracking (name lambda-list key)
  "Record the changes that the function NAME makes to the definition of KEY. KEY is a form that uses the variables of LAMBDA-LIST, which are
bound to the arguments."
  `(surround ',name 'lisp-workbench-definitions
                (lambda (original &rest arguments)
                  (if *recording*
                      (call-recorded (sound
                                       (destructuring-bind ,lambda-list arguments
                                         (declare (ignorable ,@(remove-if (lambda (each) (member each lambda-list-keywords))
                                                                          lambda-list)))
                                         ,key))
                                     original arguments)
                      (apply original arguments)))))

(defun install-tracker ()
  "Install the tracker around SBCL's functions. Called once, when the core is built. If this SBCL lacks one of the functions, install no
recorders, because an incomplete tracker would do harm. The sweep then finds all changes."
  (unless (lacking "recording definitions when they are created")
    (track-definitions))
  (track-image-wide)
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
  (advise '%defun 'lisp-workbench-definitions #'record-defun)
  (advise '%defstruct 'lisp-workbench-definitions #'record-defstruct)
  (advise 'load-defclass 'lisp-workbench-definitions #'record-defclass)
  (advise '%define-condition 'lisp-workbench-definitions #'record-define-condition)
  (advise 'load-defmethod 'lisp-workbench-definitions #'record-defmethod)
  (advise 'fmakunbound 'lisp-workbench-definitions #'record-fmakunbound)
  (advise 'makunbound 'lisp-workbench-definitions #'record-makunbound)
  (advise 'unintern 'lisp-workbench-definitions #'record-unintern)
  (advise 'delete-package 'lisp-workbench-definitions #'record-delete-package)
  (advise 'remove-method 'lisp-workbench-definitions #'record-remove-method)
  (pushnew #'record-set-fdefinition *setf-fdefinition-hook*))

(defun drop-values-under-pressure ()
  (when (> (* 100 (dynamic-usage)) (* 35 (sb-ext:dynamic-space-size)))
    (drop-variable-values)))

(defun call-recorded (key function arguments &optional (parts '()))
  "Call FUNCTION, record how it changed KEY, and return its values. PARTS are other keys that FUNCTION also defines."
  (if (recordable-p key)
      (let ((before (capture key))
            (part-states (mapcar (lambda (part) (cons part (capture part))) parts)))
        (multiple-value-prog1 (without-recording (apply function arguments))
          (record-event key before :parts part-states)))
      (without-recording (apply function arguments))))

(defun recordable-p (key)
  "Return true if definitions of KEY are recorded. These are not recorded: uninterned names; names that SBCL makes for itself, such as
(SB-PCL::CTOR …); definitions of SWANK and of library clients; and invalid names, about which the defining function
signals an error."
  (sound
    (or (and (eq (car key) :package) (not (tool-package-name-p (cdr key))))
        (and (eq (car key) :package-name) (not (tool-package-p (cdr key))))
        (eq (car key) :logical-host)
        (let ((symbol (key-symbol key)))
          (and symbol (symbol-package symbol)
               (not (tool-package-p (symbol-package symbol)))
               (not (and *loading* (tool-package-p *package*)))
               (or (symbolp (cdr key))
                   (eq (car key) :method)
                   (and (eq (first (cdr key)) 'setf) (consp (rest (cdr key))) (null (cddr (cdr key))))))))))

(defun record-event (key before &key parts undoes (after (capture key)) text read-package like name-text restored unseen)
  "Record an event for the change of KEY from the state BEFORE to its current state. LIKE is an event with the same place and text, or NIL.
RESTORED describes the definition that an undo restored; it is NIL if there was no undo. UNSEEN is true if the actor of the change is
unknown."
  (let* ((compiled (compiled-just-now key undoes))
         (before (if compiled (event-before compiled) before))
         (earlier (if compiled (find-event (event-earlier compiled)) (latest-event key)))
         (authors (definition-authors key after restored))
         (author (if unseen (unseen-author after) (restored-author restored authors)))
         (evaluation *evaluation*) (plist (given-plist))
         (operation (cond ((null before) "defined") ((or after (eq (car key) :method-combination)) "redefined") (t "removed"))))
    (multiple-value-bind (found-text found-package found-file found-offset found-line)
        (and *form-finder* (not like) (not text) (ignore-errors (funcall *form-finder* key)))
      (multiple-value-bind (form-text form-package cost)
          (cond ((and found-text (> (length found-text) +longest-text+)) (values nil nil 0)) ; a text that is too long would displace all
                                                                                             ; other texts
                (found-text (values found-text found-package (length found-text)))
                (like (values (event-text like) (event-read-package like) 0))
                (text (values text read-package (length text)))
                (t (current-form-text evaluation)))
        (multiple-value-bind (file offset line)
            (cond (found-text (values found-file found-offset found-line))
                  (like (values (event-file like) (event-offset like) (event-line like)))
                  (t (current-place plist form-text key after)))
          (let ((event (make-event :kind (state-kind (or after before '(:method-combination)))
                                   :key key
                                   :package (key-package key)
                                   :operation operation
                                   ;; The source plist is not used here, because code can set it. If the person calls an agent's function,
                                   ;; the definitions that it makes are the agent's.
                                   :actor (author-name)
                                   :evaluation (and evaluation (evaluation-id evaluation))
                                   :guarded (or (and *guard* t) (and restored author t))
                                   :author author
                                   :authors authors
                                   :code (definition-digest authors after)
                                   :time (unix-milliseconds)
                                   :file file :offset offset :line line
                                   :text form-text :read-package form-package :text-cost cost
                                   :unchanged (and (not restored)
                                                    (or (unchanged-p before after parts) (same-text-p key earlier before after form-text form-package file)))
                                   :compiling (and *compile-file-truename* t)
                                   :before before :parts parts :undoes undoes :name-text name-text)))
            (when compiled (setf (event-earlier event) (event-earlier compiled)))
            (keep-event event (not (loading-system-p evaluation)))
            (note-authors event restored)
            event))))))

(defun compiled-just-now (key undoes)
  "Return the event recorded for KEY when the file that is now being loaded was compiled, and mark it as unchanged; NIL if there is none.
Compiling and then loading a file counts as one definition, although the code objects differ."
  (let ((latest (and (not undoes) (null *compile-file-truename*) (latest-event key))))
    (and latest (event-compiling latest) *evaluation* (equal (evaluation-id *evaluation*) (event-evaluation latest))
         (setf (event-unchanged latest) t)
         latest)))

(defun unchanged-p (before after parts)
  "Return true if the state AFTER equals the state BEFORE, and the PARTS are also unchanged."
  (and (same-state-p before after)
       (loop for (key . state) in parts always (same-state-p state (capture key)))))

(defun loading-system-p (evaluation)
  "Return true if EVALUATION makes ASDF load, test or describe a system. The definitions of such an evaluation come from files, so they are
only counted and not reported individually."
  (and evaluation
       (member (field (evaluation-request evaluation) "op")
               '("load-system" "load-swank" "test-system" "tested-systems" "describe-system" "system-graph")
               :test #'equal)
       t))

(defun unix-milliseconds ()
  (multiple-value-bind (seconds microseconds) (sb-ext:get-time-of-day)
    (+ (* 1000 seconds) (floor microseconds 1000))))
