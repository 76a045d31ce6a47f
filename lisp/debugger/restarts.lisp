;;;; Restarts in wire format, and how they are invoked.

(in-package #:lisp-workbench/debugger)

(defun visible-restarts (condition)
  "Return the restarts that the code and the engine established for CONDITION, without SBCL's own restarts for the thread."
  (let ((restarts (compute-restarts condition)))
    (butlast restarts *outer-restarts*)))

(defconstant +most-restarts+ 60 "The maximum number of restarts displayed. A recursion may establish one at each level.")

(defun restart-objects (restarts asks)
  "Return RESTARTS in wire format, with their numbers. If there are too many, return only the innermost and the outermost ones. ASKS is
false if interactive functions cannot prompt for input."
  (loop with count = (length restarts)
        for restart in restarts
        for index from 0
        when (or (< index (floor +most-restarts+ 2)) (<= (- count index) (floor +most-restarts+ 2)))
          collect (restart-object restart index asks)))

(defun restart-object (restart index asks)
  (object "index" index
          "name" (let ((name (restart-name restart)))
                   (cond ((eq name 'retry) (symbol-name name)) ; this restart is the engine's own
                         (name (print-short name 200))))
          "report" (restart-report restart)
          "parameters" (array-of (restart-parameters restart))
          "asks" (json-boolean (and asks (asks-p restart)))))

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
  "Return true if RESTART has an interactive function, which prompts for its arguments."
  (and (not (lacking "restarts that ask for their arguments"))
       (restart-interactive-function restart)
       t))

(defun take-restart (evaluation restart arguments asked)
  "Invoke RESTART with ARGUMENTS, texts of forms. Without arguments, RESTART's interactive function prompts for them. If ASKED is the
restart's number, that function prompts the person; otherwise it reads from EVALUATION's input."
  (when (and *exhausted* (beyond-return-p (get-lisp-obj-address restart)))
    (refuse
     "This restart continues too close to the end of the exhausted stack. Choose an outer restart."))
  (note-chosen-restart evaluation restart)
  (cond ((plusp (length arguments))
         (apply #'invoke-restart restart
                (call-with-room (lambda () (map 'list (lambda (text) (eval (read-here text))) arguments)))))
        ((asks-p restart)
         (let ((asking (restart-interactive-function restart)))
           (apply #'invoke-restart restart
                  (cond (*exhausted* (call-with-room asking))
                        (asked (call-in-dialogue evaluation asked asking))
                        (t (funcall asking))))))
        (t (invoke-restart-interactively restart))))

(defun read-here (text)
  "Return the only form in TEXT, read in the stopped code's current package. Refuse a text with more than one form."
  (let ((*package* (live-package *package*)) (*read-eval* t))
    (multiple-value-bind (form end) (read-from-string text)
      (when (read-nodes text :start end :features t :count 1)
        (refuse "Enter one form. Wrap several forms in PROGN."))
      form)))
