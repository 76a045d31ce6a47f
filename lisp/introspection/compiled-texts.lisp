;;;; The texts of source files at the time when their code was compiled. SBCL records only a file's write date. With the text, a later
;;;; change of the file can be compared with the compiled code definition by definition.

(in-package #:lisp-workbench/introspection)

(sb-ext:defglobal *compiled-texts* '())  ; (file date . text), latest first; DATE is the write date that SBCL records
(sb-ext:defglobal *compiled-texts-lock* (sb-thread:make-mutex :name "lisp-workbench compiled texts"))

(defconstant +most-compiled-characters+ (* 16 1024 1024)
  "The maximum total number of characters of the stored texts. Beyond it, the oldest texts are dropped.")

(defconstant +settling-seconds+ 2
  "A file that was written less long ago may be written again with the same write date, which SBCL records in seconds.")

(defvar *noted-load* '(nil) "The *LOAD-TRUENAME* and the write date of the source file that was stored last.")

(defun note-compiled-text (key)
  "Store the text of the source file that is now being loaded, if it is still as it was compiled. Called when the definition of KEY was
created; the function or method of KEY names the source file, because a compiled file does not."
  (when *load-truename*
    (let* ((source (ignore-errors (source-of-code (code-of-key key)))) (date (and source (debug-source-created source))))
      (when (and date (not (and (eq *load-truename* (car *noted-load*)) (eql date (cdr *noted-load*)) (settled-p date))))
        (setf *noted-load* (cons *load-truename* date))
        (ignore-errors (store-compiled-text (existing-file (debug-source-namestring source)) date))))))

(defun settled-p (date)
  (< (+ date +settling-seconds+) (get-universal-time)))

(defun code-of-key (key)
  "Return the function whose code the definition of KEY contains, or NIL."
  (case (car key)
    (:function (let ((name (cdr key)))
                 (or (and (symbolp name) (macro-function name))
                     (let ((function (fdefinition name)))
                       (and (not (typep function 'generic-function)) function)))))
    (:method (let ((method (state-fact (capture key) :method))) (and method (method-code method))))))

(defun source-of-code (function)
  "Return the debug source of FUNCTION if its code comes from a file; otherwise NIL."
  (let ((source (and function (code-location-debug-source (debug-fun-start-location (fun-debug-fun function))))))
    (and source (null (getf (debug-source-plist source) :evaluation)) (debug-source-namestring source) source)))

(defun store-compiled-text (file date)
  "Store the current text of FILE, which replaces an earlier text with the same write date. Do nothing if FILE has another write date."
  (when (and file (eql date (file-write-date file)) (not (and (settled-p date) (compiled-text file date))))
    (let* ((text (file-text file :fresh t))
           (stored (and text (if (every (lambda (char) (typep char 'base-char)) text) (coerce text 'simple-base-string) text))))
      (unless (or (null stored) (equal stored (compiled-text file date)))
        (sb-thread:with-mutex (*compiled-texts-lock*)
          (let ((characters 0))
            (setf *compiled-texts*
                  (loop for entry in (acons file (cons date stored) (without-text file date))
                        do (incf characters (length (cddr entry)))
                        while (<= characters +most-compiled-characters+)
                        collect entry))))))))

(defun without-text (file date)
  (remove-if (lambda (entry) (and (eql date (second entry)) (string= file (first entry)))) *compiled-texts*))

(defun compiled-text (file date)
  "Return the text that FILE, a native name, had when it was compiled with the write date DATE; NIL if it was not stored."
  (let ((entry (find-if (lambda (entry) (and (eql date (second entry)) (string= file (first entry)))) *compiled-texts*)))
    (and entry (cddr entry))))

(defvar *widened* '() "(stored . text) for the stored texts that were requested last, so that a text remains the same object.")

(defun widened (stored)
  "Return STORED, a stored text, as a string of characters."
  (let ((known (assoc stored *widened* :test #'eq)))
    (if known
        (cdr known)
        (let ((text (coerce stored '(simple-array character (*)))))
          (setf *widened* (acons stored text (subseq *widened* 0 (min 7 (length *widened*)))))
          text))))

(defun source-texts (pathname date)
  "Return three values for a source file that was compiled with the write date DATE: the file's current text, or NIL if it cannot be read;
the text from which the code was compiled, or NIL if it is unknown; and the file's native name. The two texts are the same object if the
file has not changed since. A DATE of NIL counts as the current one."
  (let* ((file (native-file-name pathname))
         (text (and file (existing-file pathname) (file-text file)))
         (compiled (and file date (compiled-text file date))))
    (values text
            (cond ((and text compiled (string= text compiled)) text)
                  (compiled (widened compiled))
                  ((or (null date) (eql date (ignore-errors (file-write-date file)))) text))
            file)))

(defun native-file-name (pathname)
  "Return PATHNAME as a native absolute name, whether or not the file exists."
  (ignore-errors (sb-ext:native-namestring (merge-pathnames (translate-logical-pathname pathname)))))

(defun source-changed-p (source)
  "Return true if the file of SOURCE, a definition source, has changed since SOURCE's code was compiled."
  (multiple-value-bind (text compiled)
      (source-texts (definition-source-pathname source) (definition-source-file-write-date source))
    (not (and text (eq text compiled)))))
