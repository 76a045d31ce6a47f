;;;; The operation `load-system`.

(in-package #:lisp-workbench/systems)

(define-run "load-system" (evaluation request)
  (let ((name (canonical-name (field request "system"))))
    (let ((*package* (find-package '#:common-lisp-user)))
      (if (find-package '#:ql)
          (funcall (find-symbol "QUICKLOAD" '#:ql) name)
          (asdf:load-system name)))
    (object "name" name "version" (system-version name))))

(defun canonical-name (text)
  "The name of the system that TEXT means: \"Alexandria\", :alexandria and #:alexandria are alexandria."
  (let ((name (string-trim '(#\Space #\Tab #\Newline #\" #\' #\# #\:) text)))
    (cond ((zerop (length name)) text)
          ((asdf:registered-system name) name)
          (t (string-downcase name)))))
