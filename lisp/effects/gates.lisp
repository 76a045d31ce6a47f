;;;; The gates: each operator in the table is guarded when the core is built, and again if it is redefined.

(in-package #:lisp-workbench/effects)

(sb-ext:defglobal *gates* '())          ; the gates of the operators in the table that this SBCL has

(defun install-guard ()
  "Install the gates. Called once, when the core is built, after all other hooks, so that the guard runs first in each call."
  (install-gates)
  (setf *written-unasked-p* 'written-unasked-file-p
        *library-guard* 'call-guarding-libraries
        *dist-guard* 'call-guarding-dists
        *guarded-p* 'asked-p)
  (install-loading)
  (put-around 'compile-file #'note-compiling)
  (install-holding)
  ;; The loaded module may have defined operators in the table.
  (put-around 'load (lambda (original &rest arguments)
                      (multiple-value-prog1 (apply original arguments) (install-gates))))
  ;; Make UIOP create its temporary files, such as those for the output of programs, in a folder where writing is allowed.
  (put-around 'uiop:temporary-directory
              (lambda (original) (if (and (asked-p) *temporary-base*) (temporary-directory) (funcall original))))
  (put-around 'encapsulate #'refuse-around-engine)
  (put-around 'unencapsulate #'refuse-around-engine))

(defun install-gates ()
  "Guard the operators in the table that exist and are not guarded yet. This is needed again for SB-SIMPLE-STREAMS, which replaces OPEN with
its own function."
  (put-around-again)
  (dolist (gate *gates*) (guard-again gate))
  (when (< (length *gates*) (length *table*))
    (dolist (gate (gates))
      (unless (find (gate-operator gate) *gates* :key #'gate-operator :test #'equal)
        (let ((function (fdefinition (gate-operator gate))))
          (guard-gate gate)
          (setf *gates* (append *gates* (list gate)))
          (remember-gate gate (if (typep function 'generic-function) nil function)))))))

(defun guard-again (gate)
  "If GATE's operator was redefined, guard its new definition. Called after each load and each guarded evaluation."
  (let ((operator (gate-operator gate)))
    (when (fboundp operator)
      (let ((function (fdefinition operator)))
        (cond ((typep function 'generic-function) (guard-methods-again gate function))
              ((not (nth-value 1 (associated function *real-functions*))) (guard-gate gate)))))))

(sb-ext:defglobal *guarded-methods* (make-hash-table :test #'eq :weakness :key :synchronized t) "Methods that have the guard.")
(sb-ext:defglobal *guarded-places* (make-hash-table :test #'equal :synchronized t)
  "name of a generic function → its methods at the last check, and the specializers of the guarded methods")

(defun guard-methods-again (gate function)
  "Guard methods that were redefined, for example because a module such as SB-BSD-SOCKETS was loaded again. Methods with other specializers
belong to user code."
  (destructuring-bind (&optional methods &rest places) (gethash (gate-operator gate) *guarded-places*)
    (unless (eq methods (sb-mop:generic-function-methods function))
      (without-guard
        (dolist (place places)
          (let ((method (find-method function '() place nil)))
            (when (and method (not (gethash method *guarded-methods*)))
              (guard-method gate function method)))))
      (note-methods gate function places))))

(defun note-methods (gate function places)
  (setf (gethash (gate-operator gate) *guarded-places*) (cons (sb-mop:generic-function-methods function) places)))

(defun guard-gate (gate)
  "Put the guard into the function itself or, for a generic function, into its methods. The guard then also covers the functions that
FDEFINITION, #' and METHOD-FUNCTION return, even under another name."
  (let* ((operator (gate-operator gate)) (function (fdefinition operator)))
    (forget-inline-expansion operator)
    (if (typep function 'generic-function)
        (let ((methods (copy-list (sb-mop:generic-function-methods function))))
          (dolist (method methods) (guard-method gate function method))
          (note-methods gate function (mapcar #'sb-mop:method-specializers
                                              (remove-if #'method-qualifiers methods))))
        (put-around operator
                    (lambda (original &rest arguments)
                      (declare (dynamic-extent arguments))
                      (if (asked-p)
                          (call-at-gate gate original arguments)
                          (apply original arguments)))))))

(defun guard-method (gate function method)
  "Replace METHOD by a guarded method. Methods that user code adds are not guarded, because they have no outside effects of their own."
  (let* ((real (sb-mop:method-function method))
         (guarded (make-instance (class-of method)
                                 :qualifiers (method-qualifiers method)
                                 :specializers (sb-mop:method-specializers method)
                                 :lambda-list (sb-mop:method-lambda-list method)
                                 :documentation (documentation method t)
                                 :function (lambda (arguments next-methods)
                                             (if (asked-p)
                                                 (call-at-gate gate
                                                               (lambda (&rest arguments) (funcall real arguments next-methods))
                                                               arguments)
                                                 (funcall real arguments next-methods))))))
    (setf (gethash guarded *guarded-methods*) t)
    (add-method function guarded)))

(defun forget-inline-expansion (operator)
  "Remove the inline expansion of the function. SB-POSIX defines inline expansions, and code compiled with them would bypass the guard."
  (when (and (symbolp operator)
             (or (info :function :inlining-data operator) (info :function :inlinep operator)
                 (info :function :source-transform operator)))
    (proclaim `(notinline ,operator))
    (clear-info :function :inlining-data operator)))
