;;;; Where the definitions of a text stand that was compiled by way of a temporary file: in the file it came from, each at
;;;; its own top-level form. Functions know it from their code's debug source, everything else from a source location
;;;; that is made while the file is compiled.

(in-package #:lisp-workbench/compilation)

(defvar *loaded-code* :none "Code objects that the compiled text brought in, while it is loaded.")

(defun locate-definition (original)
  "Encapsulates what makes the source location of the form that is compiled."
  (let ((reading (and *compilation* (current-text-reading))))
    (if reading
        (let ((*source-plist* (form-plist *compilation* reading (second (last-toplevel-form reading))))
              (*source-namestring* (source-file *compilation*)))
          (funcall original))
        (funcall original))))

(defun current-text-reading ()
  "The reading of the text that was sent, when that is what the compiler works on right now."
  (let ((reading (find-if #'of-text-p (compilation-readings *compilation*))))
    (and reading
         *source-info*
         (eq (reading-info reading) (source-info-file-info *source-info*))
         reading)))

(defun last-toplevel-form (reading)
  (first (reading-forms reading)))

(defun form-plist (compilation reading position)
  "As SOURCE-PLIST of an evaluation, for the form that starts at POSITION."
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
  "Encapsulates what the loader calls with each code object."
  (when (listp *loaded-code*) (push code *loaded-code*))
  (funcall original code reason))

(defun load-compiled-text (fasl)
  "Load FASL, then let its functions say where they come from."
  (let ((*loaded-code* '()))
    (unwind-protect (load fasl)
      (dolist (code *loaded-code*) (ignore-errors (tell-origin code))))))

(defun tell-origin (code)
  (let* ((info (%code-debug-info code))
         (reading (find-if #'of-text-p (compilation-readings *compilation*)))
         (source (and (typep info 'compiled-debug-info) (debug-info-source info))))
    (when (and source reading (equal (debug-source-namestring source) (compilation-text-file *compilation*)))
      (let* ((debug-fun (fun-debug-fun (%code-entry-point code 0)))
             (number (compiled-debug-fun-tlf-number (compiled-debug-fun-compiler-debug-fun debug-fun)))
             (from (and number (aref (debug-source-start-positions source) number)))
             (form (and from (find from (toplevel-forms reading) :key #'second :test #'<=))))
        (setf (debug-info-source info)
              (make-debug-source :namestring (source-file *compilation*)
                                 :created (debug-source-created source)
                                 :start-positions (debug-source-start-positions source)
                                 :plist (form-plist *compilation* reading (second form))))))))
