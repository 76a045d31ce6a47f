;;;; Breakpoints on methods. SBCL asks MAYBE-TRACE-METHOD for the function of each method that it puts into an effective method, which is
;;;; how TRACE comes to methods, also to those that are defined again. There a method with a breakpoint gets a function that stops first.

(in-package #:lisp-workbench/debugger)

(sb-ext:defglobal *method-breakpoints* '()) ; (generic-function name . breakpoint), name as METHOD-TARGET has it

(defun method-name-p (name)
  "True when NAME is that of a method, (:METHOD function qualifier… specializers)."
  (and (consp name) (eq (first name) :method)))

(defun breakpoint-symbol (name)
  "Return the symbol in the NAME of a function or a method."
  (let ((function (if (method-name-p name) (second name) name)))
    (if (consp function) (second function) function)))

;;; Names

(defun method-name-node (text)
  "Return the node of TEXT where it is (METHOD function qualifier… specializers); NIL for all else."
  (multiple-value-bind (nodes problems) (read-nodes text :count 2)
    (let* ((node (first nodes)) (parts (and node (rest (node-children node)))))
      (and node (null problems) (null (rest nodes))
           (equal "METHOD" (operator-name node))
           (rest parts)
           (eq (node-kind (first (last parts))) :list)
           node))))

(defun method-target (text node)
  "Return the name of the method that NODE of TEXT means, (:METHOD function qualifier… specializers), which may not be there; NIL where one of
its symbols is not there. Nothing is interned. For call with CL-USER as *PACKAGE*."
  (labels ((written (node) (subseq text (node-start node) (node-end node)))
           (part (node)
             (multiple-value-bind (object known) (named-object (written node))
               (if known object (return-from method-target nil)))))
    (destructuring-bind (function &rest more) (rest (node-children node))
      (multiple-value-bind (symbol status setf) (named-symbol (written function))
        (and status
             `(:method ,(if setf `(setf ,symbol) symbol)
                       ,@(mapcar #'part (butlast more))
                       ,(loop for each in (node-children (first (last more)))
                              collect (if (equal "EQL" (operator-name each))
                                          (list 'eql (part (second (node-children each))))
                                          (part each)))))))))

(defun named-object (text)
  "Return the symbol, the number or the character that TEXT is, and true; two times NIL for a symbol that is not there and for all else."
  (multiple-value-bind (symbol status) (named-symbol (string-left-trim "'" text))
    (if status
        (values symbol t)
        (let ((object (with-standard-io-syntax
                        (let ((*read-eval* nil))
                          (and (find (char text 0) "+-.#0123456789")
                               (not (eql 0 (search "#:" text)))
                               (ignore-errors (read-from-string text)))))))
          (if (typep object '(or number character)) (values object t) (values nil nil))))))

(defun named-method (name)
  "Return the method of the NAME; NIL where it is not there."
  (destructuring-bind (function-name &rest more) (rest name)
    (let ((function (and (fboundp function-name) (fdefinition function-name))))
      (and (typep function 'generic-function)
           (find-if (lambda (method) (names-method-p name method))
                    (read-of-users '() (copy-list (sb-mop:generic-function-methods function))))
           (ignore-errors (find-method function (butlast more) (mapcar #'specializer-of (first (last more))) nil))))))

(defun names-method-p (name method)
  (destructuring-bind (function &rest more) (rest name)
    (declare (ignore function))
    (and (equal (butlast more) (qualifiers-of method))
         (equal (first (last more)) (specializer-names method)))))

(defun method-name-words (name)
  "Return the NAME of a method as the person reads it, in a list."
  (cons 'method (rest name)))

;;; Putting them on methods

(defun break-on-method (name breakpoint)
  "Let the method NAME break when it is called by code that a person debugs and the condition of BREAKPOINT is met."
  (let ((function (fdefinition (second name))))
    (unless (find-if (lambda (entry) (and (eq (first entry) function) (equal (second entry) name) (eq (cddr entry) breakpoint)))
                     *method-breakpoints*)
      (advise-methods)
      (setf *method-breakpoints*
            (acons function (cons name breakpoint)
                   (remove name *method-breakpoints* :key #'second :test #'equal)))
      (forget-effective-methods function)
      (forget-constructors name))))

(defun take-off-method (name)
  "Take the breakpoint off the method NAME."
  (let ((entry (find name *method-breakpoints* :key #'second :test #'equal)))
    (when entry
      (setf *method-breakpoints* (remove entry *method-breakpoints*))
      (forget-effective-methods (first entry))
      (forget-constructors name))))

(defun forget-effective-methods (function)
  "Let the generic FUNCTION put its methods together anew at its next calls."
  (flush-effective-method-cache function)
  (update-dfun function))

(defun advise-methods ()
  (unless (encapsulated-p 'maybe-trace-method 'lisp-workbench-break)
    (install-advice 'maybe-trace-method 'lisp-workbench-break
                 (lambda (function generic method code fast)
                   (let ((code (funcall function generic method code fast)))
                     ;; Nearly all calls are of other functions, and this must call none that would ask here in turn.
                     (if (assoc generic *method-breakpoints* :test #'eq)
                         (or (stopping-method-function generic method code fast) code)
                         code))))))

(defun forget-constructors (name)
  "Let SBCL make its constructors anew that call the method NAME. For (MAKE-INSTANCE 'CLASS …) it compiles the calls of the methods that
initialize straight into a constructor, past the generic function: not where one of these has a breakpoint."
  (unless (lacking "breakpoints on methods that initialize")
    (unless (encapsulated-p 'optimizing-generator 'lisp-workbench-break)
      (install-advice 'optimizing-generator 'lisp-workbench-break
                   (lambda (function constructor initialize shared &rest more)
                     (if (or (some #'breakpoint-on-method initialize) (some #'breakpoint-on-method shared))
                         (fallback-generator constructor initialize shared nil)
                         (apply function constructor initialize shared more)))))
    (let ((method (named-method name)))
      (when method
        (update-ctors 'add-method :generic-function (sb-mop:method-generic-function method) :method method)))))

(defun breakpoint-on-method (method &optional (generic (sb-mop:method-generic-function method)))
  "Return (name . breakpoint) of the METHOD of the function GENERIC; NIL where it has none."
  (rest (find-if (lambda (entry) (and (eq (first entry) generic) (names-method-p (second entry) method)))
                 *method-breakpoints*)))

(defun stopping-method-function (generic method code fast)
  "Return a function that stops at the breakpoint of METHOD and does what CODE does; NIL where METHOD has none. FAST tells that CODE takes the
arguments behind two of SBCL's own, else it takes their list and that of the next methods."
  (let ((entry (breakpoint-on-method method generic)))
    (when entry
      (destructuring-bind (name . breakpoint) entry
        (if fast
            (lambda (slots next &rest arguments)
              (call-method-to-stop name breakpoint method arguments
                                   (lambda (arguments) (apply code slots next arguments))
                                   (lambda () (and next (list (lambda (arguments more)
                                                                (declare (ignore more))
                                                                (invoke-emf next arguments)))))))
            (lambda (arguments next-methods &rest more)
              (call-method-to-stop name breakpoint method arguments
                                   (lambda (arguments) (apply code arguments next-methods more))
                                   (lambda () next-methods))))))))

(defun call-method-to-stop (name breakpoint method arguments call next-methods)
  "Call the METHOD of this NAME by CALL with ARGUMENTS, and stop before where BREAKPOINT wants it. NEXT-METHODS returns the methods
that it can go on to."
  (multiple-value-bind (stops failure)
      (and *evaluation* (null *escape-from-debugger*) (steppable-p *evaluation*)
           (stop-wanted breakpoint method arguments))
    (if (not stops)
        (funcall call arguments)
        (let ((values (multiple-value-list (stop-on-entry name method arguments failure))))
          (case (first values)
            (%call (let ((steppable (and (not (lacking "stepping")) (stepping-enabled-p) (steppable-method name))))
                     (if steppable
                         (funcall (sb-mop:method-function steppable) (second values) (funcall next-methods))
                         (funcall call (second values)))))
            (%call-whole (multiple-value-prog1 (funcall call (second values)) (enable-stepping)))
            (t (values-list values)))))))

(defun steppable-method (name)
  "Return the method NAME, compiled for debugging until the evaluation has ended."
  (call-without-stepping
   (lambda () (push (make-steppable name) (evaluation-restorers *evaluation*))))
  (named-method name))
