;;;; The operation `apropos`, and the record of a symbol that the package browser also uses.

(in-package #:lisp-workbench/introspection)

;; Returns symbols that have a meaning and contain the pattern in their name or in a documentation string. `package` limits the search to a
;; package. Without `package`, internal packages of SBCL and ASDF are left out. With `usersAlone`, only the user's symbols are returned if
;; any of them match.
(define-operation "apropos" (:looking-up request)
  (let* ((given (field request "package"))
         (package (and given (or (designated-package given)
                                 (error "The name ~S does not designate any package." given))))
         (*user-packages* (user-packages))
         (pattern (coerce (field request "pattern") 'simple-string))
         (kinds (and (field request "kinds") (coerce (field request "kinds") 'list)))
         (found (in-order-of-interest
                 (symbols-like pattern package (eq t (field request "externalOnly")) kinds
                               (eq t (field request "documentation")))
                 pattern))
         (shown (or (and (eq t (field request "usersAlone")) (null package) (remove-if-not #'users-symbol-p found))
                    found)))
    (object "symbols" (array-of (loop for symbol in shown
                                      repeat (field request "limit")
                                      collect (symbol-record symbol)))
            "total" (length found))))

(defun users-symbol-p (symbol)
  "Return true if the home package of SYMBOL belongs to the user."
  (let ((home (symbol-package symbol)))
    (and home (user-package-p home))))

(defun symbol-record (symbol)
  "Return the record of SYMBOL for a list of symbols."
  (object "name" (symbol-name symbol)
          "printed" (printed-from-cl-user symbol)
          "package" (let ((home (symbol-package symbol))) (and home (package-name home)))
          "external" (json-boolean (external-symbol-p symbol))
          "kinds" (array-of (ignore-errors (symbol-kinds symbol)))
          "lambdaList" (and (not (keywordp symbol))
                            (let ((*package* (or (symbol-package symbol) *package*)))
                              (ignore-errors (call-lambda-list-text symbol))))
          "documentation" (first-line (symbol-documentation symbol))))

(defun external-symbol-p (symbol)
  "Return true if SYMBOL's home package exports it."
  (let ((home (symbol-package symbol)))
    (and home (eq :external (nth-value 1 (find-symbol (symbol-name symbol) home))))))

(defun symbols-like (pattern package external-only kinds documentation)
  "Return the matching symbols, each once."
  (let ((found (make-hash-table :test #'eq)))
    (flet ((look-at (symbol home)
             (when (and (eq home (symbol-package symbol))
                        (used-name-p symbol)
                        (not (and (keywordp symbol) (engine-keyword-p symbol)))
                        (or (search pattern (the simple-string (symbol-name symbol)) :test #'char-equal)
                            (and documentation (documented-with-p symbol pattern)))
                        (or (null kinds) (intersection kinds (ignore-errors (symbol-kinds symbol)) :test #'string=)))
               (setf (gethash symbol found) t))))
      (dolist (home (if package (list package) (remove-if #'inside-package-p (visible-packages))))
        (unless (engine-package-p home)
          (if external-only
              (do-external-symbols (symbol home) (look-at symbol (symbol-package symbol)))
              (do-symbols (symbol home) (look-at symbol home))))))
    (loop for symbol being the hash-keys of found
          unless (let ((home (symbol-package symbol))) (and home (engine-package-p home)))
            collect symbol)))

(defun engine-keyword-p (symbol)
  (search "LISP-WORKBENCH" (symbol-name symbol)))

(defun documented-with-p (symbol pattern)
  (loop for kind in '(function variable type structure setf compiler-macro)
          thereis (let ((text (ignore-errors (documentation symbol kind))))
                    (and (stringp text) (search pattern text :test #'char-equal)))))

(defun in-order-of-interest (symbols pattern)
  "Sort symbols: an exact match first, then names that begin with the pattern, then the rest. Within these groups, the user's symbols come
before other symbols, and exported symbols before internal ones."
  (mapcar #'cdr (sort (mapcar (lambda (symbol) (cons (found-rank symbol pattern) symbol)) symbols) #'found-before-p)))

(defun found-before-p (one other)
  (destructuring-bind ((rank . symbol) (other-rank . other-symbol)) (list one other)
    (cond ((/= rank other-rank) (< rank other-rank))
          ((string/= symbol other-symbol) (and (string< symbol other-symbol) t))
          (t (and (string< (home-name symbol) (home-name other-symbol)) t)))))

(defun found-rank (symbol pattern)
  (let* ((name (symbol-name symbol))
         (home (symbol-package symbol))
         (at (search pattern name :test #'char-equal)))
    (+ (cond ((null at) 40)
             ((plusp at) 20)
             ((= (length name) (length pattern)) 0)
             (t 10))
       (cond ((null home) 6) ((user-package-p home) 0) ((eq home (find-package '#:common-lisp)) 2) (t 4))
       (if (external-symbol-p symbol) 0 1))))

(defun home-name (symbol)
  (let ((home (symbol-package symbol)))
    (if home (package-name home) "")))
