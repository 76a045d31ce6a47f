;;;; The messages for systems and files that depend on each other. ASDF reports the operations in between, as objects.

(in-package #:lisp-workbench/systems)

(defun circular-report (condition)
  "Return the message of CONDITION, ASDF's circular dependency, with the names of systems or files; NIL if these are unknown."
  (let* ((actions (ignore-errors (uiop:symbol-call '#:asdf/action '#:circular-dependency-actions condition)))
         (components (remove-duplicates (mapcar #'cdr actions) :from-end t))
         (systems (remove-duplicates (mapcar #'asdf:component-system components) :from-end t)))
    (when components
      (if (rest systems)
          (circle "These systems depend on each other" (mapcar #'asdf:component-name systems))
          (circle (format nil "Files of the system ~A depend on each other" (asdf:component-name (first systems)))
                  (mapcar #'file-label components))))))

(defun file-label (component)
  "Return the name of COMPONENT with the names of the modules around it."
  (format nil "~{~A~^/~}" (rest (asdf:component-find-path component))))

(defun circle (words names)
  (format nil "~A: ~{~A → ~}~A." words names (first names)))

(push '(asdf:circular-dependency . circular-report) *reports*)
