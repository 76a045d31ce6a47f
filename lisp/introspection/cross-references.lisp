;;;; The operation `cross-references`: finds the code that calls, reads, binds, sets or expands a name, the methods that specialize on it,
;;;; and the functions that a function calls. Each result has the place of the reference itself.

(in-package #:lisp-workbench/introspection)

(defstruct (entry (:constructor make-entry (name source mention &key (call t) (depth 2) owner whole)))
  name                                  ; the name that SBCL uses for the code that contains the reference
  source
  mention                               ; the symbol that the code mentions
  (call t)                              ; :SPECIALIZER for a reference in a method's lambda list; otherwise true if the reference is a call
  whole                                 ; true if SOURCE is the source of the surrounding definition, not of the reference itself
  owner                                 ; for a callee, the symbol whose function calls it
  (depth 2)                             ; the maximum number of nested lists between SBCL's form and the mention
  (turn 0)                              ; index of this entry among the entries for which SBCL reports the same place
  (rivals '()))                         ; form numbers of the other entries for which SBCL reports the same place

(define-operation "cross-references" (:looking-up request)
  (with-request-package (package request)
    (multiple-value-bind (symbol found setf) (request-symbol request)
      (let ((entries (and found (ordered-entries (related-entries symbol setf (field request "relation"))))))
        (object "found" (json-boolean found)
                "symbol" (if found (printed-from-cl-user (if setf `(setf ,symbol) symbol)) (field request "symbol"))
                "references" (array-of (in-textual-order
                                        (loop for entry in entries
                                              repeat (field request "limit")
                                              for record = (ignore-errors (entry-record entry))
                                              when record collect record)))
                "total" (length entries)
                "implementation" (count-if #'implementation-entry-p entries))))))

(defun related-entries (symbol setf relation)
  "Return the entries that have RELATION to SYMBOL. If RELATION is \"called-by\", return the callers of both SYMBOL's function and its SETF
function; with SETF, only those of the SETF function."
  (flet ((is (name) (string= name relation))
         (all (pairs &key (call t) (depth 2))
           (loop for (name . source) in pairs collect (make-entry name source symbol :call call :depth depth))))
    (cond ((is "called-by") (append (and (not setf) (all (who-calls symbol)))
                                    (all (ignore-errors (who-calls `(setf ,symbol))))))
          ((is "references") (all (who-references symbol) :call nil))
          ((is "binds") (all (who-binds symbol) :call nil :depth 3))
          ((is "sets") (all (who-sets symbol) :call nil))
          ((is "macroexpands") (all (who-macroexpands symbol)))
          ((is "specializes") (specializing-entries symbol))
          ((is "callers-by-object") (caller-entries symbol))
          ((is "calls") (callee-entries symbol))
          (t (error "~S is not a relation between names." relation)))))

(defun specializing-entries (symbol)
  (let ((class (find-class symbol nil)))
    (and class
         (loop for method in (visible-methods (sb-mop:specializer-direct-methods class))
               for function = (sb-mop:method-generic-function method)
               collect (make-entry (list :method method (sb-mop:generic-function-name function))
                                   (first-source method) symbol :whole t :call :specializer)))))

(defun caller-entries (symbol)
  (and (fboundp symbol)
       (not (special-operator-p symbol))
       (loop for function in (find-function-callers (or (macro-function symbol) (real-function (fdefinition symbol))))
             collect (make-entry (%fun-name function) (first-source function) symbol :whole t))))

(defun callee-entries (symbol)
  "Return entries for the functions that SYMBOL's function, or one of its methods, calls by name."
  (and (fboundp symbol)
       (not (special-operator-p symbol))
       (let* ((function (or (macro-function symbol) (real-function (fdefinition symbol))))
              (callers (if (typep function 'generic-function)
                           (loop for method in (sb-mop:generic-function-methods function)
                                 for fast = (ignore-errors
                                             (%method-function-fast-function (sb-mop:method-function method)))
                                 when fast collect (cons fast (first-source method)))
                           (list (cons function (first-source function))))))
         (loop for (caller . source) in callers
               append (loop for callee in (function-callees caller)
                            for name = (callee-name callee)
                            when name collect (make-entry name source (owner-of name) :whole t :owner symbol))))))

(defun callee-name (function)
  (let ((name (if (typep function 'generic-function)
                  (sb-mop:generic-function-name function)
                  (%fun-name function))))
    (and (or (symbolp name) (consp name)) name)))

;;; Order

(defun ordered-entries (entries)
  "Return ENTRIES without duplicates and without entries of the engine. The user's entries come first, the implementation's last. Within
these groups, sort by name and place."
  (let* ((known (make-hash-table :test #'equal))
         (shown (loop for entry in entries
                      for identity = (list (entry-name entry) (entry-place entry) (entry-number entry))
                      unless (or (gethash identity known) (engine-entry-p entry))
                        do (setf (gethash identity known) t)
                        and collect (cons (entry-key entry) entry)))
         (sorted (mapcar #'cdr (stable-sort shown #'key-before-p :key #'car))))
    (number-turns sorted)
    sorted))

(defun number-turns (entries)
  (let ((groups (make-hash-table :test #'equal)))
    (dolist (entry entries)
      (push entry (gethash (list (entry-name entry) (entry-place entry)) groups)))
    (loop for group being the hash-values of groups
          do (loop for (entry . others) on group
                   do (setf (entry-turn entry) (length others)
                            (entry-rivals entry) (mapcar #'entry-number (remove entry group)))))))

(defun in-textual-order (records)
  "Return RECORDS. Sort consecutive records of one definition by their position in the text."
  (flet ((offset (record) (or (field (field record "source") "offset") 0))
         (together-p (one other)
           (and (field one "source") (field other "source")
                (equal (field one "name") (field other "name"))
                (equal (field (field one "source") "file") (field (field other "source") "file")))))
    (loop while records
          for group = (loop with first = (first records)
                            while (and records (together-p first (first records))) collect (pop records))
          append (if group (stable-sort group #'< :key #'offset) (list (pop records))))))

(defun entry-place (entry)
  "Return a key of ENTRY's top-level form, comparable with EQUAL; NIL if SBCL reports no source."
  (let ((source (entry-source entry)))
    (and source
         (let ((plist (definition-source-plist source)))
           (list (definition-source-pathname source)
                 (definition-source-form-path source)
                 (getf plist :evaluation)
                 (getf plist :offset))))))

(defun entry-number (entry)
  (or (and (entry-source entry) (definition-source-form-number (entry-source entry))) 0))

(defun engine-entry-p (entry)
  (let* ((owner (owner-of (entry-name entry)))
         (home (and owner (symbol-package owner))))
    (or (engine-symbol-p owner)
        (and (engine-source-p (entry-source entry))
             (not (and home (user-package-p home)))))))

(defun implementation-entry-p (entry)
  "Return true if ENTRY is in code that is part of SBCL, including ASDF, or if ENTRY is a callee that is an internal function of SBCL."
  (let* ((owner (owner-of (entry-name entry)))
         (home (and owner (symbol-package owner)))
         (source (entry-source entry))
         (pathname (and source (definition-source-pathname source))))
    (cond ((and home (user-package-p home)) nil)
          ((and (entry-owner entry) home (inside-package-p home)) t)
          ;; A user's method on a standard function does not have a user's name, but it has a user's source.
          ((and source (getf (definition-source-plist source) :evaluation)) nil)
          (pathname (sbcl-source-p pathname))
          (t (null (entry-owner entry))))))

(defun entry-key (entry)
  "Return the sort key of ENTRY: rank, name, file, position in the file, form number, and printed name. The printed name distinguishes the
writer of a slot from the reader."
  (let* ((owner (owner-of (entry-name entry)))
         (home (and owner (symbol-package owner))))
    (destructuring-bind (&optional pathname form-path evaluation offset) (entry-place entry)
      (declare (ignore evaluation))
      (list (cond ((and home (user-package-p home)) 0)
                  ((implementation-entry-p entry) 2)
                  (t 1))
            (if owner (symbol-name owner) "")
            (if (and pathname (stringp (pathname-name pathname))) (pathname-name pathname) "")
            (or (first form-path) offset 0)
            (entry-number entry)
            (print-short (entry-name entry) 200)))))

(defun key-before-p (one other)
  (loop for mine in one
        for others in other
        do (cond ((equal mine others))
                 ((stringp mine) (return (and (string< mine others) t)))
                 (t (return (< mine others))))
        finally (return nil)))

(defun owner-of (name)
  "Return the symbol that a piece of code belongs to, judging by NAME, SBCL's name for that code; NIL if there is none."
  (cond ((symbolp name) name)
        ((atom name) nil)
        ((eq (first name) :method) (owner-of (third name)))
        ((member (first name) '(lambda flet labels))
         (let ((place (member :in name))) (and place (owner-of (second place)))))
        ((and (symbolp (first name)) (consp (rest name)) (symbolp (second name))) (second name))
        ((and (consp (rest name)) (consp (second name))) (owner-of (second name)))
        (t (owner-of (first name)))))

;;; Records

(defun entry-record (entry)
  (let ((name (entry-name entry)) (owner (owner-of (entry-name entry))))
    (multiple-value-bind (kind text) (shown-entry-name name)
      (record-at kind text
                 (if (accessor-entry-p entry)
                     (method-place (second name) owner)
                     (place-with (entry-source entry) (or (entry-owner entry) owner)
                                 (lambda (top numbered symbol) (referring-node entry top numbered symbol))))))))

(defun accessor-entry-p (entry)
  "Return true if ENTRY is an accessor method that a slot definition created."
  (let ((name (entry-name entry)))
    (and (consp name) (typep (second name) 'sb-mop:standard-accessor-method))))

(defun shown-entry-name (name)
  "Return the kind and the displayed name of the code with the name NAME."
  (let ((head (and (consp name) (symbolp (first name)) (symbol-name (first name)))))
    (flet ((is (&rest heads) (member head heads :test #'equal)))
      (cond ((and (symbolp name) (fboundp name)) (values (first (function-kinds name)) (print-short name 300)))
            ((symbolp name) (values "function" (print-short name 300)))
            ((stringp name) (values "form" name))
            ((is "METHOD") (values (method-kind (second name)) (if (typep (second name) 'method)
                                                (method-name-text (second name) (third name))
                                                (print-words (rest name)))))
            ((is "FAST-METHOD" "SLOW-METHOD") (values "method" (print-words (rest name))))
            ((is "MACRO-FUNCTION" "DEFMACRO") (values "macro" (print-short (second name) 300)))
            ((is "COMPILER-MACRO" "COMPILER-MACRO-FUNCTION") (values "compiler-macro" (print-short (second name) 300)))
            ((is "SETF") (values "setf-function" (print-short name 300)))
            ((is "LAMBDA" "FLET" "LABELS") (values "local-function" (print-short name 300)))
            (t (values "function" (print-short name 300)))))))

(defun method-kind (method)
  "Return the kind of METHOD. Methods that a slot definition created have their own kinds."
  (typecase method
    (sb-mop:standard-reader-method "reader-method")
    (sb-mop:standard-writer-method "writer-method")
    (t "method")))

(defun print-words (parts)
  (format nil "~{~A~^ ~}" (mapcar (lambda (part) (print-short part 200)) parts)))

(defun referring-node (entry top numbered symbol)
  "Return the token to which ENTRY refers, or the form, such as a macro call, whose expansion mentions the symbol. In an unchanged file, the
form number identifies the form. For evaluated code, SBCL counts forms after expansion, so the order of the references is used. The order is
also used for a file that has changed."
  (let* ((mention (entry-mention entry))
         (plist (definition-source-plist (entry-source entry)))
         (exact (and numbered (not (entry-whole entry)) (null (getf plist :evaluation))
                     (or (direct-mention numbered mention) (mention-in numbered mention (entry-depth entry))))))
    (or exact
        (let* ((definition (if symbol (definition-node top numbered symbol) top))
               (mentions (likely-mentions definition entry)))
          (or (and (or (null numbered) (getf plist :evaluation))
                   (nth (min (entry-turn entry) (max 0 (1- (length mentions)))) mentions))
              (and numbered (parameters-p numbered definition)
                   (first (unclaimed-mentions mentions entry top)))
              (and (not (entry-whole entry)) numbered)
              (first mentions)
              definition)))))

(defun parameters-p (node definition)
  "Return true if NODE is the lambda list of DEFINITION. This matters because SBCL gives some calls in methods the form number of the lambda
list."
  (and (definition-node-p definition)
       (eq node (find :list (rest (node-children definition)) :key #'node-kind))))

(defun unclaimed-mentions (mentions entry top)
  "Return MENTIONS except for mentions that belong to another entry in TOP, according to the other entry's form number."
  (let* ((nodes (numbered-nodes top))
         (claimed (loop for number in (entry-rivals entry)
                        for node = (and (< number (length nodes)) (aref nodes number))
                        when node collect (or (direct-mention node (entry-mention entry))
                                              (mention-in node (entry-mention entry) (entry-depth entry))))))
    (set-difference mentions claimed)))

(defun likely-mentions (definition entry)
  "Return the tokens in the body of DEFINITION to which ENTRY may refer: only calls if ENTRY is a call, otherwise all tokens except calls.
If there are no such tokens, return all tokens that mention the symbol."
  (let* ((mention (entry-mention entry))
         (parameters (position :list (node-children definition) :key #'node-kind :start 1))
         (body (if (and (definition-node-p definition) (not (eq (entry-call entry) :specializer)))
                   (nthcdr (if parameters (1+ parameters) 2) (node-children definition))
                   (node-children definition)))
         (all (loop for part in body append (mentions-in part mention)))
         (called (loop for part in body append (called-mentions part mention)))
         (likely (if (eq t (entry-call entry)) called (set-difference all called))))
    (or (sort (copy-list likely) #'< :key #'node-start) all)))

(defun called-mentions (node symbol)
  "Return the tokens that name SYMBOL at the head of a list, or after a quote or #'."
  (let ((found '()))
    (labels ((look (node)
               (unless (quoted-list-p node)
                 (let ((first (first (node-children node))))
                   (when (and first (token-named-p first (symbol-name symbol))
                              (member (node-kind node) '(:list :quote :function)))
                     (push first found)))
                 (mapc #'look (node-children node)))))
      (look node)
      found)))

(defun direct-mention (node symbol)
  (find-if (lambda (child) (and (eq (node-kind child) :token) (string= (symbol-name symbol) (node-name child))))
           (node-children node)))
