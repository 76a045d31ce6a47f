;;;; Renames a symbol in the image: all its meanings move to a symbol with the new name, and the old symbol loses them.

(in-package #:lisp-workbench/provenance)

(define-operation "rename-plan" (:looking-up request)
  (with-request-package (package request)
    (declare (ignorable package))
    (let ((symbol (named-symbol (field request "symbol"))))
      (if (or (null symbol) (engine-symbol-p symbol))
          (object "found" (json-boolean nil) "name" "" "home" "" "kinds" (array-of '()) "packages" (array-of '())
                  "special" (json-boolean nil) "problem" nil)
          (object "found" (json-boolean t)
                  "name" (symbol-name symbol)
                  "home" (if (symbol-package symbol) (package-name (symbol-package symbol)) "")
                  "kinds" (array-of (named-kinds symbol))
                  "packages" (array-of (names-of-packages (packages-with symbol)))
                  "special" (json-boolean (special-variable-p symbol))
                  "problem" (rename-problem symbol (field request "newName")))))))

(defun packages-with (symbol)
  "Return the packages in which the name of SYMBOL refers to SYMBOL."
  (remove-if-not (lambda (package)
                   (multiple-value-bind (found status) (find-symbol (symbol-name symbol) package)
                     (and status (eq found symbol))))
                 (list-all-packages)))

(defun names-of-packages (packages)
  (loop for package in packages append (cons (package-name package) (package-nicknames package))))

(defun named-kinds (symbol)
  "Return descriptions of the kinds of things that SYMBOL names."
  (append (cond ((macro-function symbol) '("macro"))
                ((special-operator-p symbol) '("special operator"))
                ((fboundp symbol) (list (if (typep (fdefinition symbol) 'generic-function) "generic function" "function"))))
          (and (fboundp `(setf ,symbol)) '("setf function"))
          (and (or (boundp symbol) (special-variable-p symbol)) '("variable"))
          (let ((class (find-class symbol nil)))
            (typecase class
              (null '())
              (structure-class '("structure"))
              (t '("class"))))))

(defun special-variable-p (symbol)
  (and (member (info :variable :kind symbol) '(:special :global :constant)) t))

(defun rename-problem (symbol new)
  "Return a sentence that explains why SYMBOL cannot be renamed to NEW; NIL if it can."
  (let ((home (symbol-package symbol)))
    (cond ((null home) (format nil "~A has no home package." (symbol-name symbol)))
          ((string= new (symbol-name symbol)) "The symbol already has this name.")
          ((sb-ext:package-locked-p home) (format nil "Package ~A is locked." (package-name home)))
          ((typep (find-class symbol nil) 'structure-class)
           (format nil "~A is a structure, which cannot be renamed: its instances keep the old name, and the names of its functions are derived from it."
                   (symbol-name symbol)))
          (t
           (dolist (package (rename-packages symbol) nil)
             (multiple-value-bind (found status) (find-symbol new package)
               (when (and status (or (not (eq package (symbol-package found))) (not (unused-p found))))
                 (return (format nil "~A already means ~A in package ~A.~@[ It names a ~{~A~^, ~}.~]"
                                 new (let ((*package* (find-package '#:keyword))) (prin1-to-string found))
                                 (package-name package) (named-kinds found))))))))))

(defun rename-packages (symbol)
  "Return the packages in which the new name must be free: those in which the old name refers to SYMBOL, and, if SYMBOL is exported, those
that use its home package."
  (let ((packages (packages-with symbol)))
    (if (eq :external (nth-value 1 (find-symbol (symbol-name symbol) (symbol-package symbol))))
        (union packages (package-used-by-list (symbol-package symbol)))
        packages)))

(defun unused-p (symbol)
  "Return true if SYMBOL has no definitions and no properties, which means that it exists only because the reader interned it."
  (and (null (named-kinds symbol)) (null (symbol-plist symbol))))

;;; Renaming has two steps. Between them, the files that contain the new name are loaded

(define-run "rename-symbol" (evaluation request)
  (declare (ignorable evaluation))
  (with-request-package (package request)
    (declare (ignorable package))
    (let ((symbol (named-symbol (field request "symbol"))))
      (if (field request "finish")
          (forget-name symbol)
          (take-name symbol (field request "newName")))
      (object "done" (json-boolean t)))))

(defun take-name (symbol name)
  "Give all meanings of SYMBOL to a symbol called NAME, in all packages of SYMBOL."
  (let* ((home (symbol-package symbol))
         (new (intern name home)))
    (dolist (package (packages-with symbol))
      (let ((status (nth-value 1 (find-symbol (symbol-name symbol) package))))
        (unless (or (eq package home) (eq status :inherited))
          (if (member symbol (package-shadowing-symbols package))
              (shadowing-import new package)
              (import new package)))
        (when (eq status :external)
          (export new package)
          ;; The package definition, which is loaded next, no longer contains SYMBOL.
          (unexport symbol package))))
    (let ((class (find-class symbol nil)))
      (when class
        (setf (find-class new) class)
        (setf (class-name class) new)))
    (when (special-variable-p symbol) (proclaim `(special ,new)))
    (when (boundp symbol) (setf (symbol-value new) (symbol-value symbol)))
    (flet ((take (from to)
             (when (fboundp from)
               (let ((function (fdefinition from)))
                 (setf (fdefinition to) function)
                 (when (typep function 'standard-generic-function)
                   (setf (sb-mop:generic-function-name function) to))))))
      (if (macro-function symbol)
          (setf (macro-function new) (macro-function symbol))
          (take symbol new))
      (take `(setf ,symbol) `(setf ,new)))
    (when (documentation symbol 'variable)
      (setf (documentation new 'variable) (documentation symbol 'variable)))
    new))

(defun forget-name (symbol)
  "Remove all meanings and exports of SYMBOL, and its presence in all packages except its home package. It stays present there because slots
and data may use that name, and reading the name later must return the same symbol."
  (fmakunbound symbol)
  (when (fboundp `(setf ,symbol)) (fmakunbound `(setf ,symbol)))
  (setf (compiler-macro-function symbol) nil)
  (when (find-class symbol nil) (setf (find-class symbol) nil))
  (makunbound symbol)
  (dolist (package (packages-with symbol))
    (when (eq :external (nth-value 1 (find-symbol (symbol-name symbol) package))) (unexport symbol package)))
  (dolist (package (packages-with symbol))
    (unless (or (eq package (symbol-package symbol)) (eq :inherited (nth-value 1 (find-symbol (symbol-name symbol) package))))
      (unintern symbol package))))
