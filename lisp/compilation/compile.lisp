;;;; The operations `compile-text` and `compile-file`.

(in-package #:lisp-workbench/compilation)

(define-run "compile-text" (evaluation request)
  (multiple-value-bind (package readtable) (text-environment request)
    (let ((directory (make-temporary-directory)))
      (unwind-protect
           (compile-text-in directory evaluation request package readtable)
        (delete-directory-quietly directory)))))

(define-run "compile-file" (evaluation request)
  (let* ((file (probe-source (field request "file")))
         (fasl (output-file file (field request "output")))
         (package (or (given-package request) (find-package '#:common-lisp-user)))
         (directory (make-temporary-directory))
         (written (write-stamp (native-name file)))
         (external-format (external-format-named (field request "externalFormat"))))
    (unwind-protect
         (run-compilation evaluation (make-compilation) file (merge-pathnames "new.fasl" directory) external-format
                          (field request "load")
                          package *readtable*
                          (lambda (new)
                            (note-loaded-text (native-name file) (file-text (native-name file)))
                            ;; If the source was written in the meantime, ASDF would wrongly consider the fasl up to date.
                            (when (or (field request "output") (eql written (write-stamp (native-name file))))
                              (keep-fasl new fasl (field request "output")))))
      (delete-directory-quietly directory))))

(defun text-environment (request)
  (given-package request)
  (context-environment request))

(defun given-package (request)
  "Return the package that the request names, or NIL if it names none. Signal an error if the package is unknown."
  (let ((given (field request "package")))
    (and given
         (or (designated-package given)
             (error 'simple-package-error :package given
                    :format-control "The name ~S does not designate any package." :format-arguments (list given))))))

;;; A text

(defun compile-text-in (directory evaluation request package readtable)
  (let* ((file (merge-pathnames "text.lisp" directory))
         (compilation (make-compilation
                       :text-file (sb-ext:native-namestring file)
                       :source (field request "source")
                       :plist (list :evaluation (evaluation-id evaluation) :actor (evaluation-actor evaluation)))))
    (with-open-file (stream file :direction :output :external-format :utf-8)
      (write-string (field request "text") stream))
    (setf (compilation-text-file compilation) (sb-ext:native-namestring (truename file))
          (compilation-text compilation) (field request "text"))
    (call-with-policy
     compilation (field request "policy")
     (lambda (&aux (*form-finder* (form-finder compilation package)))
       (prog1 (compile-with-marks directory evaluation compilation package readtable)
         ;; If the text is only a part of its source, the coverage of the other parts stays valid.
         (when (and (field request "source") (eq t (field request "whole")) (field request "load"))
           (note-coverage (field (field request "source") "file") (source-file compilation) (field request "text")
                          (policy-counts-p (field request "policy")) (namestring (truename file)))))))))

(defun compile-with-marks (directory evaluation compilation package readtable)
  "Compile the text with the marks of the request and return the result. If a mark is refused, load nothing and compile the text again
without marks, because the diagnostics may be due to the mark, and macros may have been defined with it."
  (let ((request (evaluation-request evaluation)))
    (setf (compilation-marks compilation) (marks-of request))
    (let ((result (call-marking (mapcar #'mark-id (compilation-marks compilation))
                                (lambda ()
                                  (compile-text-once directory evaluation compilation package readtable (field request "load"))))))
      (if (compilation-refused compilation)
          (compile-text-once directory evaluation (without-marks compilation) package readtable nil)
          result))))

(defun compile-text-once (directory evaluation compilation package readtable loadp)
  (run-compilation evaluation compilation (sb-ext:parse-native-namestring (compilation-text-file compilation))
                   (merge-pathnames "text.fasl" directory) :utf-8 loadp package readtable (constantly nil)
                   (lambda ()
                     (list "forms" (array-of (defining-forms compilation (compilation-text compilation) package))
                           "refused" (array-of (compilation-refused compilation))))))

(defun without-marks (compilation)
  "Return a new COMPILATION of the same text in which only the refused marks are recorded."
  (make-compilation :text-file (compilation-text-file compilation) :text (compilation-text compilation)
                    :source (compilation-source compilation) :plist (compilation-plist compilation)
                    :policy-before (compilation-policy-before compilation)
                    :refused (compilation-refused compilation)))

(defun defining-forms (compilation text package)
  "Return objects for the top-level forms of TEXT that define or register something, in the format of an evaluation's forms. PACKAGE is the
current package at the start of TEXT."
  (let ((astral (find #xffff text :key #'char-code :test #'<))) ; only with such characters do offsets in characters differ from offsets on
                                                                ; the wire
    (flet ((wire-offset (position) (if astral (utf-16-offset text position) position)))
      (loop for (form start . end) in (loop for reading in (last (compilation-readings compilation))
                                            append (toplevel-forms reading))
            for (operator name) = (let ((*package* package)) (multiple-value-list (form-definition form t)))
            when operator
              collect (object "start" (wire-offset start) "end" (wire-offset end)
                              "defines" operator "name" name "package" (package-name package))
            when (typep form '(cons (eql in-package) (cons (or string symbol) null)))
              do (setf package (or (designated-package (string (second form))) package))))))

(defparameter *qualities* '(("speed" . speed) ("safety" . safety) ("debug" . debug) ("space" . space)
                            ("compilationSpeed" . compilation-speed) ("coverage" . store-coverage-data)))

(defun call-with-policy (compilation policy function)
  "Call FUNCTION with the optimization qualities in POLICY, a wire object."
  (let ((qualities (loop for (name . quality) in *qualities*
                         for value = (and policy (field policy name))
                         when value collect (list quality value))))
    (if (null qualities)
        (funcall function)
        (progn
          (setf (compilation-policy-before compilation) *policy*)
          (with-compilation-unit (:policy `(optimize ,@qualities) :override t)
            (funcall function))))))

;;; A file

(defun probe-source (name)
  (or (probe-file (merge-pathnames (sb-ext:parse-native-namestring name)))
      (error 'simple-file-error :pathname name
             :format-control "There is no file ~A." :format-arguments (list name))))

(defun output-file (file output)
  "Return the name of FILE's fasl: OUTPUT, a native name, if it is given, or otherwise the location that ASDF uses."
  (if output
      (merge-pathnames (sb-ext:parse-native-namestring output))
      (asdf:apply-output-translations (compile-file-pathname file))))

(defun external-format-named (name)
  (if name
      (or (find-symbol (string-upcase name) '#:keyword)
          (error "There is no external format ~A." name))
      :utf-8))

(defun keep-fasl (new fasl asked-for)
  "Move NEW, the fasl of a file that compiled without failures, to its final location FASL. Return its name in wire format. The guard does
not apply to ASDF's cache, because writing there is the engine's own work. If the client ASKED-FOR a location, the guard applies."
  (flet ((keep ()
           (ensure-directories-exist fasl)
           (let ((beside (make-pathname :type "fasl-new" :defaults fasl)))
             (uiop:copy-file new beside)
             (uiop:rename-file-overwriting-target beside fasl))))
    (if asked-for
        (keep)
        (without-guard (keep))))
  (sb-ext:native-namestring fasl))

;;; Both

(defun run-compilation (evaluation compilation file fasl external-format loadp package readtable keep &optional (more (constantly '())))
  "Compile FILE to FASL and return the result. If the compilation had no failures, call KEEP with the fasl. If LOADP is true, load the fasl.
MORE returns additional fields of the result."
  (let ((failed t) (warningsp t) (output nil) (kept nil) (loaded nil) (compiled nil))
    (flet ((result ()
             (append (compilation-result compilation failed warningsp loaded kept) (funcall more))))
      (setf (evaluation-partial-result evaluation)
            (lambda (status condition)
              (when (and condition (string= status "error") (or (not compiled) (compilation-stopped compilation)))
                (add-stopping compilation (native-name file) condition))
              (result)))
      (call-with-diagnostics
       compilation
       (lambda ()
         (let ((*package* package) (*readtable* readtable)
               (*on-unhandled* (lambda (condition) (note-unhandled compilation (native-name file) condition))))
           (with-compilation-unit (:override t)
             (multiple-value-setq (output warningsp failed)
               (compile-file file :output-file fasl :external-format external-format
                                  :verbose (and *compile-verbose* (null (compilation-text-file compilation))))))
           ;; Undefined names are reported at the end of the compilation unit, after COMPILE-FILE has counted failures.
           (setf compiled t
                 failed (or failed (compilation-failed compilation))
                 warningsp (or warningsp (compilation-warned compilation)))
           (when (compilation-marks compilation)
             (setf (compilation-refused compilation) (refused-marks compilation)))
           (when output
             (unless failed (setf kept (funcall keep output)))
             (when (and loadp (null (compilation-refused compilation)))
               (tell-text-diagnostics evaluation compilation)
               (call-with-marks (mapcar #'mark-id (compilation-marks compilation))
                                (lambda ()
                                  (load-compiled-text output)
                                  (when (and (compilation-text compilation) (forms-marked-p))
                                    (mapc #'note-form (defining-forms compilation (compilation-text compilation) package)))))
               (setf loaded t))))))
      (result))))

(defun tell-text-diagnostics (evaluation compilation)
  "Report the diagnostics of a text that is its whole source. Do this before the text is loaded, because loading may stop in the debugger
for a long time."
  (let ((source (compilation-source compilation)))
    (when (and source (field (evaluation-request evaluation) "whole"))
      (send-event "files-compiled"
                  "evaluation" (evaluation-id evaluation)
                  "files" (vector (object "file" (field source "file") "diagnostics" (diagnostics-array compilation)))))))

(defun compilation-result (compilation failed warningsp loaded fasl)
  (object "failed" (json-boolean failed)
          "warningsP" (json-boolean warningsp)
          "diagnostics" (diagnostics-array compilation)
          "total" (compilation-total compilation)
          "loaded" (json-boolean loaded)
          "definitions" (loop for reading in (last (compilation-readings compilation))
                              sum (count-if #'counts-as-definition-p (toplevel-forms reading) :key #'first))
          "fasl" fasl))

;;; Temporary directories

(defun make-temporary-directory ()
  "Create a directory that only this user may enter. This thread may write to the directory without permission, even if guarded code or the
person's code caused this call."
  (let ((directory (uiop:ensure-directory-pathname
                    (sb-ext:parse-native-namestring
                     (without-guard
                       (sb-posix:mkdtemp (concatenate 'string (sb-ext:native-namestring (uiop:temporary-directory))
                                                      "lisp-workbench-compile-XXXXXX")))))))
    (when (or *guard* *persons-code*)
      (sb-ext:atomic-push (cons (sb-ext:native-namestring (truename directory)) sb-thread:*current-thread*) (symbol-value '*own-folders*)))
    directory))

(defun delete-directory-quietly (directory)
  (let ((name (ignore-errors (sb-ext:native-namestring (truename directory)))))
    (without-guard (ignore-errors (sb-ext:delete-directory directory :recursive t)))
    (sb-ext:atomic-update (symbol-value '*own-folders*) (lambda (folders) (remove name folders :test #'equal :key #'car)))))
