;;;; The operation `cover-system`: recompiles and loads the files of a system, with or without coverage counting. The compiled files are
;;;; deleted afterwards, so that ASDF continues to use its own.

(in-package #:lisp-workbench/systems)

(define-run "cover-system" (evaluation request)
  evaluation
  (let* ((name (canonical-name (field request "system"))) (counts (eq t (field request "counts")))
         (*package* (find-package '#:common-lisp-user))
         (system (found-system name)))
    (asdf:load-system name)
    (let ((components (covered-components system)))
      (dolist (component components) (compile-anew component counts))
      (object "name" name "files" (length components)))))

(defun covered-components (system)
  "Return the source files of SYSTEM itself. A file comes after the files on which it depends."
  (let ((seen '()) (found '()))
    (labels ((walk (component)
               (when (and component (not (member component seen)))
                 (push component seen)
                 (dolist (needed (asdf:component-sideway-dependencies component))
                   (walk (and (not (eq component system))
                              (ignore-errors (asdf:find-component (asdf:component-parent component) needed)))))
                 (typecase component
                   (asdf:parent-component (mapc #'walk (asdf:component-children component)))
                   (asdf:cl-source-file (when (ignore-errors (probe-file (asdf:component-pathname component)))
                                          (push component found)))))))
      (walk system))
    (nreverse found)))

(defun compile-anew (component counts)
  "Compile and load the source file COMPONENT, with coverage counting if COUNTS."
  (let* ((file (truename (asdf:component-pathname component)))
         (text (file-text (namestring file) :fresh t))
         (directory (make-temporary-directory))
         (fasl (merge-pathnames "covered.fasl" directory)))
    (unwind-protect
         (with-compilation-unit (:policy (if counts '(optimize (store-coverage-data 3)) '(optimize)) :override t)
           (let ((output (asdf/lisp-action::call-with-around-compile-hook
                          component
                          (lambda (&rest flags)
                            (apply #'compile-file file :output-file fasl
                                                       :external-format (asdf:component-external-format component) flags)))))
             (unless output (error "~A could not be compiled." (sb-ext:native-namestring file)))
             (load output)
             (note-coverage (sb-ext:native-namestring file) (namestring file) text counts)))
      (delete-directory-quietly directory))))
