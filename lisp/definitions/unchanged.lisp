;;;; Compares a repeated definition with its previous state. Such definitions are frequent, because a file is always loaded as a whole
;;;; although most of its definitions have not changed. Definitions that cannot be compared count as changed.

(in-package #:lisp-workbench/definitions)

(defconstant +most-compared+ 20000 "The maximum number of components to compare between two states.")
(defvar *compared* 0 "The number of components that may still be compared.")

(defun same-state-p (before after)
  "Return true if BEFORE and AFTER, states of one key, are equivalent. The place of the definition does not matter."
  (let ((*compared* +most-compared+))
    (sound (and before after (eq (state-kind before) (state-kind after))
                ;; A redefined class is the same object, so its facts must be compared. For some classes there are no known facts.
                (or (null (state-fact before :class)) (state-fact before :metaclass) (state-fact before :description))
                (same-facts-p (rest before) (rest after))))))

(defun same-facts-p (before after)
  (loop for (fact value) on before by #'cddr
        always (case fact
                 (:location t)
                 (:slots (same-slots-p value (getf after fact)))
                 (:methods (and (= (length value) (length (getf after fact)))
                                (every (lambda (method) (find method (getf after fact) :test #'same-object-p)) value)))
                 (:exports (null (set-exclusive-or value (getf after fact))))
                 (t (same-object-p value (getf after fact))))))

(defun same-slots-p (before after)
  "Return true if the slot specifications BEFORE and AFTER are equal. Initfunctions are ignored, because each definition creates a new one
for the same initform."
  (and (= (length before) (length after))
       (every (lambda (one other)
                (loop for (fact value) on one by #'cddr
                      always (or (eq fact :initfunction) (same-object-p value (getf other fact)))))
              before after)))

(defun same-object-p (one other)
  (cond ((minusp (decf *compared*)) nil)
        ((eql one other) t)
        ;; This object is the entry test of a function that an author compiled.
        ((typep one '(cons t (cons author))) (and (typep other '(cons t (cons author))) (same-object-p (second one) (second other))))
        ((consp one) (and (consp other) (same-object-p (car one) (car other)) (same-object-p (cdr one) (cdr other))))
        ((functionp one) (and (functionp other) (same-function-p one other)))
        ((and (symbolp one) (symbolp other))
         (and (null (symbol-package one)) (null (symbol-package other))
              ;; GENSYM counts.
              (string= (string-right-trim "0123456789" one) (string-right-trim "0123456789" other))))
        ((or (stringp one) (bit-vector-p one)) (and (equal (type-of one) (type-of other)) (equal one other)))
        ((vectorp one)
         (and (vectorp other) (equal (array-element-type one) (array-element-type other))
              (= (length one) (length other)) (every #'same-object-p one other)))
        ((typep one 'standard-method)
         (and (typep other 'standard-method)
              (equal (qualifiers-of one) (qualifiers-of other)) (equal (specializer-names one) (specializer-names other))
              (equal (read-of-users nil (documentation one t)) (read-of-users nil (documentation other t)))
              (same-function-p (method-code one) (method-code other))))
        ((pathnamep one) (equal one other))
        ((typep one 'author) (and (typep other 'author) (equal (author-actor one) (author-actor other))))
        ((lacking "comparing reloaded code") nil)
        ((typep one 'comma) (and (typep other 'comma) (equalp one other))) ; the source of a macro contains comma objects
        ((typep one 'fdefn) (and (typep other 'fdefn) (equal (fdefn-name one) (fdefn-name other))))
        ((typep one 'defstruct-description) (and (typep other 'defstruct-description) (same-structure-p one other)))))

(defun same-structure-p (one other)
  "Return true if ONE and OTHER describe a DEFSTRUCT with the same slots, constructors and names."
  (and (eq (dd-name one) (dd-name other))
       (equalp (dd-slots one) (dd-slots other))
       (equalp (dd-include one) (dd-include other))
       (eq (dd-predicate-name one) (dd-predicate-name other))
       (eq (dd-copier-name one) (dd-copier-name other))
       (same-object-p (dd-constructors one) (dd-constructors other))))

;;; Texts. The same text may compile to different code, because the result also depends on how and for which actor it was compiled.

(defun same-text-p (key earlier before after text package file)
  "Return true if the same text defines KEY as in EARLIER, and if no definition that is copied into its code has changed since. EARLIER is
the event that created BEFORE, or NIL. TEXT is the text of KEY's form, read in PACKAGE, or NIL; FILE is the file being loaded. Closures
never count as the same."
  (and earlier before (eq (state-kind before) (state-kind after))
       (case (state-kind before)
         ((:function :macro :compiler-macro)
          (notany (lambda (state) (closed-over (state-fact state :function))) (list before after)))
         ((:method :type :structure :condition) t))
       (if text
           (and (equal text (event-text earlier)) (equal package (event-read-package earlier)))
           (and file (null (event-text earlier)) (equal file (event-file earlier)) (same-in-file-p key file)))
       (loop for change in *inlined-changes*
             while (> (event-id change) (event-id earlier))
             never (and (not (event-unchanged change)) (compiled-with-p after change)))))

(defun compiled-with-p (state change)
  "Return true if the function in STATE may contain code that CHANGE replaced. Check the function's own cross references, because SBCL
cannot search for all users of a name while a file is loaded."
  (let ((function (or (and (eq :method (state-kind state)) (method-code (state-fact state :method))) (state-fact state :function)))
        (names (cons (key-symbol (event-key change)) (mapcar #'cdar (event-parts change)))))
    (and (functionp function)
         (or (lacking "comparing reloaded code")
             (let ((references (ignore-errors (%simple-fun-xrefs (%fun-fun function)))))
               (some (lambda (name) (find name references :test #'equal)) names))))))

(defconstant +loaded-texts+ 300 "The maximum number of files whose texts are stored.")
(sb-ext:defglobal *loaded-texts* (make-hash-table :test #'equal :synchronized t)) ; native name → (text at the latest load . text at the
                                                                                  ; previous load)

(defun note-loaded-text (file text)
  "Record that FILE, a native name, is loaded with TEXT, which may be NIL."
  (when (and text (<= (length text) +longest-text+))
    (when (>= (hash-table-count *loaded-texts*) +loaded-texts+) (clrhash *loaded-texts*))
    (setf (gethash file *loaded-texts*) (cons text (car (gethash file *loaded-texts*))))))

(defun same-in-file-p (key file)
  "Return true if the forms of FILE that define the name of KEY are the same as at the previous load."
  (destructuring-bind (&optional now . before) (gethash file *loaded-texts*)
    (let ((name (and (key-symbol key) (symbol-name (key-symbol key)))))
      (and now before name
           (let ((forms (forms-defining name now)))
             (and forms (equal forms (forms-defining name before))))))))

(defun forms-defining (name text)
  "Return the texts of the forms in TEXT that begin in the first column and define NAME. Each text ends where the next form in the first
column begins."
  (flet ((next (start)
           (loop for at = (position #\( text :start (min start (length text))) then (position #\( text :start (1+ at))
                 while at when (or (zerop at) (char= #\Newline (char text (1- at)))) return at)))
    (loop for start = (next 0) then end
          while start
          for end = (next (1+ start))
          for form = (string-right-trim '(#\Space #\Newline #\Return) (subseq text start end))
          when (defines-name-p form name) collect form)))

(defun defines-name-p (form name)
  (and (string-equal "(def" (subseq form 0 (min 4 (length form))))
       (let* ((space (position-if #'blank-char-p form))
              (start (and space (position-if-not (lambda (char) (or (blank-char-p char) (char= char #\())) form :start space)))
              (end (and start (or (position-if (lambda (char) (or (blank-char-p char) (find char "()"))) form :start start) (length form)))))
         (and end
              (or (string-equal name (subseq form start end))
                  (and (string-equal "setf" (subseq form start end)) (search name form :start2 end :test #'char-equal) t))))))

(defun blank-char-p (char) (find char '(#\Space #\Newline #\Tab #\Return)))

;;; Functions

(defvar *functions-compared* '() "Pairs of code objects that are being compared. They prevent endless recursion, because a function may be
among its own constants.")

(defun same-function-p (one other)
  "Return true if the functions ONE and OTHER are equivalent: the same code except for addresses, the same constants, and the same
closed-over values."
  (unless (lacking "comparing reloaded code")
    (and (eq (closurep one) (closurep other))
         (or (not (closurep one))
             (same-object-p (%closure-values one) (%closure-values other)))
         (typep (%fun-fun one) 'compiled-function) (typep (%fun-fun other) 'compiled-function)
         (let ((pair (cons (fun-code-header (%fun-fun one)) (fun-code-header (%fun-fun other)))))
           (or (member pair *functions-compared* :test #'equal)
               (let ((*functions-compared* (cons pair *functions-compared*)))
                 (same-code-p (car pair) (cdr pair))))))))

(defun same-code-p (one other)
  (or (eq one other)
      (and (= (code-header-words one) (code-header-words other))
           (= (%code-text-size one) (%code-text-size other))
           (same-instructions-p one other)
           (loop for index from code-constants-offset below (code-header-words one)
                 always (same-object-p (code-header-ref one index) (code-header-ref other index))))))

(defun same-instructions-p (one other)
  "Return true if the instructions of the code objects ONE and OTHER are the same except for addresses. A relative address must lead to the
same target in both, and an absolute address to the same place within its own code."
  (let ((size (%code-text-size one)))
    (with-pinned-objects (one other)
      (let* ((here (code-instructions one)) (there (code-instructions other))
             (distance (- (sap-int there) (sap-int here)))
             (last -1))                 ; the index of the last octet of the latest address that differs
        (loop for at below size
              always (or (<= 4 at 7)    ; these octets contain the serial number of the code object
                         (= (sap-ref-8 here at) (sap-ref-8 there at))
                         (<= at last)
                         (loop for (width read sign) in `((4 ,#'signed-sap-ref-32 -1) (8 ,#'signed-sap-ref-64 1) (4 ,#'signed-sap-ref-32 1))
                               thereis (loop for start from (max 0 (1+ last) (- at width -1)) to (min at (- size width))
                                             thereis (and (= (* sign distance)
                                                             (- (funcall read there start) (funcall read here start)))
                                                          (setf last (+ start width -1)))))))))))
