;;;; The source of a frame that represents a function about to be called: the head of its definition, or of the definition of the method
;;;; that is called first.

(in-package #:lisp-workbench/debugger)

(defun entered-source (function arguments)
  "Return the place of the definition of FUNCTION, called with ARGUMENTS; NIL if SBCL does not know it."
  (let* ((code (code-called function arguments))
         (location (debug-fun-start-location (fun-debug-fun code)))
         (name (%fun-name code)))
    (multiple-value-bind (running changed)
        (ignore-errors
         (multiple-value-bind (text top node line evaluated changed) (running-form name location)
           (let ((definition (and top (definition-node top name node))))
             (values (place-object text top definition
                                   (and line (- line (lines-between text (node-start definition) (node-start node))))
                                   evaluated (end-of-head definition))
                     changed))))
      (location-source name location running changed))))

(defun code-called (function arguments)
  "Return the user's function that a call of FUNCTION with ARGUMENTS runs first: FUNCTION itself, a method's function, or the function of a
generic function's first method."
  (or (and (typep function 'method) (method-code function))
      (and (typep function 'generic-function)
           (let ((method (first (ignore-errors (compute-applicable-methods function arguments)))))
             (and method (method-code method))))
      function))

(defun definition-node (top name node)
  "Return the node within TOP of the definition of the function NAME that contains NODE; return NODE if there is none."
  (let ((symbol (if (consp name) (second name) name)))
    (or (and (symbolp symbol) (find-definition-within top symbol)) node)))

(defun end-of-head (definition)
  "Return the end of the lambda list of DEFINITION, a node; the end of DEFINITION if it has no lambda list."
  (let ((list (find :list (rest (rest (node-children definition))) :key #'node-kind)))
    (node-end (or list definition))))

(defun lines-between (text start end)
  (count #\Newline text :start (min start end) :end (max start end)))
