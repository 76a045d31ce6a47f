;;;; Resolves names in requests: finds the symbol or package that a text refers to, without interning it. Also determines which packages may
;;;; be shown.

(in-package #:lisp-workbench/introspection)

(defmacro with-request-package ((package request) &body body)
  "Run BODY with *PACKAGE* and PACKAGE bound to the request's package, so that its local nicknames apply. Signal an error if the package is
unknown."
  `(let* ((,package (request-package ,request)) (*package* ,package) (*read-eval* nil) (*user-packages* (user-packages)))
     ,@body))

(defun request-package (request)
  (let ((given (field request "package")))
    (cond ((null given) (find-package (context-package-name (field request "context"))))
          ((designated-package given))
          (t (error "The name ~S does not designate any package." given)))))

(defun engine-package-p (package)
  "Return true if PACKAGE belongs to the engine, whose packages are never shown."
  (let ((name (package-name package)))
    (and name (>= (length name) 14) (string= "LISP-WORKBENCH" name :end2 14))))

(defun engine-symbol-p (symbol)
  (let ((home (and symbol (symbolp symbol) (symbol-package symbol))))
    (and home (engine-package-p home))))

(defun engine-class-p (class)
  (engine-symbol-p (class-name class)))

(defun engine-method-p (method)
  "Return true if METHOD belongs to the engine, or is specialized on one of its classes."
  (or (some (lambda (specializer) (and (typep specializer 'class) (engine-class-p specializer)))
            (sb-mop:method-specializers method))
      (let ((name (sb-mop:generic-function-name (sb-mop:method-generic-function method))))
        (engine-symbol-p (if (consp name) (second name) name)))))

(defun visible-methods (methods)
  "Return METHODS without those that belong to the engine or to no function."
  (remove-if (lambda (method)
               (or (null (sb-mop:method-generic-function method))
                   (engine-method-p method)))
             methods))

(defparameter *engine-directory*
  (let ((file (or *compile-file-truename* *load-truename*)))
    (namestring (make-pathname :name nil :type nil :version nil
                               :directory (butlast (pathname-directory file)) :defaults file)))
  "The folder of the engine's sources when the core was built.")

(defun engine-source-p (source)
  "Return true if SOURCE, a definition source of SB-INTROSPECT or NIL, is in one of the engine's files."
  (let ((name (and source (definition-source-pathname source)
                   (ignore-errors (namestring (definition-source-pathname source))))))
    (and name
         (> (length name) (length *engine-directory*))
         (string= *engine-directory* name :end2 (length *engine-directory*)))))

(defun visible-packages ()
  "Return all packages except the engine's."
  (remove-if (lambda (package) (or (null (package-name package)) (engine-package-p package))) (list-all-packages)))

(defparameter *documented-packages*
  '("SB-EXT" "SB-THREAD" "SB-MOP" "SB-GRAY" "SB-ALIEN" "SB-DEBUG" "SB-POSIX" "SB-BSD-SOCKETS" "SB-SPROF" "SB-INTROSPECT"
    "SB-CLTL2" "SB-PROFILE" "SB-SEQUENCE" "SB-UNICODE" "SB-COVER" "SB-CONCURRENCY" "SB-ROTATE-BYTE" "SB-MD5")
  "Packages of SBCL that are intended for users.")

(defun inside-package-p (package)
  "Return true if PACKAGE contains internals of SBCL or ASDF, which are offered only if they are requested by name."
  (let ((name (package-name package)))
    (or (and (prefixed-p "SB-" name) (not (member name *documented-packages* :test #'string=)))
        (prefixed-p "ASDF/" name)
        (prefixed-p "UIOP/" name))))

(defun named-symbol (text)
  "Return three values: the symbol that TEXT, such as CAR or (SETF CAR), refers to in *PACKAGE*; the status that FIND-SYMBOL returns for it;
and true if TEXT refers to the SETF function. All are NIL if there is no such symbol."
  (multiple-value-bind (node setf home) (name-node text)
    (multiple-value-bind (symbol status) (if home (find-symbol (node-name node) home) (values nil nil))
      (values symbol status (and status setf)))))

(defun name-node (text)
  "Return four values: the token of the name in TEXT, true if TEXT refers to a SETF function, the package in which the name is looked up,
and the package prefix as written. Return NIL if TEXT is not a name. If no package has the prefix in the case that the reader produces, look
for a package with the prefix as written."
  (let* ((text (string-left-trim '(#\' #\# #\Space #\Tab #\Newline) text))
         (nodes (read-nodes text :count 2))
         (node (and (null (rest nodes)) (first nodes)))
         (setf (and node (equal "SETF" (operator-name node)) (= 2 (length (node-children node)))))
         (name (if setf (second (node-children node)) node)))
    (if (and name (eq (node-kind name) :token))
        (let* ((written (and (node-prefix name) (node-text text name)))
               (prefix (and written (subseq written 0 (position #\: written)))))
          (values name setf (or (node-package name) (and prefix (user-visible-package prefix))) prefix))
        (values nil nil nil nil))))

(defun user-visible-package (name)
  (let ((package (find-package name)))
    (and package (not (engine-package-p package)) package)))

(defun node-symbol (node)
  "Return the symbol that the token NODE refers to, and the symbol's status. Return NIL and NIL if there is no such symbol, or if it belongs
to the engine."
  (let ((home (node-package node)))
    (if home
        (find-symbol (node-name node) home)
        (values nil nil))))

(defun node-package (node)
  "Return the package in which the token NODE is looked up. The token's prefix may be a local nickname in *PACKAGE*. Return NIL for a
package of the engine."
  (let* ((prefix (node-prefix node))
         (home (cond ((null prefix) *package*)
                     ((string= prefix "") (find-package '#:keyword))
                     ((string= prefix "#") nil)
                     (t (find-package prefix)))))
    (and home (not (engine-package-p home)) home)))

(defun request-symbol (request)
  "Return three values: the symbol that the request's field `symbol` names in *PACKAGE*, true if there is such a symbol, and true if the
request refers to its SETF function."
  (multiple-value-bind (symbol status setf) (named-symbol (field request "symbol"))
    (values symbol (not (null status)) setf)))

;;; The kinds of a symbol

(defun symbol-kinds (symbol)
  "Return the kinds of all things that SYMBOL names, the most used kind first; an empty list if it names nothing."
  (append (function-kinds symbol)
          (variable-kinds symbol)
          (type-kinds symbol)
          (and (not (keywordp symbol)) (find-package (symbol-name symbol)) (named-package-p symbol) '("package"))))

(defun function-kinds (symbol)
  (append (cond ((not (fboundp symbol)) '())
                ((special-operator-p symbol) '("special-operator"))
                ((macro-function symbol) '("macro"))
                ((typep (fdefinition symbol) 'generic-function) '("generic-function"))
                (t '("function")))
          (and (fboundp-setf symbol) '("setf-function"))
          (and (info :setf :expander symbol) '("setf-expander"))
          (and (compiler-macro-function symbol) '("compiler-macro"))))

(defun fboundp-setf (symbol)
  (fdefn-function `(setf ,symbol)))

