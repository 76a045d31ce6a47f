;;;; The operation `system-graph`: what a system depends on, and that in turn. Their definitions are read, which runs them.

(in-package #:lisp-workbench/systems)

(defconstant +most-systems+ 300)

(define-run "system-graph" (evaluation request)
  (let ((nodes '()) (edges '()) (more 0)
        (waiting (list (canonical-name (field request "name"))))
        (known (make-hash-table :test #'equal)))
    (setf (gethash (first waiting) known) t)
    (loop while waiting
          do (let ((name (pop waiting)))
               (multiple-value-bind (system problem) (definition-of name)
                 (push (node-object name system problem) nodes)
                 (loop for (to . kind) in (and system (dependencies-of system))
                       do (push (object "from" name "to" to "kind" kind) edges)
                          (cond ((gethash to known))
                                ((< (hash-table-count known) +most-systems+)
                                 (setf (gethash to known) t
                                       waiting (append waiting (list to))))
                                (t (incf more)))))))
    (object "nodes" (array-of (nreverse nodes)) "edges" (array-of (nreverse edges)) "more" more)))

(defun dependencies-of (system)
  "(name . kind) of each."
  (flet ((of-kind (kind reader)
           (loop for name in (dependency-names (ignore-errors (funcall reader system))) collect (cons name kind))))
    (append (of-kind "depends" #'asdf:system-depends-on)
            (of-kind "weakly" #'asdf:system-weakly-depends-on)
            (of-kind "defsystem" #'asdf:system-defsystem-depends-on))))

(defun node-object (name system problem)
  (object "name" name
          "state" (cond (problem "broken")
                        ((null system) "missing")
                        ((asdf:component-loaded-p system) "loaded")
                        (t "defined"))
          "version" (and system (text-or-null (ignore-errors (asdf:component-version system))))
          "problem" (and problem (print-report problem 500))))
