;;;; The look-up `definition-states`: compares the definitions in the image with those in files.

(in-package #:lisp-workbench/provenance)

(defconstant +most-states+ 5000)
(defconstant +most-files+ 50 "The maximum number of files with which one package is compared.")

(define-operation "definition-states" (:looking-up request)
  (sweep-pending)
  (let* ((files (field request "files"))
         (records (if files
                      (loop for file across files
                            append (states-of-file (field file "file") (field file "text")))
                      (let ((package (designated-package (or (field request "package") "COMMON-LISP-USER"))))
                        (and package (states-of-package package))))))
    (object "definitions" (array-of (subseq records 0 (min +most-states+ (length records))))
            "more" (max 0 (- (length records) +most-states+)))))

(defun states-of-file (file text)
  "Return records of the definitions in FILE, whose text in the editor is TEXT. Add records of definitions that the image once loaded from
FILE."
  (let* ((source (read-source file text)) (forms (source-forms source)))
    (append (loop for form in forms
                  collect (state-record (form-state form source) :form form :source source))
            (let ((keys (source-forms-by-key source)) (records '()))
              (dolist (form (source-disk-forms source))
                (let ((key (file-form-key form))) (when key (loaded-tokens key (latest-event key) source))))
              (map-events (lambda (event)
                            (when (and (equal file (event-source event))
                                       (eq event (latest-event (event-key event)))
                                       (not (gethash (event-key event) keys))
                                       (had-own-form-p event)
                                       (guarded-capture (event-key event)))
                              (push (state-record "only-in-image" :key (event-key event) :file file) records))))
              records))))

(defun states-of-package (package)
  "Return records of the definitions of PACKAGE in the image, and of the definitions in the files from which they were loaded."
  (let ((sources (make-hash-table :test #'equal)) (records '()) (seen (make-hash-table :test #'equal)))
    (flet ((source (file)
             (and file
                  (or (gethash file sources)
                      (and (< (hash-table-count sources) +most-files+)
                           (setf (gethash file sources) (read-source file nil)))))))
      (dolist (key (package-keys package))
        (let* ((file (key-file key)) (source (source file))
               (form (and source (gethash key (source-forms-by-key source)))))
          (setf (gethash key seen) t)
          (push (if form
                    (state-record (form-state form source) :form form :source source)
                    (state-record "only-in-image" :key key :file file))
                records)))
      (loop for source being the hash-values of sources
            do (dolist (form (source-forms source))
                 (when (and (equal (package-name package) (file-form-package form))
                            (not (and (file-form-key form) (gethash (file-form-key form) seen))))
                   (push (state-record (form-state form source) :form form :source source) records))))
      (nreverse records))))

;;; A file and its definitions

(defstruct (source (:copier nil) (:predicate nil))
  "A file to compare with. FORMS are the definitions in TEXT, and DISK-FORMS those in the file on disk. Both are also indexed by key,
because a long file has thousands. The structure also stores the line and the offset of the latest requested position; counting continues
there, because positions are requested in order."
  name (text "" :type simple-string) forms disk-forms forms-by-key disk-forms-by-key date
  (counted 0 :type fixnum) (counted-lines 0 :type fixnum) (counted-units 0 :type fixnum))

(defun read-source (file text)
  (let* ((disk (file-text file :fresh t))
         (shown (coerce (or text disk "") 'simple-string))
         (forms (file-forms shown))
         (disk-forms (cond ((null disk) '()) (text (file-forms disk)) (t forms)))
         (by-key (by-key forms)))
    (make-source :name file :text shown
                 :date (ignore-errors (file-write-date file))
                 :forms forms :forms-by-key by-key
                 :disk-forms disk-forms :disk-forms-by-key (if (eq forms disk-forms) by-key (by-key disk-forms)))))

(defun by-key (forms)
  "Return a table that maps each key to the first of FORMS that has it."
  (let ((table (make-hash-table :test #'equal)))
    (dolist (form forms table)
      (let ((key (file-form-key form)))
        (when (and key (not (gethash key table))) (setf (gethash key table) form))))))

(defun source-place (source start)
  "Return two values for the character at START in the text of SOURCE: its wire offset, and its line number, counted from 1."
  (when (< start (source-counted source))
    (setf (source-counted source) 0 (source-counted-lines source) 0 (source-counted-units source) 0))
  (let ((text (source-text source)) (lines 0) (wide 0) (from (source-counted source)))
    (declare (type fixnum lines wide from start))
    (macrolet ((count-in (type)
                 `(loop for index of-type fixnum from from below start
                        for char = (schar (the ,type text) index)
                        do (cond ((char= char #\Newline) (incf lines))
                                 ((> (char-code char) #xffff) (incf wide))))))
      (etypecase text
        ((simple-array character (*)) (count-in (simple-array character (*))))
        (simple-base-string (count-in simple-base-string))))
    (setf (source-counted source) start)
    (values (+ start (incf (source-counted-units source) wide))
            (1+ (incf (source-counted-lines source) lines)))))

(defun form-state (form source)
  "Return the state of FORM. For example, the state is \"changed-in-file\" if the image has an earlier version of the file's definition, or
if the text in the editor differs from the file."
  (let* ((key (file-form-key form))
         (there (and key (guarded-capture key)))
         (event (and key (latest-event key))))
    (cond ((not there) "only-in-file")
          ((and event (event-text event)) (compare-texts form event source))
          ((and event (not (equal (event-source event) (source-name source)))) (changed-state form source))
          ((and (null event) (not (equal (key-file key) (source-name source)))) "unknown")
          (t (let ((loaded (loaded-tokens key event source)))
               (cond ((null loaded) "unknown")
                     ((eql loaded (tokens-hash form)) "same")
                     (t "changed-in-file")))))))

(defun compare-texts (form event source)
  (let ((other (find-form (event-key event) (event-forms event))))
    (cond ((null other) "unknown")
          ((same-tokens-p form other) "same")
          ((equal (event-source event) (source-name source)) "changed-in-file")
          (t (changed-state form source)))))

(defun changed-state (form source)
  "Return the state of FORM if the definition in the image does not come from FORM's file."
  (let ((disk (gethash (file-form-key form) (source-disk-forms-by-key source))))
    (if (or (null (source-disk-forms source)) (and disk (same-tokens-p form disk)))
        "changed-in-image"
        "changed-in-file")))

(defun event-forms (event)
  (file-forms (event-text event) :package-name (or (event-read-package event) "COMMON-LISP-USER")))

(defun find-form (key forms)
  (find key forms :key #'file-form-key :test #'equal))

(defun same-tokens-p (form other)
  (string= (form-tokens form) (form-tokens other)))

(defun tokens-hash (form)
  (sxhash (form-tokens form)))

;;; Hashes of the texts that definitions had in their files at load time. SBCL does not record these texts, so a hash is taken while the
;;; file is still unchanged. A later change of one definition can then be distinguished from changes of others.

(defconstant +most-noted+ 20000)

(sb-ext:defglobal *loaded-forms* (make-hash-table :test #'equal :synchronized t)
  "Key → (stamp . hash of the definition's tokens). The stamp identifies the load.")

(defun loaded-tokens (key event source)
  "Return the hash of the text of the definition KEY in the file of SOURCE at the time when the file was loaded. Return NIL if the hash is
unknown."
  (let* ((stamp (list (source-name source) (key-file-date key) (and event (event-id event))))
         (noted (gethash key *loaded-forms*)))
    (if (equal stamp (car noted))
        (cdr noted)
        (let ((form (or (compiled-form key source)
                        (and (unchanged-since-load-p key event source) (gethash key (source-disk-forms-by-key source))))))
          (when form
            (when (>= (hash-table-count *loaded-forms*) +most-noted+) (clrhash *loaded-forms*))
            (cdr (setf (gethash key *loaded-forms*) (cons stamp (tokens-hash form)))))))))

(defun compiled-form (key source)
  "Return the definition of KEY in the text from which its code was compiled, if the file of SOURCE has changed since and that text was
stored; otherwise NIL."
  (let ((date (key-file-date key)))
    (multiple-value-bind (text compiled) (and date (source-texts (source-name source) date))
      (and compiled (not (eq text compiled)) (form-of-key key compiled)))))

(defun unchanged-since-load-p (key event source)
  (let ((loaded (key-file-date key)) (date (source-date source)))
    (and date
         (if loaded
             (= loaded date)
             (and event
                  (equal (event-source event) (source-name source))
                  (>= (event-time event) (* 1000 (- date +unix-epoch+))))))))

(defun had-own-form-p (event)
  "Return true if the definition of EVENT had its own form in the file. A definition that a macro created has no form of its own, so its
absence from the file does not mean that it is missing."
  (let ((key (event-key event)))
    (if (event-text event)
        (find-form key (event-forms event))
        (equal (event-source event) (caar (gethash key *loaded-forms*))))))

;;; Information that the image has about a key

(defun guarded-capture (key)
  (ignore-errors (capture key)))

(defun key-source (key)
  "Return SB-INTROSPECT's source of the definition that KEY names."
  (let* ((state (guarded-capture key)) (kind (state-kind state)))
    (case (car key)
      (:function (known-source kind (cdr key) (state-fact state :function)))
      (:variable (known-source kind (cdr key) nil))
      (:class (known-source kind (cdr key) (state-fact state :class)))
      (:type (known-source :type (cdr key) nil))
      (:method (known-source :method (second key) (state-fact state :method))))))

(defun key-file (key)
  (let ((event (latest-event key)))
    (if event (event-source event) (introspected-file key))))

(defun event-source (event)
  "Return the file from which EVENT came. For a definition from a fasl, return the source file if SBCL knows it, otherwise the fasl. SBCL
does not know the source file of definitions before the first function in a fasl."
  (let ((file (event-file event)))
    (or (and file (null (event-text event)) (string-equal "fasl" (pathname-type (sb-ext:parse-native-namestring file)))
             (introspected-file (event-key event)))
        file)))

(defun introspected-file (key)
  (let* ((source (ignore-errors (key-source key)))
         (pathname (and source (definition-source-pathname source))))
    (and pathname (existing-file pathname))))

(defun key-file-date (key)
  (let ((source (ignore-errors (key-source key))))
    (and source (definition-source-file-write-date source))))

(defun package-keys (package)
  "Return the keys of the definitions in PACKAGE, except functions that structures and slots define."
  (let ((keys '()) (brought (make-hash-table :test #'equal)))
    (flet ((note (key) (when (guarded-capture key) (push key keys))))
      (map-own-symbols (symbol package)
        (let ((class (find-class symbol nil)))
          (when (typep class 'structure-class)
            (dolist (name (brought-names symbol)) (setf (gethash name brought) t))))
        (note (cons :class symbol))
        (note (cons :variable symbol))
        (unless (find-class symbol nil) (note (cons :type symbol)))
        (note (cons :function symbol))
        (note (cons :function (list 'setf symbol)))
        (setf keys (nconc (mapcar #'car (method-keys symbol)) keys))))
    (remove-if (lambda (key)
                 (and (eq (car key) :function)
                      (or (gethash (cdr key) brought)
                          (only-accessors-p (cdr key)))))
               (remove-duplicates (nreverse keys) :test #'equal))))

(defun brought-names (symbol)
  (ignore-errors (structure-function-names (find-defstruct-description symbol))))

(defun method-keys (symbol)
  "Return ((key) …) for the methods of the functions that SYMBOL names."
  (loop for name in (list symbol (list 'setf symbol))
        append (let ((function (and (fboundp name) (fdefinition name))))
                 (when (typep function 'generic-function)
                   (loop for method in (sb-mop:generic-function-methods function)
                         unless (typep method 'sb-mop:standard-accessor-method)
                           collect (list (method-key method name)))))))

(defun only-accessors-p (name)
  (let ((function (fdefinition name)))
    (and (typep function 'generic-function)
         (sb-mop:generic-function-methods function)
         (every (lambda (method) (typep method 'sb-mop:standard-accessor-method))
                (sb-mop:generic-function-methods function)))))

;;; Records

(defun state-record (state &key form source (key (and form (file-form-key form))) (file (and source (source-name source))))
  (let ((event (and key (latest-event key)))
        (place (and form (multiple-value-list (source-place source (node-start (file-form-node form)))))))
    (object "kind" (string-downcase (or (and key (state-kind (guarded-capture key)))
                                        (if form (file-form-kind form) (event-kind event))))
            "name" (cond (event (event-name event)) (key (event-name-text-of key)) (t (file-form-name form)))
            "package" (if key (key-package key) (file-form-package form))
            "state" state
            "file" file
            "offset" (first place)
            "line" (second place)
            "actor" (and event (event-actor event))
            "evaluation" (and event (event-evaluation event))
            "event" (and event (event-id event)))))