(defun variable-kinds (symbol)
  (let ((kind (info :variable :kind symbol)))
    (cond ((keywordp symbol) '("keyword"))
          ((eq kind :macro) '("symbol-macro"))
          ((eq kind :constant) '("constant"))
          ((or (boundp symbol) (member kind '(:special :global :always-bound))) '("variable")))))

(defun type-kinds (symbol)
  (let ((class (find-class symbol nil)))
    (cond ((and class (eq (class-name class) symbol)) (list (string-downcase (class-kind class))))
          ((info :type :expander symbol) '("type")))))

(defun named-package-p (symbol)
  (user-package-p (find-package (symbol-name symbol))))

(defun used-name-p (symbol)
  "Return true if SYMBOL names anything. This is faster than SYMBOL-KINDS."
  (or (fboundp symbol)
      (boundp symbol)
      (not (eq :unknown (info :variable :kind symbol)))
      (find-class symbol nil)
      (info :type :expander symbol)
      (find-fdefn `(setf ,symbol))
      (special-operator-p symbol)))

(defun symbol-documentation (symbol)
  "Return the first documentation string found among the things that SYMBOL names, or NIL."
  (loop for kind in '(function variable type structure setf compiler-macro)
        for text = (ignore-errors (documentation symbol kind))
        when (and (stringp text) (plusp (length text))) return text))

(defun first-line (text &optional (limit 200))
  (when text
    (let* ((text (string-left-trim '(#\Space #\Tab #\Newline) text))
           (line (subseq text 0 (or (position #\Newline text) (length text)))))
      (if (> (length line) limit)
          (concatenate 'string (subseq line 0 limit) "…")
          line))))

(defun call-lambda-list-text (symbol)
  "Return the lambda list of the function or macro SYMBOL as text, or NIL. If the lambda list is long, return only the first parameters."
  (and (fboundp symbol)
       (lambda-list-text (if (or (special-operator-p symbol) (macro-function symbol)) symbol (fdefinition symbol))
                        :short t)))
