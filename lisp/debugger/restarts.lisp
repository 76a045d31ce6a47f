;;;; Restarts as the wire has them, and how they are taken.

(in-package #:lisp-workbench/debugger)

(defun visible-restarts (condition)
  "Those that the code established and the engine's own, without SBCL's for the thread."
  (let ((restarts (compute-restarts condition)))
    (butlast restarts *outer-restarts*)))

(defun restart-object (restart index)
  (object "index" index
          "name" (let ((name (restart-name restart))) (and name (print-short name 200)))
          "report" (restart-report restart)
          "parameters" (array-of (restart-parameters restart))))

(defun restart-report (restart)
  (multiple-value-bind (text cut)
      (let ((*print-escape* nil) (*print-readably* nil))
        (print-guarded 1000 (lambda (stream) (princ restart stream))))
    (if (plusp cut) (concatenate 'string text "…") text)))

(defun restart-parameters (restart)
  "Names of what it takes, such as VALUE."
  (ignore-errors
   (loop for parameter in (%fun-lambda-list (restart-function restart))
         collect (print-short parameter 100))))

(defun take-restart (restart arguments)
  "ARGUMENTS are texts of forms. Without any the restart asks for what it needs."
  (if (plusp (length arguments))
      (apply #'invoke-restart restart (map 'list (lambda (text) (eval (read-here text))) arguments))
      (invoke-restart-interactively restart)))

(defun read-here (text)
  "The one form of TEXT, read in the package that is current where the code stands."
  (let ((*package* (live-package *package*)) (*read-eval* t))
    (values (read-from-string text))))
