;;;; The operation `system-graph`: returns the direct and indirect dependencies of a system, and the systems that depend on it. To find
;;;; them, it must run the definitions of these systems and of the project's other systems.

(in-package #:lisp-workbench/systems)

(defconstant +most-systems+ 300)

(define-run "system-graph" (evaluation request)
  (let* ((name (field request "name"))
         (own (project-systems))
         (from (if name (list (canonical-name name)) own)))
    (mapc #'definition-of own)
    (multiple-value-bind (names more) (related-systems from)
      (object "from" (array-of from)
              "nodes" (array-of (mapcar #'node-object names))
              "edges" (array-of (loop for name in names
                                      append (loop for (to . kind) in (dependencies-of (first (definition name)))
                                                   when (member to names :test #'string=)
                                                     collect (object "from" name "to" to "kind" kind))))
              "more" more))))

(defun project-systems ()
  "Return the names of the project's systems, including those that share a file with another system. Return none while the project's code
may not run."
  (and *project-trusted*
       (remove-duplicates (loop for file in (definition-files (project-directory)) append (names-in-file file))
                          :test #'string= :from-end t)))

(defun definition (name)
  (multiple-value-list (definition-of name)))

(defun related-systems (from)
  "Return two values: the names of the systems FROM, of their direct and indirect dependencies, and of the known systems that depend
directly or indirectly on them; and the number of omitted references."
  (let ((known (make-hash-table :test #'equal)) (names '()) (more 0))
    (labels ((add (name)
               (cond ((gethash name known) nil)
                     ((< (hash-table-count known) +most-systems+)
                      (setf (gethash name known) t)
                      (push name names)
                      t)
                     (t (incf more) nil)))
             (follow (waiting next)
               (loop while waiting
                     do (setf waiting (append (rest waiting) (remove-if-not #'add (funcall next (first waiting))))))))
      (mapc #'add from)
      (follow from (lambda (name) (mapcar #'first (dependencies-of (first (definition name))))))
      (follow from #'all-dependents))
    (values (nreverse names) more)))

(defun all-dependents (name)
  "Return the names of the known systems that depend directly on NAME, by any kind of dependency."
  (sort (loop for other in (asdf:registered-systems)
              when (assoc name (dependencies-of (asdf:registered-system other)) :test #'string=)
                collect other)
        #'string<))

(defun dependencies-of (system)
  "Return (name . kind) for each system on which SYSTEM, which may be NIL, depends."
  (flet ((of-kind (kind reader)
           (loop for name in (dependency-names (ignore-errors (funcall reader system))) collect (cons name kind))))
    (and system
         (append (of-kind "depends" #'asdf:system-depends-on)
                 (of-kind "weakly" #'asdf:system-weakly-depends-on)
                 (of-kind "defsystem" #'asdf:system-defsystem-depends-on)))))

(defun node-object (name)
  (destructuring-bind (system &optional problem) (definition name)
    (let ((changed (and system (not problem) (asdf:component-loaded-p system) (changed-files system))))
      (object "name" name
              "state" (cond (problem "broken")
                            ((null system) "missing")
                            ((some (lambda (component) (equal "failed" (component-state component))) (source-components system)) "failed")
                            (changed "changed")
                            ((asdf:component-loaded-p system) "loaded")
                            (t "defined"))
              "version" (and system (text-or-null (ignore-errors (asdf:component-version system))))
              "file" (and system (file-name (ignore-errors (asdf:system-source-file system))))
              "changed" (length changed)
              "problem" (and problem (print-report problem 500))))))
