;;;; Breakpoints on methods. SBCL calls MAYBE-TRACE-METHOD to get the function of each method that it puts into an effective method; TRACE
;;;; uses this for methods, including redefined ones. The advice here replaces the function of a method that has a breakpoint by a function
;;;; that stops first.

(in-package #:lisp-workbench/debugger)

(sb-ext:defglobal *method-breakpoints* '()) ; (generic-function name . breakpoint); the name has the format that METHOD-TARGET returns

(defun method-name-p (name)
  "Return true if NAME is the name of a method, (:METHOD function qualifier… specializers)."
  (and (consp name) (eq (first name) :method)))

(defun breakpoint-symbol (name)
  "Return the symbol in the NAME of a function or a method."
  (let ((function (if (method-name-p name) (second name) name)))
    (if (consp function) (second function) function)))

;;; Names

(defun method-name-node (text)
  "Return the node of TEXT if TEXT is (METHOD function qualifier… specializers); otherwise NIL."
  (multiple-value-bind (nodes problems) (read-nodes text :count 2)
    (let* ((node (first nodes)) (parts (and node (rest (node-children node)))))
      (and node (null problems) (null (rest nodes))
           (equal "METHOD" (operator-name node))
           (rest parts)
           (eq (node-kind (first (last parts))) :list)
           node))))

(defun method-target (text node)
  "Return the name of the method that NODE of TEXT denotes, (:METHOD function qualifier… specializers), even if the method does not exist.
Return NIL if a symbol in the name does not exist. Nothing is interned. Call this with CL-USER as *PACKAGE*."
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
  "Return two values: the symbol, number or character that TEXT denotes, and true. Return NIL and NIL for an unknown symbol and for any
other text."
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
  "Return the method called NAME; NIL if it does not exist."
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
  "Return the NAME of a method as the list that is displayed to the person."
  (cons 'method (rest name)))

;;; Installing breakpoints on methods

(defun break-on-method (name breakpoint)
  "Make the method NAME break when code that a person debugs calls it and the condition of BREAKPOINT is met."
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
  "Remove the breakpoint from the method NAME."
  (let ((entry (find name *method-breakpoints* :key #'second :test #'equal)))
    (when entry
      (setf *method-breakpoints* (remove entry *method-breakpoints*))
      (forget-effective-methods (first entry))
      (forget-constructors name))))

(defun forget-effective-methods (function)
  "Make the generic FUNCTION recompute its effective methods at its next calls."
  (flush-effective-method-cache function)
  (update-dfun function))

(defun advise-methods ()
  (unless (encapsulated-p 'maybe-trace-method 'lisp-workbench-break)
    (install-advice 'maybe-trace-method 'lisp-workbench-break
                 (lambda (function generic method code fast)
                   (let ((code (funcall function generic method code fast)))
                     ;; This test comes first, because nearly all calls are for other generic functions, and because code here must not call
                     ;; a function that would call this code again.
                     (if (assoc generic *method-breakpoints* :test #'eq)
                         (or (stopping-method-function generic method code fast) code)
                         code))))))

(defun forget-constructors (name)
  "Make SBCL rebuild its constructors that call the method NAME. For (MAKE-INSTANCE 'CLASS …) SBCL compiles direct calls of the
initialization methods into a constructor, which bypasses the generic function. The advice prevents this for a method that has a breakpoint."
  (unless (lacking "breakpoints on initialization methods")
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
  "Return (name . breakpoint) for METHOD of the function GENERIC; NIL if METHOD has no breakpoint."
  (rest (find-if (lambda (entry) (and (eq (first entry) generic) (names-method-p (second entry) method)))
                 *method-breakpoints*)))

(defun stopping-method-function (generic method code fast)
  "Return a function that stops at the breakpoint of METHOD and then does the same as CODE; NIL if METHOD has no breakpoint. If FAST, CODE
takes two internal arguments of SBCL before the method's arguments. Otherwise, CODE takes the list of arguments and the list of next
methods."
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
  "Call METHOD, named NAME, with ARGUMENTS through the function CALL. If BREAKPOINT requires it, stop before the call. The function
NEXT-METHODS returns the method's next methods."
  (multiple-value-bind (stops failure)
      (and *evaluation* (null *escape-from-debugger*) (steppable-p *evaluation*)
           (stop-wanted breakpoint method arguments))
    (if (inner-lines breakpoint)
        (stopping-if (stops breakpoint)
          (if stops
              (call-method-with-stops name breakpoint method arguments next-methods failure)
              (funcall call arguments)))
        (if stops
            (call-method-after-stop name method arguments failure call next-methods)
            (funcall call arguments)))))

(defun call-method-with-stops (name breakpoint method arguments next-methods failure)
  "Call METHOD, compiled so that it stops at the lines of BREAKPOINT; see CALL-WITH-STOPS."
  (multiple-value-bind (compiled problem) (method-with-stops name breakpoint)
    (flet ((call (arguments) (funcall (sb-mop:method-function compiled) arguments (funcall next-methods))))
      (if (or failure problem (stops-at-call-p breakpoint))
          (call-method-after-stop name method arguments (or failure problem) #'call next-methods)
          (call arguments)))))

(defun call-method-after-stop (name method arguments failure call next-methods)
  "Stop at the entry of METHOD. If the person continues, call it through the function CALL, or compiled for debugging if the person steps."
  (let ((values (multiple-value-list (stop-on-entry name method arguments failure))))
    (case (first values)
      (%call (let ((steppable (and (not (lacking "stepping")) (stepping-enabled-p) (steppable-method name))))
               (if steppable
                   (funcall (sb-mop:method-function steppable) (second values) (funcall next-methods))
                   (funcall call (second values)))))
      (%call-whole (multiple-value-prog1 (funcall call (second values)) (enable-stepping)))
      (t (values-list values)))))

(defun steppable-method (name)
  "Compile the method NAME for debugging until the evaluation ends, and return it."
  (call-without-stepping
   (lambda () (push (make-steppable name) (evaluation-restorers *evaluation*))))
  (named-method name))
