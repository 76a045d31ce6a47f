;;;; Evaluated code may redefine functions of Common Lisp. Those that the engine itself or SBCL's printer calls are put back when
;;;; the form is done: without them no answer could be given, to nobody, for ever. The rest stays redefined.

(in-package #:lisp-workbench/evaluation)

(sb-ext:defglobal *essentials* '())     ; (symbol function as it stood, perhaps with advice . the function itself)

(defparameter *printing-functions* '(prin1 princ format write-string write-char read-from-string)
  "What these call, however deep, is essential as well.")

(defun record-essentials ()
  "Called once, when the core is built, after all advice."
  (let ((needed (needed-functions)))
    (setf *essentials*
          (loop for symbol being the external-symbols of '#:common-lisp
                when (and (fboundp symbol) (not (macro-function symbol)) (not (special-operator-p symbol))
                          (gethash (fdefinition symbol) needed))
                  collect (list* symbol (symbol-function symbol) (fdefinition symbol))))))

(defun needed-functions ()
  "A table of what the engine calls, and of what printing and reading call at any depth."
  (let ((needed (make-hash-table :test #'eq)) (printing (mapcar #'fdefinition *printing-functions*)))
    (dolist (function printing) (setf (gethash function needed) t))
    (note-callees (engine-functions) 1 needed)
    (note-callees printing 30 needed)
    needed))

(defun engine-functions ()
  (loop for package in (list-all-packages)
        when (eql 0 (search "LISP-WORKBENCH/" (package-name package)))
          append (loop for symbol being the present-symbols of package
                       when (and (eq (symbol-package symbol) package) (fboundp symbol) (not (macro-function symbol)))
                         collect (fdefinition symbol))))

(defun note-callees (functions depth noted)
  "Put the functions that FUNCTIONS call into the table NOTED, DEPTH levels of calls deep."
  (loop repeat depth
        while functions
        do (setf functions
                 (loop for function in functions
                       append (loop for callee in (ignore-errors (find-function-callees function))
                                    unless (gethash callee noted)
                                      collect callee and do (setf (gethash callee noted) t))))))

(sb-ext:defglobal *fdefinition* #'fdefinition) ; SBCL's, whatever becomes of the name

(defun put-back-essentials ()
  "Undo what became of the essential functions; the symbols of those that were redefined. Advice on them (TRACE) stays. It stores
as low as SBCL stores, since what it calls may be what was redefined."
  (let ((redefined '()))
    (loop for (symbol recorded . function) in *essentials*
          for now = (%symbol-function symbol)
          unless (or (eq now recorded)
                     (and (functionp now) (eq function (funcall (the function *fdefinition*) symbol))))
            do (setf (%symbol-function symbol) recorded)
               (push symbol redefined))
    redefined))

(defun tell-put-back (evaluation symbols)
  (dolist (symbol symbols)
    (push (make-warning-note
           :type "WARNING"
           :message (format nil "CL:~A was redefined, and has its own definition back: the image itself needs it. ~
                                 Shadow the symbol in a package of yours instead."
                            (symbol-name symbol)))
          (evaluation-warnings evaluation))))
