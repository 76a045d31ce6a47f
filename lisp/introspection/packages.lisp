;;;; The operations `packages` and `package-symbols`, for the package browser.

(in-package #:lisp-workbench/introspection)

;; Returns all packages except the engine's, sorted by name. Each includes the names of the packages that it uses, from which the graph is
;; drawn.
(define-operation "packages" (:looking-up request)
  (let ((user (user-packages)))
    (object "packages"
            (array-of (loop for package in (sort (visible-packages) #'string< :key #'package-name)
                            for record = (ignore-errors (package-record package user))
                            when record collect record)))))

(defun package-record (package user)
  (multiple-value-bind (own external internal) (symbol-counts package)
    (object "name" (package-name package)
            "nicknames" (array-of (sort (copy-list (package-nicknames package)) #'string<))
            "localNicknames" (array-of (loop for (nickname . other) in (sb-ext:package-local-nicknames package)
                                             when (package-name other)
                                               collect (object "nickname" nickname "package" (package-name other))))
            "uses" (names-of (package-use-list package))
            "usedBy" (names-of (package-used-by-list package))
            "symbols" own
            "external" external
            "internal" internal
            "locked" (json-boolean (sb-ext:package-locked-p package))
            "documentation" (documentation package t)
            "user" (json-boolean (member package user)))))

(defun names-of (packages)
  (array-of (sort (loop for package in packages
                        unless (or (null (package-name package)) (engine-package-p package))
                          collect (package-name package))
                  #'string<)))

(defun symbol-counts (package)
  "Return three counts of symbols: those whose home is PACKAGE, those that PACKAGE exports, and those that are present in PACKAGE but not
exported."
  (let ((own 0) (external 0) (internal 0))
    (with-package-iterator (next package :external :internal)
      (loop
        (multiple-value-bind (more symbol status) (next)
          (unless more (return (values own external internal)))
          (when (eq package (symbol-package symbol)) (incf own))
          (if (eq status :external) (incf external) (incf internal)))))))

;; Returns one page of a package's symbols, sorted by name. The page starts at `offset` and contains only symbols of the kind `which` whose
;; names contain `filter`.
(define-operation "package-symbols" (:looking-up request)
  (let* ((name (field request "package"))
         (package (designated-package name)))
    (when (or (null package) (engine-package-p package))
      (error "The name ~S does not designate any package." name))
    (let* ((symbols (sort (symbols-in package (field request "which") (or (field request "filter") "")) #'string<))
           (part (nthcdr (field request "offset") symbols)))
      (object "package" (package-name package)
              "symbols" (array-of (loop for symbol in part
                                        repeat (field request "limit")
                                        collect (symbol-record symbol)))
              "total" (length symbols)))))

(defun symbols-in (package which filter)
  (let ((found (make-hash-table :test #'eq)))
    (do-symbols (symbol package)
      (let ((status (nth-value 1 (find-symbol (symbol-name symbol) package)))
            (home (symbol-package symbol)))
        (when (and (or (string= which "all") (string-equal which (symbol-name (or status :none))))
                   (not (and home (engine-package-p home)))
                   (not (engine-keyword-p symbol))
                   (search filter (symbol-name symbol) :test #'char-equal))
          (setf (gethash symbol found) t))))
    (loop for symbol being the hash-keys of found collect symbol)))
