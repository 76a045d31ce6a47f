;;;; Messages about circular dependencies between systems or files. ASDF's own message lists the operations, printed as objects.

(in-package #:lisp-workbench/systems)

(defun circular-report (condition)
  "Return a message for CONDITION, ASDF's circular dependency error, that names the systems or files. Return NIL if these are unknown."
  (let* ((actions (ignore-errors (uiop:symbol-call '#:asdf/action '#:circular-dependency-actions condition)))
         (components (remove-duplicates (mapcar #'cdr actions) :from-end t))
         (systems (remove-duplicates (mapcar #'asdf:component-system components) :from-end t)))
    (when components
      (if (rest systems)
          (circle "These systems depend on each other" (mapcar #'asdf:component-name systems))
          (circle (format nil "Files of the system ~A depend on each other" (asdf:component-name (first systems)))
                  (mapcar #'file-label components))))))

(defun file-label (component)
  "Return the name of COMPONENT, prefixed with the names of the modules that contain it."
  (format nil "~{~A~^/~}" (rest (asdf:component-find-path component))))

(defun circle (words names)
  (format nil "~A: ~{~A → ~}~A." words names (first names)))

(push '(asdf:circular-dependency . circular-report) *reports*)
