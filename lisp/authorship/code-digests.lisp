;;;; Computes digests of the code that an author compiled. They cover the instructions as the assembler emits them, before addresses are
;;;; known, and also fixups and constants. The person's review of a definition is bound to its digest: recompiled code counts as reviewed
;;;; only if its digest is equal. Code that cannot be compared, such as code with an instance among its constants, has no digest. Its review
;;;; is not carried over.

(in-package #:lisp-workbench/evaluation)

(defun install-code-digests ()
  "Record the digest of each author's code when the code is compiled."
  (surround 'make-core-component 'lisp-workbench #'note-component))

(defun note-component (original &rest arguments)
  (let ((results (multiple-value-list (apply original arguments))))
    (when (and *guard* (not *compiles-for-itself*))
      (let* ((code (find-if #'code-p results))
             (digest (ignore-errors (component-digest arguments code))))
        (dolist (author (authors-of-component code)) (push digest (associated author *code-of-authors*)))))
    (values-list results)))

(defun code-p (object)
  (let ((type (type-of object))) (and (symbolp type) (string= type "CODE-COMPONENT"))))

(defun authors-of-component (code)
  "Return the authors of CODE, a code object that was just created. These are the authors in its entries or, if there are none, the author
of the current compilation."
  (or (and code (authors-in-code code))
      (destructuring-bind (compilation . author) *latest-author*
        (and author (eq compilation *compile-object*) (list author)))))

(defun component-digest (arguments code)
  "Return the digest of the component from which the code object CODE was just created. ARGUMENTS are the arguments of the compiler's
function that created it."
  (let* ((parts (append arguments (mapcan #'slots-of (remove-if-not #'assembly-p arguments))))
         (segment (find-if (lambda (each) (structure-named-p each "SEGMENT")) parts))
         (notes (find-if (lambda (each) (and (consp each) (structure-named-p (first each) "FIXUP-NOTE"))) parts)))
    (and segment code
         (digest-of-facts
          (ignore-errors (segment-contents-as-vector segment))
          (loop for note in notes ; kind and position of the note, and flavor, offset and name of its fixup
                collect (loop for fact in (slots-of note)
                              append (if (structure-named-p fact "FIXUP") (slots-of fact) (list fact))))
          (loop for index from code-constants-offset below (code-header-words code)
                for constant = (code-header-ref code index)
                collect (if (and (functionp constant) (eq code (fun-code-header (%fun-fun constant)))) :own constant))))))

(defun assembly-p (object)
  (structure-named-p object "ASSEMBLY"))

(defun structure-named-p (object name)
  "Return true if OBJECT is a structure whose type is named NAME, as the compiler's structures are."
  (and (typep object 'structure-object) (string= name (class-name (class-of object)))))

(defun slots-of (structure)
  (mapcar (lambda (slot) (slot-value structure (sb-mop:slot-definition-name slot))) (sb-mop:class-slots (class-of structure))))

(defun code-digest (authors &rest facts)
  "Return the digest of the code that AUTHORS compiled, with FACTS about its use, such as the values that a closure holds; NIL if the code
cannot be compared. Do not run user code, because the engine also calls this function for arbitrary objects."
  ;; An author that created only forms, such as those of a symbol macro, has no component. The code that defines the symbol macro has one.
  (let ((components (loop for author in authors for digests = (associated author *code-of-authors*)
                          when digests collect (reverse digests))))
    (and components
         (notany (lambda (digests) (member nil digests)) components)
         (digest-of-facts (sort (mapcar (lambda (digests) (apply #'concatenate 'string digests)) components) #'string<) facts))))

;;; Writing objects for a digest. Equal objects are written the same way in every process.

(defconstant +most-objects+ 20000 "The maximum number of objects in a digest. Code whose constants contain more objects has no digest.")
(defconstant +most-characters+ 1000000 "The maximum length of a string, or vector of octets, in a digest.")

(defun digest-of-facts (&rest facts)
  "Return the digest of FACTS; NIL if one of them contains an object that cannot be compared."
  (catch 'incomparable
    (let ((text (with-output-to-string (stream)
                  (let ((seen (make-hash-table :test #'eq)) (count 0))
                    (labels ((put (object)
                               (when (> (incf count) +most-objects+) (throw 'incomparable nil))
                               (put-object object stream seen #'put)))
                      (mapc #'put facts))))))
      (text-digest text))))

(defun put-object (object stream seen put)
  "Write OBJECT to STREAM without the printer, because code can define printer methods. PUT writes a component of the object; SEEN maps each
object that may be referred to again to its number."
  (labels ((tag (letter &rest numbers)
             (write-char letter stream)
             (dolist (number numbers) (put-integer number stream)))
           (parts (&rest objects) (mapc put objects))
           (short (vector)
             (if (> (length vector) +most-characters+) (throw 'incomparable nil) vector))
           (text (string)
             (tag #\t (length (short string)))
             (write-string (coerce string 'simple-string) stream)))
    (typecase object
      (symbol (cond ((and (symbol-package object) (gethash object seen)) (tag #\r (number-of object seen)))
                    ((symbol-package object)
                     (number-of object seen)
                     (tag #\s)
                     (text (package-name (symbol-package object)))
                     (text (symbol-name object)))
                    ;; An uninterned symbol can have any value, and the digest would not cover that value.
                    ((or (boundp object) (fboundp object) (symbol-plist object)) (throw 'incomparable nil))
                    (t (tag #\u (number-of object seen)))))
      (integer (tag #\i object))
      (ratio (tag #\q (numerator object) (denominator object)))
      (float (tag #\f)
       (parts (type-of object)
              (handler-case (multiple-value-list (integer-decode-float object)) (error () (throw 'incomparable nil)))))
      (complex (tag #\x) (parts (realpart object) (imagpart object)))
      (character (tag #\c (char-code object)))
      ;; Code can reach elements beyond the fill pointer, or the array to which this one is displaced.
      ((and array (not simple-array)) (throw 'incomparable nil))
      (string (text object))
      ((vector (unsigned-byte 8))
       (tag #\o (length (short object)))
       (loop for octet across object do (write-char (code-char octet) stream)))
      (t (if (gethash object seen)
             (tag #\r (number-of object seen))
             (progn
               (unless (functionp object) (number-of object seen))
               (typecase object
                 (cons (tag #\l)
                  ;; Iterates along the list instead of recursing, because a constant list may be long.
                  (loop for rest = object then (cdr rest)
                        do (funcall put (car rest))
                        while (and (consp (cdr rest)) (not (gethash (cdr rest) seen)))
                        do (number-of (cdr rest) seen)
                        finally (funcall put (cdr rest))))
                 (array (tag #\a)
                  (parts (array-element-type object) (array-dimensions object))
                  (dotimes (index (array-total-size object)) (funcall put (row-major-aref object index))))
                 (pathname (tag #\p)
                  (parts (type-of object) (pathname-directory object) (pathname-name object) (pathname-type object)
                         (pathname-version object)))
                 (package (tag #\k) (text (package-name object)))
                 (author (tag #\w))
                 (function (put-function object #'tag put))
                 (t (put-internal object #'tag put)))))))))

(defun put-integer (integer stream)
  (write-char (if (minusp integer) #\- #\+) stream)
  (loop for rest = (abs integer) then (ash rest -4)
        do (write-char (char "0123456789abcdef" (ldb (byte 4 0) rest)) stream)
        until (< rest 16))
  (write-char #\; stream))

(defun number-of (object seen)
  (or (gethash object seen) (setf (gethash object seen) (hash-table-count seen))))

(defun put-function (function tag put)
  "Write FUNCTION: its name, if it is the global function with this name; otherwise its code and the values that it closes over."
  (let ((name (%fun-name function)))
    (cond ((and (typep name '(or symbol (cons (eql setf) (cons symbol null)))) (ignore-errors (eq function (fdefinition name))))
           (funcall tag #\n) (funcall put name))
          ((typep function 'sb-mop:funcallable-standard-object) (throw 'incomparable nil))
          (t (let ((code (function-authors function)))
               (funcall tag #\d)
               (funcall put (or (code-digest code) (throw 'incomparable nil)))
               (funcall put (closed-over function)))))))

(defun closed-over (function)
  "Return the values that FUNCTION closes over."
  (and (closurep function) (%closure-values function)))

(defparameter *packages-of-sbcl* '("SB-C" "SB-DI" "SB-FASL" "SB-IMPL" "SB-INT" "SB-KERNEL" "SB-PCL" "SB-VM") "The names of the packages
whose classes the compiler uses for the objects that it stores as constants.")

(defun put-internal (object tag put)
  "Write OBJECT if it is of a kind that SBCL's compiler stores as a constant of code. Other objects cannot be compared."
  (let* ((class (class-name (class-of object)))
         (package (and class (symbol-package class)))
         ;; User code can define a structure of the same name.
         (name (if (and package (member (package-name package) *packages-of-sbcl* :test #'string=)) (symbol-name class) "")))
    (cond ((typep object 'fdefn) (funcall tag #\e) (funcall put (fdefn-name object)))
          ((= value-cell-widetag (widetag-of object)) (funcall tag #\v) (funcall put (value-cell-ref object)))
          ((or (eql 0 (search "DEFINITION-SOURCE-LOCATION" name)) (string= "DEBUG-SOURCE" name)) (funcall tag #\y)) ; source locations, not
                                                                                                                    ; code
          ((string= "COMMA" name) (funcall tag #\g) (mapc put (slots-of object)))
          ((string= "CLASSOID-CELL" name) (funcall tag #\h) (funcall put (first (remove-if-not #'symbolp (slots-of object)))))
          ((or (search "LAYOUT" name) (search "WRAPPER" name))
           (funcall tag #\z) (funcall put (or (ignore-errors (classoid-name (wrapper-classoid object))) (throw 'incomparable nil))))
          ((typep object 'class) (funcall tag #\m) (funcall put (or (class-name object) (throw 'incomparable nil))))
          (t (throw 'incomparable nil)))))
