;;;; Evaluated code may redefine functions of Common Lisp. The engine, or SBCL's compiler, reader or printer, calls some of these functions.
;;;; These are restored after each form, because without them the image could never evaluate or reply again. Redefinitions of other
;;;; functions stay.

(in-package #:lisp-workbench/evaluation)

(sb-ext:defglobal *essentials* '())     ; (symbol stored-function . function); STORED-FUNCTION may have advice around FUNCTION

(sb-ext:defglobal *essential-cells* #())     ; the cells where the functions of these symbols are stored
(sb-ext:defglobal *essential-functions* #()) ; the functions recorded when the core was built
(sb-ext:defglobal *essential-symbols* #())   ; the symbols, in the order of the two vectors above
(sb-ext:defglobal *advised-essentials* '())  ; entries of *ESSENTIALS* whose functions have advice
(declaim (type simple-vector *essential-cells* *essential-functions* *essential-symbols*))

(defparameter *basic-functions*
  '(eval compile read-from-string prin1 princ format write-string write-char
    ;; The compiler calls these functions under other names, but code generated at run time calls them under these names.
    gethash remhash maphash make-array read-byte write-byte)
  "Functions that are necessary to evaluate and display anything. All functions that they call, directly or indirectly, are essential too.")

(defun record-essentials ()
  "Record the current definitions of the essential functions. Called once, when the core is built, after all advice."
  (let ((needed (needed-functions)))
    (setf *essentials*
          (loop for symbol being the external-symbols of '#:common-lisp
                when (and (fboundp symbol) (not (macro-function symbol)) (not (special-operator-p symbol))
                          (gethash (fdefinition symbol) needed)
                          ;; The guard itself restores the operators that it guards, and reports which actor changed them.
                          (eq (fdefinition symbol) (real-function (fdefinition symbol))))
                  collect (list* symbol (symbol-function symbol) (fdefinition symbol))))
    (arrange-essentials)))

(defun arrange-essentials ()
  "Store *ESSENTIALS* in vectors. They are compared after each form, and the comparison should touch little memory."
  (setf *essential-cells* (map 'simple-vector (lambda (entry) (function-cell (first entry))) *essentials*)
        *essential-functions* (map 'simple-vector #'second *essentials*)
        *essential-symbols* (map 'simple-vector #'first *essentials*)
        *advised-essentials* (remove-if (lambda (entry) (eq (second entry) (cddr entry))) *essentials*)))

(defun needed-functions ()
  "Return a table of all functions that the engine, or evaluating, reading and printing, call directly or indirectly."
  (let ((needed (make-hash-table :test #'eq)) (basic (mapcar #'fdefinition *basic-functions*)))
    (dolist (function basic) (setf (gethash function needed) t))
    (note-callees (engine-functions) 1 needed)
    (note-callees basic 100 needed)
    needed))

(defun engine-functions ()
  (loop for package in (list-all-packages)
        when (eql 0 (search "LISP-WORKBENCH/" (package-name package)))
          append (loop for symbol being the present-symbols of package
                       when (and (eq (symbol-package symbol) package) (fboundp symbol) (not (macro-function symbol)))
                         collect (fdefinition symbol))))

(defun note-callees (functions depth noted)
  "Add the functions that FUNCTIONS call to the table NOTED. Follow calls up to DEPTH levels deep."
  (loop repeat depth
        while functions
        do (setf functions
                 (loop for function in functions
                       append (loop for callee in (function-callees function)
                                    unless (gethash callee noted)
                                      collect callee and do (setf (gethash callee noted) t))))))

;;; SBCL's functions, stored here in case code redefines their names.
(sb-ext:defglobal *fdefinition* #'fdefinition)
(sb-ext:defglobal *set-fdefinition* #'(setf fdefinition))

(defun same-function-p (recorded now)
  "Return true if RECORDED and NOW are the same function, ignoring the guard around one of them."
  (or (eq recorded now) (eq (real-function recorded) (real-function now))))

(defun accept-essentials ()
  "Record the current functions as the essential ones. Called after one of SBCL's own modules has replaced some of them."
  (dolist (entry *essentials*)
    (destructuring-bind (symbol . functions) entry
      (when (fboundp symbol)
        (setf (car functions) (symbol-function symbol)
              (cdr functions) (fdefinition symbol)))))
  (arrange-essentials))

(defun put-back-essentials ()
  "Restore the essential functions that were redefined, and return their symbols. Advice on them, such as TRACE, stays. Functions are stored
directly in their cells, because the functions that usually store them may have been redefined too."
  (let ((changed '()))
    ;; First restore all functions, because the examination that follows calls some of them.
    (dotimes (index (length *essential-cells*))
      (let ((recorded (svref *essential-functions* index))
            (now (function-in-cell (svref *essential-cells* index))))
        (unless (eq now recorded)
          (let ((symbol (svref *essential-symbols* index)))
            (push (cons symbol now) changed)
            (setf (%symbol-function symbol) recorded)))))
    (append (loop for (symbol . now) in changed
                  unless (advised-p now symbol) collect symbol)
            ;; If a function has advice, a new definition is stored inside the advice, so the function's cell does not change.
            (loop for (symbol recorded . function) in *advised-essentials*
                  unless (or (assoc symbol changed)
                             (eq function (funcall (the function *fdefinition*) symbol))
                             (advised-p recorded symbol))
                    collect symbol))))

(defun advised-p (now symbol)
  "Return true if NOW, the current function of SYMBOL, is only advice around the essential function. In that case, install NOW again."
  (destructuring-bind (recorded . function) (rest (assoc symbol *essentials*))
    (let ((stored (when (functionp now)
                    (setf (%symbol-function symbol) now)
                    (funcall (the function *fdefinition*) symbol))))
      ;; The recorded function must be restored before the comparison, because the comparison may call it.
      (setf (%symbol-function symbol) recorded)
      (cond ((and stored (same-function-p function stored))
             (setf (%symbol-function symbol) now))
            (t (unless (eq recorded function)
                 (sb-ext:without-package-locks (funcall (the function *set-fdefinition*) function symbol)))
               nil)))))

(defun tell-put-back (evaluation symbols)
  (dolist (symbol symbols)
    (push (make-warning-note
           :type "WARNING"
           :message (format nil "CL:~A was redefined. Its own definition was restored, because the image itself needs it. ~
                                 Shadow the symbol in your package instead."
                            (symbol-name symbol)))
          (evaluation-warnings evaluation))))
