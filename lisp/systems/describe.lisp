;;;; The operation `describe-system`. Reading a system's definition means running it, so this is done only for a requested system.

(in-package #:lisp-workbench/systems)

(defconstant +most-components+ 1000)

(define-run "describe-system" (evaluation request)
  (let ((name (canonical-name (field request "name"))))
    (multiple-value-bind (system problem) (definition-of name)
      (if (and (null system) (null problem))
          (error 'asdf:missing-component :requires name)
          (system-object name system problem)))))

(defun definition-of (name)
  "Return the system NAME, or NIL if there is none. If the system's definition signals an error, return the condition as second value."
  (let ((*package* (find-package '#:common-lisp-user)))
    ;; Describing a system must have no effects. Therefore effects of system definitions, and of forms in ASDF's variables, are denied
    ;; without asking the person.
    (handler-case (let ((*may-wait* (and *may-wait* (not *guard*)))) (asdf:find-system name nil))
      ;; ASDF wraps every error in the system's file in these conditions. A handler for them does not see conditions that are handled inside
      ;; that file.
      ((or asdf:load-system-definition-error asdf:missing-component) (condition) (values nil condition)))))

(defun system-object (name system problem)
  (multiple-value-bind (components more) (if system (component-objects system) (values '() 0))
    (flet ((text (reader) (and system (text-or-null (ignore-errors (funcall reader system)))))
           (names (reader) (array-of (and system (dependency-names (ignore-errors (funcall reader system)))))))
      (object "name" name
              "description" (text #'asdf:system-description)
              "longDescription" (text #'asdf:system-long-description)
              "longName" (text #'asdf:system-long-name)
              "author" (text #'asdf:system-author)
              "maintainer" (text #'asdf:system-maintainer)
              "license" (text #'asdf:system-license)
              "version" (text #'asdf:component-version)
              "homepage" (text #'asdf:system-homepage)
              "dependsOn" (names #'asdf:system-depends-on)
              "weaklyDependsOn" (names #'asdf:system-weakly-depends-on)
              "defsystemDependsOn" (names #'asdf:system-defsystem-depends-on)
              "components" (array-of components)
              "moreComponents" more
              "file" (file-name (if system (asdf:system-source-file system) (second (gethash name (known-systems)))))
              "loaded" (json-boolean (and system (asdf:component-loaded-p system)))
              "dependents" (array-of (dependents name))
              "problem" (and problem
                             (object "type" (type-name problem) "message" (print-report problem 2000)))))))

(defun text-or-null (value)
  (typecase value
    (null nil)
    (string (subseq value 0 (min 4000 (length value))))
    (t (print-short value 400))))

(defun dependency-names (dependencies)
  (remove-duplicates (loop for dependency in dependencies
                           for name = (dependency-name dependency)
                           when name collect name)
                     :test #'string= :from-end t))

(defun dependency-name (dependency)
  "Return the name of the system that DEPENDENCY specifies. The name is x for \"x\", :x, (:version \"x\" \"1\"), (:require \"x\") and
(:feature :f \"x\"). Return NIL for a :feature dependency if the feature is missing."
  (cond ((and dependency (or (stringp dependency) (symbolp dependency))) (string-downcase dependency))
        ((not (and (consp dependency) (consp (rest dependency)))) nil)
        ((member (first dependency) '(:version :require)) (dependency-name (second dependency)))
        ((eq (first dependency) :feature)
         (and (ignore-errors (uiop:featurep (second dependency))) (dependency-name (third dependency))))))

(defun component-objects (system)
  "Return two values: the components of SYSTEM, each with its depth and followed by its children; and the number of omitted components. The
components of a package-inferred system are the systems of its files, which are included once their definitions are known."
  (let ((objects '()) (count 0))
    (labels ((walk (component depth)
               (when (<= (incf count) +most-components+)
                 (push (object "name" (told-component-name component)
                               "kind" (cond ((typep component 'asdf:static-file) "static-file")
                                            ((typep component 'asdf:parent-component) "module")
                                            ((typep component 'asdf:cl-source-file) "file")
                                            (t "other"))
                               "file" (file-name (ignore-errors (asdf:component-pathname component)))
                               "depth" depth
                               "state" (component-state component))
                       objects))
               (when (typep component 'asdf:parent-component)
                 (walk-children component (1+ depth))))
             (walk-children (component depth)
               (dolist (child (asdf:component-children component)) (walk child depth))))
      (if (and (typep system 'asdf:package-inferred-system) (string= (asdf:component-name system) (asdf:primary-system-name system)))
          (mapc (lambda (each) (walk-children each 0)) (cons system (inferred-systems system)))
          (walk-children system 0)))
    (values (nreverse objects) (max 0 (- count +most-components+)))))

(defun told-component-name (component)
  "Return the name of COMPONENT to show. The only file of an inferred system is called lisp, so show that system's name instead."
  (let* ((parent (asdf:component-parent component)) (name (asdf:component-name component)))
    (if (typep parent 'asdf:package-inferred-system)
        (let ((whole (asdf:component-name parent)))
          (if (string= name "lisp") (subseq whole (1+ (or (position #\/ whole) -1))) name))
        name)))

(defun inferred-systems (system)
  "Return the systems of the files that SYSTEM, a package-inferred system, needs. Each system comes after its own dependencies."
  (let ((prefix (format nil "~A/" (asdf:component-name system))) (found '()))
    (labels ((visit (each)
               (dolist (name (ignore-errors (dependency-names (asdf:system-depends-on each))))
                 (when (eql 0 (search prefix name))
                   (let ((inner (ignore-errors (asdf:find-system name nil))))
                     (when (and inner (not (member inner found)) (< (length found) +most-components+))
                       (visit inner)
                       (pushnew inner found)))))))
      (visit system))
    (reverse found)))

(defun dependents (name)
  "Return the systems that depend on NAME and whose definitions are already known."
  (sort (loop for other in (asdf:registered-systems)
              for system = (ignore-errors (asdf:registered-system other))
              when (and system
                        (member name (ignore-errors (dependency-names (asdf:system-depends-on system))) :test #'string=))
                collect other)
        #'string<))
