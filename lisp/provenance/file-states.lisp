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
              (map-events (lambda (event)
                            (when (and (equal file (event-file event))
                                       (eq event (latest-event (event-key event)))
                                       (not (member (event-key event) keys :test #'equal))
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

(defstruct (source (:copier nil) (:predicate nil)) name text forms disk-forms date)

(defun read-source (file text)
  (let* ((disk (file-text file)) (shown (or text disk "")))
    (make-source :name file :text shown
                 :date (ignore-errors (file-write-date file))
                 :forms (file-forms shown)
                 :disk-forms (and disk text (file-forms disk)))))

(defun form-state (form source)
  (let* ((key (file-form-key form))
         (there (and key (guarded-capture key)))
         (event (and key (latest-event key))))
    (cond ((not there) "only-in-file")
          ((and event (event-text event)) (compare-texts form event))
          ((and event (not (equal (event-file event) (source-name source)))) "changed-in-image")
          ((and (null event) (not (equal (key-file key) (source-name source)))) "unknown")
          ((not (unchanged-since-load-p key event source)) "unknown")
          ((null (source-disk-forms source)) "same")
          (t (let ((disk (find key (source-disk-forms source) :key #'file-form-key :test #'equal)))
               (if (and disk (same-tokens-p form disk)) "same" "changed-in-image"))))))

(defun compare-texts (form event)
  (let ((other (find (event-key event) (file-forms (event-text event) (or (event-read-package event) "COMMON-LISP-USER"))
                     :key #'file-form-key :test #'equal)))
    (cond ((null other) "unknown")
          ((same-tokens-p form other) "same")
          (t "changed-in-image"))))

(defun same-tokens-p (form other)
  (string= (node-tokens (file-form-node form)) (node-tokens (file-form-node other))))

(defun unchanged-since-load-p (key event source)
  (let ((loaded (key-file-date key)) (date (source-date source)))
    (and date
         (if loaded
             (= loaded date)
             (and event (>= (event-time event) (* 1000 (- date +unix-epoch+))))))))

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
    (if event
        (event-file event)
        (let* ((source (ignore-errors (key-source key)))
               (pathname (and source (sb-introspect:definition-source-pathname source))))
          (and pathname (existing-file pathname))))))

(defun key-file-date (key)
  (let ((source (ignore-errors (key-source key))))
    (and source (sb-introspect:definition-source-file-write-date source))))

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
    (object "kind" (string-downcase (if form
                                        (file-form-kind form)
                                        (or (state-kind (guarded-capture key)) (event-kind event))))
            "name" (cond (event (event-name event)) (form (file-form-name form)) (t (event-name-text-of key)))
            "package" (if form (file-form-package form) (key-package key))
            "state" state
            "file" file
            "offset" (and start (utf-16-offset (coerce (source-text source) 'simple-string) start))
            "line" (and start (1+ (count #\Newline (source-text source) :end start)))
            "actor" (and event (event-actor event))
            "evaluation" (and event (event-evaluation event))
            "event" (and event (event-id event)))))
