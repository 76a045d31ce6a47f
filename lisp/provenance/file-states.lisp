;;;; The look-up `definition-states`: how what the image holds compares with what files say.

(in-package #:lisp-workbench/provenance)

(defconstant +most-states+ 5000)
(defconstant +most-files+ 50 "Files that one package is compared with.")

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
  "Records for the definitions of FILE, whose text in an editor is TEXT, and for what the image had from there."
  (let* ((source (read-source file text)) (forms (source-forms source)))
    (append (loop for form in forms
                  collect (state-record (form-state form source) :form form :source source))
            (let ((keys (mapcar #'file-form-key forms)) (records '()))
              (dolist (form (source-disk-forms source))
                (let ((key (file-form-key form))) (when key (loaded-tokens key (latest-event key) source))))
              (map-events (lambda (event)
                            (when (and (equal file (event-source event))
                                       (eq event (latest-event (event-key event)))
                                       (not (member (event-key event) keys :test #'equal))
                                       (had-own-form-p event)
                                       (guarded-capture (event-key event)))
                              (push (state-record "only-in-image" :key (event-key event) :file file) records))))
              records))))

(defun states-of-package (package)
  "Records for what PACKAGE defines, and for what the files that it stands in have for it."
  (let ((sources (make-hash-table :test #'equal)) (records '()) (seen (make-hash-table :test #'equal)))
    (flet ((source (file)
             (and file
                  (or (gethash file sources)
                      (and (< (hash-table-count sources) +most-files+)
                           (setf (gethash file sources) (read-source file nil)))))))
      (dolist (key (package-keys package))
        (let* ((file (key-file key)) (source (source file))
               (form (and source (find key (source-forms source) :key #'file-form-key :test #'equal))))
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
  "FORMS are those of TEXT, DISK-FORMS those of the file as it is now."
  name text forms disk-forms date)

(defun read-source (file text)
  (let* ((disk (file-text file :fresh t)) (shown (or text disk "")) (forms (file-forms shown)))
    (make-source :name file :text shown
                 :date (ignore-errors (file-write-date file))
                 :forms forms
                 :disk-forms (cond ((null disk) '()) (text (file-forms disk)) (t forms)))))

(defun form-state (form source)
  "CHANGED-IN-FILE: the image has what this file said once, or the editor has what its file does not."
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
  "Of FORM, where the image has a definition from elsewhere."
  (let ((disk (find-form (file-form-key form) (source-disk-forms source))))
    (if (or (null (source-disk-forms source)) (and disk (same-tokens-p form disk)))
        "changed-in-image"
        "changed-in-file")))

(defun event-forms (event)
  (file-forms (event-text event) (or (event-read-package event) "COMMON-LISP-USER")))

(defun find-form (key forms)
  (find key forms :key #'file-form-key :test #'equal))

(defun same-tokens-p (form other)
  (string= (node-tokens (file-form-node form)) (node-tokens (file-form-node other))))

(defun tokens-hash (form)
  (sxhash (node-tokens (file-form-node form))))

;;; What files said when they were loaded. The image keeps no text of that; it is noted while the file is still the same, so
;;; that a later change of one definition is told from the others.

(defconstant +most-noted+ 20000)

(sb-ext:defglobal *loaded-forms* (make-hash-table :test #'equal :synchronized t)
  "Key → (stamp . hash of the tokens). The stamp names the load.")

(defun loaded-tokens (key event source)
  "Hash of what the file of SOURCE said for KEY when it was loaded, NIL when that is not known."
  (let* ((stamp (list (source-name source) (key-file-date key) (and event (event-id event))))
         (noted (gethash key *loaded-forms*)))
    (if (equal stamp (car noted))
        (cdr noted)
        (let ((disk (find-form key (source-disk-forms source))))
          (when (and disk (unchanged-since-load-p key event source))
            (when (>= (hash-table-count *loaded-forms*) +most-noted+) (clrhash *loaded-forms*))
            (cdr (setf (gethash key *loaded-forms*) (cons stamp (tokens-hash disk)))))))))

(defun unchanged-since-load-p (key event source)
  (let ((loaded (key-file-date key)) (date (source-date source)))
    (and date
         (if loaded
             (= loaded date)
             (and event
                  (equal (event-source event) (source-name source))
                  (>= (event-time event) (* 1000 (- date +unix-epoch+))))))))

(defun had-own-form-p (event)
  "False for what came out of some macro: that it has no form in the file says nothing."
  (let ((key (event-key event)))
    (if (event-text event)
        (find-form key (event-forms event))
        (equal (event-source event) (caar (gethash key *loaded-forms*))))))

;;; What the image knows of a key

(defun guarded-capture (key)
  (ignore-errors (capture key)))

(defun key-source (key)
  "SB-INTROSPECT's source of what KEY names."
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
  "The file that EVENT came from. What a fasl brought before its first function is known by the fasl alone."
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
  "Keys of what PACKAGE defines in its own right: not the functions that structures and slots bring."
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
  "((key) …) of the methods of SYMBOL's functions."
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
  (let ((event (and key (latest-event key))) (start (and form (node-start (file-form-node form)))))
    (object "kind" (string-downcase (or (and key (state-kind (guarded-capture key)))
                                        (if form (file-form-kind form) (event-kind event))))
            "name" (cond (event (event-name event)) (key (event-name-text-of key)) (t (file-form-name form)))
            "package" (if key (key-package key) (file-form-package form))
            "state" state
            "file" file
            "offset" (and start (utf-16-offset (coerce (source-text source) 'simple-string) start))
            "line" (and start (1+ (count #\Newline (source-text source) :end start)))
            "actor" (and event (event-actor event))
            "evaluation" (and event (event-evaluation event))
            "event" (and event (event-id event)))))
