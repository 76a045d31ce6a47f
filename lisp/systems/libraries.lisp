;;;; The operation `activate-libraries`: loads the set-up file of Quicklisp or qlot, or makes the systems of ocicl available to ASDF. This
;;;; happens only on request, because a project's set-up file should be loaded only if the project is trusted.

(in-package #:lisp-workbench/systems)

(define-run "activate-libraries" (evaluation request)
  (let ((path (sb-ext:parse-native-namestring (field request "path")))
        (*package* (find-package '#:common-lisp-user)))
    (if (string= (field request "kind") "ocicl")
        (add-to-registry (uiop:ensure-directory-pathname path))
        (load path))
    (object "kind" (field request "kind")
            "path" (field request "path")
            "quicklisp" (json-boolean (find-package '#:ql)))))

(defun add-to-registry (directory)
  "Make ASDF search each folder in DIRECTORY that contains system definitions, after all other folders."
  (unless (uiop:directory-exists-p directory)
    (error 'simple-file-error :pathname directory
           :format-control "There is no directory ~A." :format-arguments (list (file-name directory))))
  (dolist (file (definition-files directory))
    (let ((folder (make-pathname :name nil :type nil :version nil :defaults file)))
      (unless (member folder asdf:*central-registry* :test #'equal)
        (setf asdf:*central-registry* (append asdf:*central-registry* (list folder)))))))
