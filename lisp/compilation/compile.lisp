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
         (external-format (external-format-named (field request "externalFormat"))))
    (unwind-protect
         (run-compilation evaluation (make-compilation) file (merge-pathnames "new.fasl" directory) external-format
                          (field request "load")
                          package *readtable*
                          (lambda (new) (keep-fasl new fasl)))
      (delete-directory-quietly directory))))

(defun text-environment (request)
  (given-package request)
  (context-environment request))

(defun given-package (request)
  "The package that the request names, NIL when it names none; an unknown one is an error."
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
    (setf (compilation-text-file compilation) (sb-ext:native-namestring (truename file)))
    (call-with-policy
     compilation (field request "policy")
     (lambda ()
       (run-compilation evaluation compilation (truename file) (merge-pathnames "text.fasl" directory) :utf-8
                        (field request "load") package readtable (constantly nil))))))

(defparameter *qualities* '(("speed" . speed) ("safety" . safety) ("debug" . debug) ("space" . space)
                            ("compilationSpeed" . compilation-speed)))

(defun call-with-policy (compilation policy function)
  "Call FUNCTION under the qualities that POLICY, an object of the wire, names."
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
  "Where the fasl of FILE belongs: where ASDF would put it, or at OUTPUT."
  (if output
      (merge-pathnames (sb-ext:parse-native-namestring output))
      (asdf:apply-output-translations (compile-file-pathname file))))

(defun external-format-named (name)
  (if name
      (or (find-symbol (string-upcase name) '#:keyword)
          (error "There is no external format ~A." name))
      :utf-8))

(defun keep-fasl (new fasl)
  "Put NEW, a fasl of a file without failures, where it belongs. Its name as the wire has it."
  (ensure-directories-exist fasl)
  (let ((beside (make-pathname :type "fasl-new" :defaults fasl)))
    (uiop:copy-file new beside)
    (uiop:rename-file-overwriting-target beside fasl))
  (sb-ext:native-namestring fasl))

;;; Both

(defun run-compilation (evaluation compilation file fasl external-format loadp package readtable keep)
  "The result: compile FILE to FASL, call KEEP with the fasl of a compilation without failures, load it when LOADP."
  (let ((failed t) (warningsp t) (output nil) (kept nil) (loaded nil) (compiled nil))
    (flet ((result ()
             (compilation-result compilation failed warningsp loaded kept)))
      (setf (evaluation-partial-result evaluation)
            (lambda (status condition)
              (when (and condition (not compiled) (string= status "error"))
                (note-stopping compilation condition))
              (result)))
      (call-with-diagnostics
       compilation
       (lambda ()
         (let ((*package* package) (*readtable* readtable))
           (with-compilation-unit (:override t)
             (multiple-value-setq (output warningsp failed)
               (compile-file file :output-file fasl :external-format external-format
                                  :verbose (and *compile-verbose* (null (compilation-text-file compilation))))))
           ;; Names that stay undefined are told at the end of the unit, after COMPILE-FILE has counted.
           (setf compiled t
                 failed (or failed (compilation-failed compilation))
                 warningsp (or warningsp (compilation-warned compilation)))
           (when output
             (unless failed (setf kept (funcall keep output)))
             (when loadp
               (load-compiled-text output)
               (setf loaded t))))))
      (result))))

(defun note-stopping (compilation condition)
  "An error that nobody handled while the code was compiled, such as in EVAL-WHEN: at the form that was read last."
  (let* ((*compilation* compilation)
         (reading (first (compilation-readings compilation)))
         (entry (and reading (first (reading-forms reading)))))
    (add-diagnostic "error" (field condition "type") (field condition "message") reading
                    (second entry) (cddr entry)
                    (and entry (definition-label (list (definition-head (first entry))))))))

(defun compilation-result (compilation failed warningsp loaded fasl)
  (object "failed" (json-boolean failed)
          "warningsP" (json-boolean warningsp)
          "diagnostics" (diagnostics-array compilation)
          "total" (compilation-total compilation)
          "loaded" (json-boolean loaded)
          "definitions" (loop for reading in (last (compilation-readings compilation))
                              sum (count-if #'form-definition (toplevel-forms reading) :key #'first))
          "fasl" fasl))

;;; Temporary directories

(defun make-temporary-directory ()
  "A new directory that only this user may enter. Nobody is asked before something is written there."
  (let ((directory (uiop:ensure-directory-pathname
                    (sb-ext:parse-native-namestring
                     (without-guard
                       (sb-posix:mkdtemp (concatenate 'string (sb-ext:native-namestring (uiop:temporary-directory))
                                                      "lisp-workbench-compile-XXXXXX")))))))
    (sb-ext:atomic-push (sb-ext:native-namestring (truename directory)) (symbol-value '*own-folders*))
    directory))

(defun delete-directory-quietly (directory)
  (let ((name (ignore-errors (sb-ext:native-namestring (truename directory)))))
    (without-guard (ignore-errors (sb-ext:delete-directory directory :recursive t)))
    (sb-ext:atomic-update (symbol-value '*own-folders*) (lambda (folders) (remove name folders :test #'equal)))))
