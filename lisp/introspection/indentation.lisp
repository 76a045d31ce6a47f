;;;; The operation `macro-indentation`: how editors indent the macros of packages, as their lambda lists say.

(in-package #:lisp-workbench/introspection)

(defconstant +most-macros+ 5000 "Macros that are told of one package.")
(defconstant +deepest-pattern+ 8 "Lambda lists in each other that are looked into.")

;; The named packages, or all; a name that is no package is left out, so that whoever asks sees which are gone.
(define-operation "macro-indentation" (:looking-up request)
  (object "packages"
          (array-of (loop for package in (packages-with-macros (field request "packages"))
                          for record = (ignore-errors (indentation-record package))
                          when record collect record))))

(defun packages-with-macros (names)
  "The packages called NAMES, a vector; for NIL all but the engine's and the insides of SBCL and ASDF."
  (if names
      (loop for name across names
            for package = (find-package name)
            when (and package (not (engine-package-p package))) collect package)
      (remove-if (lambda (package) (or (inside-package-p package) (eq package (find-package '#:keyword))))
                 (visible-packages))))

(defun indentation-record (package)
  (object "name" (package-name package)
          "nicknames" (array-of (package-nicknames package))
          "localNicknames" (array-of (loop for (nickname . other) in (sb-ext:package-local-nicknames package)
                                           when (package-name other)
                                             collect (object "nickname" nickname "package" (package-name other))))
          "uses" (names-of (package-use-list package))
          "macros" (array-of (indented-macros package))))

(defun indented-macros (package)
  "Records of the macros present in PACKAGE whose lambda list says something about indentation. Those of the standard are known to editors."
  (let ((standard (find-package '#:common-lisp)) (found '()) (left +most-macros+))
    (with-package-iterator (next package :external :internal)
      (loop
        (multiple-value-bind (more symbol status) (next)
          (when (or (not more) (zerop left)) (return found))
          (when (and (macro-function symbol) (not (eq standard (symbol-package symbol))))
            (let ((pattern (macro-pattern symbol)))
              (when pattern
                (decf left)
                (push (object "name" (string-downcase symbol)
                              "external" (json-boolean (eq status :external))
                              "pattern" pattern)
                      found)))))))))

(defun macro-pattern (symbol)
  "The pattern of indentation that the lambda list of the macro SYMBOL asks for, as JSON; NIL when it asks for none."
  (multiple-value-bind (lambda-list unknown)
      (handler-case (function-lambda-list symbol)
        (error () (values nil t)))
    (let ((parts (and (not unknown) (said-parts (lambda-list-parts lambda-list 0 t) 4))))
      (and parts (pattern-json parts)))))

(defun said-parts (parts column)
  "PARTS with those before the first that says something put at COLUMN; NIL when none says anything."
  (let ((said (position-if-not #'null parts)))
    (and said
         (notevery (lambda (part) (member part '(nil :rest))) parts)
         (append (make-list said :initial-element column) (nthcdr said parts)))))

(defun lambda-list-parts (lambda-list level firstp)
  "A part of the pattern for each argument: NIL says nothing, :BODY is a body, :REST stands before what holds for all that follow."
  (if (or (not (consp lambda-list)) (> level +deepest-pattern+))
      '()
      (destructuring-bind (parameter . others) lambda-list
        (if (consp parameter)
            (cons (list* :whole (if (zerop level) 4 1) (said-parts (lambda-list-parts parameter (1+ level) t) 1))
                  (lambda-list-parts others level nil))
            (case parameter
              (&body '(:body))
              (&key (list :rest (if (zerop level) nil 1)))
              (&rest (list :rest (if (and (plusp level) firstp) 1 nil)))
              ((&whole &environment) (and (consp others) (lambda-list-parts (rest others) level firstp)))
              (&optional (lambda-list-parts others level nil))
              (t (if (member parameter lambda-list-keywords)
                     '()
                     (cons nil (lambda-list-parts others level nil)))))))))

(defun pattern-json (parts)
  (array-of (mapcar (lambda (part)
                      (cond ((consp part) (pattern-json part))
                            ((keywordp part) (format nil "&~(~A~)" part))
                            (t part)))
                    parts)))
