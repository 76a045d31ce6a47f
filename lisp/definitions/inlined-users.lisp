;;;; Finds definitions whose compiled code contains a copy of changed code: expansions of a macro, an inline function, the value of a
;;;; constant, the layout of a structure. Uses SBCL's cross references.

(in-package #:lisp-workbench/definitions)

(defun users-of (event)
  "Return (name . source) for each piece of code into which the compiler copied the definition of EVENT's key; :UNKNOWN if this cannot be
determined."
  (let ((name (cdr (event-key event))))
    (flet ((users (who &rest names) (and (not (lacking "who-calls and other cross references"))
                                         (loop for each in names append (ignore-errors (funcall who each))))))
      (if (lacking "who-calls and other cross references")
          :unknown
          (ecase (car (event-key event))
            (:function (append (users #'who-macroexpands name)
                               (users #'who-calls name)))
            (:variable (if (member :symbol-macro (list (event-kind event) (state-kind (event-before event))))
                           :unknown
                           (users #'who-references name)))
            (:class (apply #'users #'who-calls (mapcar #'cdar (event-parts event))))
            ((:compiler-macro :type :setf-expander) :unknown))))))

(defun key-of-code (name)
  "Return the key of the definition whose code SBCL calls NAME; NIL if such definitions are not recorded."
  (cond ((and name (symbolp name)) (cons :function name))
        ((atom name) nil)
        ((eq 'setf (first name)) (cons :function name))
        ((not (symbolp (first name))) nil)
        ((member (symbol-name (first name)) '("FAST-METHOD" "SLOW-METHOD") :test #'string=)
         (let ((rest (cddr name)))
           (list :method (second name) (butlast rest) (first (last rest)))))
        ((string= (first name) "MACRO-FUNCTION") (cons :function (second name)))
        ((string= (first name) "COMPILER-MACRO") (cons :compiler-macro (second name)))))
