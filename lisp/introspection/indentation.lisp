;;;; The operation `macro-indentation`: returns how editors should indent macro calls, as derived from the lambda lists of the macros.

(in-package #:lisp-workbench/introspection)

(defconstant +most-macros+ 5000 "The maximum number of macros reported for one package.")
(defconstant +deepest-pattern+ 8 "The maximum nesting depth to which lambda lists are examined.")

;; Returns the macros of the named packages, or of all packages. Packages that do not exist are left out, so that the caller notices their
;; absence.
(define-operation "macro-indentation" (:looking-up request)
  (object "packages"
          (array-of (loop for package in (packages-with-macros (field request "packages"))
                          for record = (ignore-errors (indentation-record package))
                          when record collect record))))

(defun packages-with-macros (names)
  "Return the packages named in the vector NAMES. If NAMES is NIL, return all packages except the engine's and the internal ones of SBCL and
ASDF."
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
  "Return records of the macros in PACKAGE whose lambda lists imply an indentation. Leave out the standard macros, which editors know."
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
  "Return the indentation pattern that the lambda list of the macro SYMBOL implies, as JSON; NIL if it implies none."
  (multiple-value-bind (lambda-list unknown)
      (handler-case (function-lambda-list symbol)
        (error () (values nil t)))
    (let ((parts (and (not unknown) (said-parts (lambda-list-parts lambda-list 0 t) 4))))
      (and parts (pattern-json parts)))))

(defun said-parts (parts column)
  "Return PARTS, an indentation pattern, with its leading NILs replaced by COLUMN. Return NIL if no part implies an indentation."
  (let ((said (position-if-not #'null parts)))
    (and said
         (notevery (lambda (part) (member part '(nil :rest))) parts)
         (append (make-list said :initial-element column) (nthcdr said parts)))))

(defun lambda-list-parts (lambda-list level firstp)
  "Return a pattern with an element for each argument: NIL for no indentation, :BODY for a body, a list for a nested lambda list. :REST
precedes the element that applies to all remaining arguments."
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
