;;;; Records changes of state that all code in the image shares: proclaimed types and other declarations of names; names, exports and locks
;;;; of packages; and translations of logical hosts. All clients share this state. Each change is recorded with the previous state.

(in-package #:lisp-workbench/definitions)

(defun track-image-wide ()
  "Install the recorders around SBCL's functions. Called once, when the core is built."
  (unless (lacking "recording proclamations")
    (surround '%proclaim 'lisp-workbench-definitions
              (lambda (original specification &rest more)
                (call-recording-changes (sound (proclaimed-keys specification)) original (list* specification more)))))
  (dolist (name '(use-package unuse-package export unexport shadow shadowing-import
                  sb-ext:remove-package-local-nickname sb-ext:add-implementation-package sb-ext:remove-implementation-package))
    (track-packages name (lambda (arguments) (if (rest arguments) (second arguments) *package*))))
  (track-packages 'sb-ext:add-package-local-nickname
                  (lambda (arguments) (if (cddr arguments) (third arguments) *package*)))
  (track-packages 'sb-ext:lock-package #'first)
  (track-packages 'sb-ext:unlock-package #'first)
  (advise 'rename-package 'lisp-workbench-definitions
          (lambda (original designator &rest more)
            (let ((package (sound (find-package designator))))
              (call-recording-changes (and package (list (cons :package-name package))) original (list* designator more)))))
  (advise '(setf logical-pathname-translations) 'lisp-workbench-definitions
          (lambda (original translations host)
            (call-recording-changes (and (stringp host) (list (cons :logical-host (string-upcase host)))) original (list translations host)))))

(defun track-packages (name designator)
  "Record the changes that the function NAME makes to a package. DESIGNATOR is a function that extracts the package's designator from the
arguments."
  (advise name 'lisp-workbench-definitions
          (lambda (original &rest arguments)
            (let ((package (and *recording* (sound (find-package (funcall designator arguments))))))
              (call-recording-changes (and package (package-name package) (not (engine-package-p package))
                                           (list (cons :package (package-name package))))
                                      original arguments)))))

(defun engine-package-p (package)
  "Return true if PACKAGE belongs to the engine; the guard restores such packages itself."
  (eql 0 (search "LISP-WORKBENCH" (package-name package))))

(defun call-recording-changes (keys function arguments)
  "Call FUNCTION and return its values. Record an event for each of KEYS whose state has changed. Each key needs only one event per
evaluation, because undoing it restores the state before the first change."
  (let ((befores (and *recording*
                      (loop for key in keys
                            when (and (recordable-p key) (not (changed-by-this-evaluation-p key)))
                              collect (list key (capture key) (event-name-text-of key))))))
    (multiple-value-prog1 (without-recording (apply function arguments))
      (loop for (key before name-text) in befores
            for after = (capture key)
            unless (equal before after)
              do (record-event key before :after after :name-text name-text)
                 (note-facets-touched key)))))

(defun changed-by-this-evaluation-p (key)
  (let ((latest (latest-event key)))
    (and latest *evaluation* (equal (event-evaluation latest) (evaluation-id *evaluation*)))))

(defun note-facets-touched (key)
  "Record for the sweep that a proclamation has changed a fact that the sweep would otherwise report as a change of a variable."
  (when (and (eq :proclamation (car key)) (symbolp (cdr key)))
    (note-touched (cons :variable (cdr key)))))

;;; Proclamations

(defun proclaimed-keys (specification)
  "Return the keys of the names that the declaration SPECIFICATION affects. Return NIL for a declaration that affects only the compiler,
such as OPTIMIZE."
  (destructuring-bind (identifier . rest) specification
    (mapcar (lambda (name) (cons :proclamation name))
            (cond ((member identifier '(optimize sb-ext:muffle-conditions sb-ext:unmuffle-conditions sb-ext:disable-package-locks
                                        sb-ext:enable-package-locks declaration sb-ext:freeze-type))
                   '())
                  ((member identifier '(ftype type)) (rest rest))
                  ((eq identifier 'sb-ext:deprecated)
                   (loop for (kind . names) in (cddr rest)
                         when (member kind '(function variable)) append names))
                  (t rest)))))

(defun proclaimed-facts (name)
  "Return the facts that can be proclaimed about NAME, as SBCL's pairs of keywords."
  (append '((:function :where-from) (:function :type) (:function :assumed-type) (:function :inlinep) (:function :inlining-data)
            (:function :deprecated))
          (and (symbolp name)
               '((:variable :kind) (:variable :where-from) (:variable :type) (:variable :always-bound) (:variable :deprecated)))))

(defun proclamation-state (name)
  (let ((facts (loop for (category kind) in (proclaimed-facts name)
                     for (value present) = (multiple-value-list (info category kind name))
                     when present collect (list category kind value))))
    (and facts (list :proclamation :facts facts))))

(defun restore-proclamation (name state)
  (loop with facts = (state-fact state :facts)
        for (category kind) in (proclaimed-facts name)
        for fact = (find-if (lambda (each) (and (eq category (first each)) (eq kind (second each)))) facts)
        do (if fact
               (setf (info category kind name) (third fact))
               (clear-info category kind name))))

;;; Logical hosts

(defun logical-host-state (host)
  (let ((translations (ignore-errors (logical-pathname-translations host))))
    (and translations (list :logical-host :translations (copy-tree translations)))))

(defun restore-logical-host (host state)
  (setf (logical-pathname-translations host) (state-fact state :translations)))

;;; A package's names. The key is the package itself, because the package's old name no longer exists after a rename.

(defun package-name-state (package)
  (and (package-name package)
       (list :package :name (package-name package) :nicknames (package-nicknames package))))

(defun restore-package-name (package state)
  (unless (package-name package) (error "The package was deleted."))
  (rename-package package (state-fact state :name) (state-fact state :nicknames)))
