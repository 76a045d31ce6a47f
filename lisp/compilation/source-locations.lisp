;;;; Sets the places of definitions in a text that was compiled through a temporary file. The places then refer to the text's original file,
;;;; each to its own top-level form. The place of a function is in the debug source of its code. Other definitions have a source location
;;;; that is created while the file is compiled.

(in-package #:lisp-workbench/compilation)

(defvar *loaded-code* :none "The code objects that the compiled text has created so far while it is being loaded.")

(defun locate-definition (original)
  "Advice on the function that creates the source location of the form that is compiled."
  (let ((reading (and *compilation* (current-text-reading))))
    (if reading
        (let* ((*source-plist* (form-plist *compilation* reading (second (last-toplevel-form reading))))
               (*given-namestring* (source-file *compilation*)) (*source-namestring* *given-namestring*))
          (funcall original))
        (funcall original))))

(defun current-text-reading ()
  "Return the reading of the text that was sent, if the compiler is working on that text; otherwise NIL."
  (let ((reading (find-if #'of-text-p (compilation-readings *compilation*))))
    (and reading
         *source-info*
         (eq (reading-info reading) (source-info-file-info *source-info*))
         reading)))

(defun last-toplevel-form (reading)
  (first (reading-forms reading)))

(defun form-plist (compilation reading position)
  "Return a source plist, like SOURCE-PLIST for an evaluation, for the form that starts at POSITION."
  (let* ((source (compilation-source compilation))
         (text (reading-text* reading))
         (position (min (or position 0) (length text))))
    (append (compilation-plist compilation)
            (and source
                 (list :file (field source "file")
                       :offset (+ (field source "offset") (utf-16-offset text position))
                       :line (+ (field source "line") (count #\Newline text :end position)))))))

(defun source-file (compilation)
  (let ((source (compilation-source compilation)))
    (and source (field source "file"))))

(defun note-loaded-code (original code reason)
  "Advice on the function that the loader calls with each code object."
  (when (listp *loaded-code*) (push code *loaded-code*))
  (funcall original code reason))

(defun load-compiled-text (fasl)
  "Load FASL, and set the origins of its functions. Set them at the end, after the loader has set SBCL's own source, and also before loaded
code stops in the debugger."
  (let* ((*loaded-code* '())
         (*before-debugger* (cons #'tell-origins *before-debugger*))
         (*loaded-form* #'form-of-plist))
    (unwind-protect (handler-bind ((redefinition-warning #'note-redefinition-in-file)) (load fasl))
      (tell-origins))))

(defun form-of-plist (plist)
  "Return the source text of the top-level form for which FORM-PLIST returned PLIST, if it is in the compiled text; NIL for other plists."
  (let* ((reading (find-if #'of-text-p (compilation-readings *compilation*)))
         (source (compilation-source *compilation*))
         (offset (and source (getf plist :offset)))
         (entry (and reading offset
                     (equal (getf plist :evaluation) (getf (compilation-plist *compilation*) :evaluation))
                     (find (character-offset (reading-text* reading) (- offset (field source "offset")))
                           (toplevel-forms reading) :key #'second))))
    (and entry (form-text reading entry))))

(defun tell-origins ()
  (dolist (code *loaded-code*) (ignore-errors (tell-origin code))))

(defun note-redefinition-in-file (condition)
  "Record a redefinition. Muffle the warning if the same file made the previous definition, because a text is compiled repeatedly."
  (note-condition condition)
  (when (and (compilation-source *compilation*)
             (ignore-errors (stood-there-p condition (redefinition-warning-name condition))))
    (muffle-warning condition)))

(defun tell-origin (code)
  (let* ((info (%code-debug-info code))
         (reading (find-if #'of-text-p (compilation-readings *compilation*)))
         (source (and (typep info 'compiled-debug-info) (debug-info-source info))))
    (when (and source reading (equal (debug-source-namestring source) (compilation-text-file *compilation*)))
      (let* ((debug-fun (fun-debug-fun (%code-entry-point code 0)))
             (number (compiled-debug-fun-tlf-number (compiled-debug-fun-compiler-debug-fun debug-fun)))
             ;; The loader sets the start positions only at its end.
             (starts (or (debug-source-start-positions source) (map 'vector #'second (toplevel-forms reading))))
             (from (and number (< number (length starts)) (aref starts number)))
             (form (and from (find from (toplevel-forms reading) :key #'second :test #'<=))))
        (setf (debug-info-source info)
              (make-debug-source :namestring (source-file *compilation*)
                                 :created (debug-source-created source)
                                 :start-positions starts
                                 :plist (append (form-plist *compilation* reading (second form))
                                             (and form (list :hash (sxhash (form-text reading form)))))))))))

(defun form-text (reading entry)
  (subseq (reading-text* reading) (second entry) (cddr entry)))

(defun form-finder (compilation package)
  "Return a function that takes a key and finds the top-level form that defines it in the text of COMPILATION. The reading began in PACKAGE.
If several forms define the key, as for methods, repeated calls return these forms in order."
  (let ((taken '()))
    (lambda (key)
      (let* ((reading (find-if #'of-text-p (compilation-readings compilation)))
             (entries (and reading (toplevel-forms reading)))
             (fitting (remove-if-not (lambda (entry) (defines-p (first entry) key)) entries))
             (entry (or (find-if-not (lambda (entry) (member (second entry) taken)) fitting)
                        (first (last fitting)))))
        (when entry
          (destructuring-bind (start . end) (rest entry)
            (push start taken)
            (let ((plist (form-plist compilation reading start)))
              (values (subseq (reading-text* reading) start end) (package-at entries start package)
                      (getf plist :file) (getf plist :offset) (getf plist :line)))))))))

(defun defines-p (form key)
  "Return true if FORM appears to define KEY, judging by its operator and the name after the operator: (DEFUN (SETF TOTAL) …)."
  (and (consp form) (symbolp (first form)) (eql 0 (search "DEF" (symbol-name (first form))))
       (let ((name (second-of form)))
         (if (eq (car key) :package)
             (and (eq (first form) 'defpackage) (string= (string name) (cdr key)))
             (and (eq (key-symbol key) (leading-symbol name))
                  (eq (eq (car key) :method) (eq (first form) 'defmethod)))))))

(defun package-at (entries position package)
  "Return the name of the package in which the form at POSITION was read. This is the package of the last IN-PACKAGE before POSITION; if
there is none, PACKAGE."
  (loop for (form start) in entries
        while (< start position)
        do (when (and (consp form) (eq (first form) 'in-package))
             (setf package (or (find-package (second-of form)) package))))
  (package-name package))
