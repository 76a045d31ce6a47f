;;;; Restarts as the wire has them, and how they are taken.

(in-package #:lisp-workbench/debugger)

(defun visible-restarts (condition)
  "Return the restarts that the code and the engine established for CONDITION, without those that SBCL has for the thread."
  (let ((restarts (compute-restarts condition)))
    (butlast restarts *outer-restarts*)))

(defun restart-object (restart index)
  (object "index" index
          "name" (let ((name (restart-name restart)))
                   (cond ((eq name 'retry) (symbol-name name)) ; the engine's own
                         (name (print-short name 200))))
          "report" (restart-report restart)
          "parameters" (array-of (restart-parameters restart))
          "asks" (json-boolean (asks-p restart))))

(defun restart-report (restart)
  (multiple-value-bind (text cut)
      (let ((*print-escape* nil) (*print-readably* nil))
        (print-guarded 1000 (lambda (stream) (princ restart stream))))
    (if (plusp cut) (concatenate 'string text "…") text)))

(defun restart-parameters (restart)
  "Return the names of the arguments that RESTART takes, such as VALUE."
  (ignore-errors
   (loop for parameter in (%fun-lambda-list (restart-function restart))
         collect (print-short parameter 100))))

(defun asks-p (restart)
  "True when RESTART has an interactive function, which asks for its arguments."
  (and (not (lacking "restarts that ask for their arguments"))
       (restart-interactive-function restart)
       t))

(defun take-restart (evaluation restart arguments asked)
  "Invoke RESTART with ARGUMENTS, texts of forms. Without any its interactive function asks for them: the person, where the restart was
chosen, when ASKED is its number; else whoever answers what EVALUATION reads."
  (cond ((plusp (length arguments))
         (apply #'invoke-restart restart (map 'list (lambda (text) (eval (read-here text))) arguments)))
        ((and asked (asks-p restart))
         (apply #'invoke-restart restart (call-in-dialogue evaluation asked (restart-interactive-function restart))))
        (t (invoke-restart-interactively restart))))

(defun read-here (text)
  "The one form of TEXT, read in the package that is current where the code stands."
  (let ((*package* (live-package *package*)) (*read-eval* t))
    (values (read-from-string text))))
