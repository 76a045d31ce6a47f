;;;; The operation `describe-symbol`. The name is looked up and never read, so no symbol is interned.

(in-package #:lisp-workbench/introspection)

(define-operation "describe-symbol" (:looking-up request)
  (let* ((text (string-trim '(#\Space #\Tab #\Newline #\' #\#) (field request "symbol")))
         (given (or (field request "package") (context-package-name (field request "context"))))
         (package (designated-package given)))
    (multiple-value-bind (name prefix home setf) (split-name text package)
      (multiple-value-bind (symbol status) (if home (find-symbol name home) (values nil nil))
        (object "found" (json-boolean status)
                "symbol" (cond ((null status) text)
                               (setf (printed-from-cl-user `(setf ,symbol)))
                               (t (printed-from-cl-user symbol)))
                "package" (package-label symbol status home (if (or home (null prefix)) given prefix))
                "unknownPackage" (json-boolean (null home))
                "meanings" (array-of (and status
                                          (let ((*package* (find-package '#:common-lisp-user)))
                                            (if setf (setf-meanings symbol) (meanings symbol)))))
                ;; A symbol without a definition probably exists because the reader interned a mistyped name.
                "near" (array-of (and home (or (not status) (and (not setf) (null (meanings symbol)))) (near-names name home))))))))

(defun package-label (symbol status package given)
  (cond ((and status (symbol-package symbol)) (package-name (symbol-package symbol)))
        (package (package-name package))
        (t given)))

(defun split-name (text package)
  "Return four values: the symbol name, prefix and package of TEXT as the standard reader would determine them in PACKAGE, and true if TEXT
means a SETF function. The prefix is as written, or NIL; the package is NIL if it does not exist."
  (let ((*package* (or package (find-package '#:common-lisp-user))))
    (multiple-value-bind (node setf home prefix) (name-node text)
      (if node
          (values (node-name node) prefix (if prefix home package) setf)
          (values (string-upcase text) nil package nil)))))

(defun setf-meanings (symbol)
  "Return the meanings of (SETF SYMBOL): a function, a setf expander, or both."
  (remove nil (list (function-meaning `(setf ,symbol) symbol)
                    (and (info :setf :expander symbol) (meaning "setf expander")))))

(defun printed-from-cl-user (symbol)
  (let ((*package* (find-package '#:common-lisp-user)))
    (print-short symbol 300)))

(defun meanings (symbol)
  "Return the kinds of all definitions that SYMBOL names."
  (remove nil (append (list (function-meaning symbol symbol)
                            (first (setf-meanings symbol))
                            (variable-meaning symbol)
                            (class-meaning symbol)
                            (type-meaning symbol)
                            (package-meaning symbol)))))

(defun meaning (kind &key lambda-list documentation value source)
  (object "kind" kind
          "lambdaList" lambda-list
          "documentation" (and (stringp documentation) documentation)
          "value" value
          "source" source))

(defun function-meaning (name symbol)
  (when (fboundp name)
    (let* ((special (and (symbolp name) (special-operator-p name)))
           (macro (and (symbolp name) (not special) (macro-function name)))
           (function (or macro (real-function (fdefinition name))))
           (kind (cond (special "special operator")
                       (macro "macro")
                       ((typep function 'generic-function) "generic function")
                       (t "function"))))
      (meaning (if (consp name) (format nil "setf ~A" kind) kind)
               :lambda-list (lambda-list-text (if (or special macro) name function))
               :documentation (ignore-errors (documentation name 'function))
               :source (origin (cond (macro :macro) ((typep function 'generic-function) :generic-function) (t :function))
                               name function symbol)))))

(defun variable-meaning (symbol)
  (let ((kind (info :variable :kind symbol)))
    (cond ((eq kind :macro)
           (meaning "symbol macro" :value (print-short (macroexpand-1 symbol) +value-limit+)))
          ((or (boundp symbol) (member kind '(:special :global :always-bound :constant)))
           (let ((constant (eq kind :constant)))
             (meaning (if constant "constant" "variable")
                      :documentation (documentation symbol 'variable)
                      :value (and (boundp symbol) (print-short (symbol-value symbol) 1000))
                      :source (values (origin (if constant :constant :variable) symbol nil symbol))))))))

(defun class-meaning (symbol)
  (let ((class (find-class symbol nil)))
    (when class
      (meaning (if (typep class 'built-in-class) "class" (string-downcase (class-kind class)))
               :documentation (ignore-errors (documentation class t))
               :lambda-list (slots-text class)
               :source (values (origin (class-kind class) symbol class symbol))))))

(defun slots-text (class)
  "Return the names of the slots of CLASS as text. The text is displayed where a function would have its lambda list."
  (ignore-errors
   (let ((slots (mapcar #'sb-mop:slot-definition-name
                        (if (sb-mop:class-finalized-p class)
                            (sb-mop:class-slots class)
                            (sb-mop:class-direct-slots class)))))
     (and slots (print-short slots 4000 :whole t)))))

(defun type-meaning (symbol)
  (when (and (info :type :expander symbol) (not (find-class symbol nil)))
    (meaning "type"
             :lambda-list (ignore-errors (printed-lambda-list (deftype-lambda-list symbol)))
             :documentation (documentation symbol 'type)
             :source (values (origin :type symbol nil symbol)))))

(defun package-meaning (symbol)
  (let ((package (find-package symbol)))
    (when (and package (not (keywordp symbol)) (user-package-p package))
      (meaning "package" :documentation (documentation package t)))))

(defvar *user-packages* nil "The user's packages, stored during a request about many symbols, so that they are collected only once; NIL
outside such a request.")

(defun user-package-p (package)
  (member package (or *user-packages* (user-packages))))

;;; Near names

(defun near-names (name package)
  "Return at most five names similar to NAME. Exactly the same name in other packages comes first. The most similar names in PACKAGE and
among the exports of the user's packages follow."
  (let ((candidates '()) (user (user-packages)))
    (flet ((note (distance symbol)
             (when (and distance (meaningful-p symbol) (or (not (keywordp symbol)) (eq package (symbol-package symbol))))
               (pushnew (cons distance symbol) candidates :key #'cdr))))
      (dolist (elsewhere (visible-packages))
        (multiple-value-bind (symbol status) (find-symbol name elsewhere)
          (when (or (eq status :external)
                    (and (eq status :internal) (member elsewhere user)))
            (note 0 symbol))))
      (do-symbols (symbol package)
        (note (distance name (symbol-name symbol)) symbol))
      (dolist (elsewhere (remove package user))
        (unless (engine-package-p elsewhere)
          (do-external-symbols (symbol elsewhere)
            (note (distance name (symbol-name symbol)) symbol)))))
    (let ((best (sort candidates #'near-before-p)))
      (mapcar (lambda (candidate) (printed-from-cl-user (cdr candidate)))
              (subseq best 0 (min 5 (length best)))))))

(defun near-before-p (one other)
  (if (= (car one) (car other))
      (string< (cdr one) (cdr other))
      (< (car one) (car other))))

(defun meaningful-p (symbol)
  (or (fboundp symbol) (boundp symbol) (find-class symbol nil)))

(defun distance (name other)
  "Return a measure of the difference between the two names, roughly the number of edits; NIL if they differ too much for a typing error."
  (let ((most (max 1 (floor (length name) 3))))
    (cond ((< (length name) 3) nil)     ; otherwise every name would be similar
          ((search name other) (1+ (floor (- (length other) (length name)) 8)))
          ((> (abs (- (length name) (length other))) most) nil)
          (t (let ((edits (edit-distance name other)))
               (and (<= edits most) edits))))))

(defun edit-distance (one other)
  "Return the number of edits that turn ONE into OTHER: inserting, deleting or replacing a character, or swapping it with the next one."
  (let* ((width (1+ (length other)))
         (earlier (make-array width)) (above (make-array width)) (row (make-array width)))
    (dotimes (j width) (setf (aref row j) j))
    (loop for i from 1 to (length one)
          do (rotatef earlier above row)
             (setf (aref row 0) i)
             (loop for j from 1 below width
                   for char = (char one (1- i))
                   do (setf (aref row j)
                            (min (1+ (aref above j))
                                 (1+ (aref row (1- j)))
                                 (+ (aref above (1- j)) (if (char= char (char other (1- j))) 0 1))))
                      (when (and (> i 1) (> j 1)
                                 (char= char (char other (- j 2)))
                                 (char= (char one (- i 2)) (char other (1- j))))
                        (setf (aref row j) (min (aref row j) (1+ (aref earlier (- j 2))))))))
    (aref row (1- width))))
