;;;; Views of objects that have slots: instances, structures, conditions, and all other objects that SBCL stores in the same way.

(in-package #:lisp-workbench/inspection)

(define-facts "instance" (object)
  ("Class" (class-label-of (class-of object)))
  ("Metaclass" (class-label-of (class-of (class-of object))))
  ("Slots" (length (slots-of object))))

(define-facts "structure" (object)
  ("Type" (class-label-of (class-of object)))
  ("Includes" (let ((super (first (sb-mop:class-direct-superclasses (class-of object)))))
                (and super (not (eq super (find-class 'structure-object))) (class-label-of super)))))

(define-facts "condition" (object)
  ("Report" (print-report object 1000))
  ("Class" (class-label-of (class-of object)))
  ("Severity" (typecase object
                (serious-condition "serious") (warning "warning") (t nil))))

(define-facts "random-state" (object))

(define-facts "system" (system)
  ("Name" (asdf:component-name system))
  ("Version" (asdf:component-version system))
  ("Loaded" (yes-or-no (asdf:component-loaded-p (asdf:component-name system))))
  ("Description" (slot-text system 'asdf:system-description))
  ("Author" (slot-text system 'asdf:system-author))
  ("License" (slot-text system 'asdf:system-license))
  ("File" (let ((file (asdf:system-source-file system))) (and file (sb-ext:native-namestring file)))))

(defun slot-text (system reader)
  (let ((text (funcall reader system))) (and (stringp text) text)))

(define-view "system" "components" (system)
  (mapcar (lambda (component) (part (asdf:component-name component) (lambda () component)))
          (asdf:component-children system)))

(define-view "system" "depends on" (system)
  (loop for dependency in (asdf:system-depends-on system)
        collect (let ((known (and (stringp dependency) (asdf:registered-system dependency))))
                  (if known
                      (part (asdf:component-name known) (lambda () known))
                      (text-part (label-text dependency) "not known to ASDF")))))

(defun add-slot-views ()
  (dolist (kind '("instance" "structure" "condition" "system" "random-state" "stream" "thread" "pathname" "method" "class" "generic-function"))
    (add-view kind "slots" #'slots-of #'slot-parts)
    (unless (member kind '("structure" "random-state"))
      (add-view kind "by class" #'inheritingp #'slot-parts-by-class))))

(dolist (kind '("instance" "structure" "condition"))
  (add-view kind "error in printing" #'print-failure
            (lambda (object)
              (let ((condition (print-failure object)))
                (and condition
                     (list (part "Condition" (lambda () condition))
                           (text-part "Report" (print-report condition 1000))))))))

(defun slots-of (object)
  "Return the slot definitions of OBJECT's class, in order. If OBJECT belongs to the engine, return NIL."
  (let ((class (class-of object)))
    (and (not (engine-class-p class))
         (sb-mop:class-slots class))))

(defun slot-parts (object)
  (mapcar (lambda (slot) (slot-part object slot nil)) (slots-of object)))

(defun slot-part (object slot group)
  (let* ((name (sb-mop:slot-definition-name slot))
         (place (slot-place object slot name))
         (note (let ((allocation (sb-mop:slot-definition-allocation slot)))
                 (and (not (eq allocation :instance)) (string-downcase (princ-to-string allocation))))))
    (part (symbol-label name) nil :place place :group group :note note)))

(defun symbol-label (symbol)
  (print-short symbol 200))

(defun slot-place (object slot name)
  (make-place :reader (lambda () (if (slot-boundp object name) (slot-value object name) '%unbound))
              :writer (lambda (value) (setf (slot-value object name) value))
              :type (or (sb-mop:slot-definition-type slot) t)
              :refusal (slot-refusal object name)
              :remover (and (not (typep object 'structure-object))
                            (lambda () (slot-makunbound object name)))))

(defun slot-refusal (object name)
  "Return the reason why the slot NAME of OBJECT must not be changed, or NIL."
  (let* ((class (class-of object))
         (home (and (symbolp (class-name class)) (class-name class) (symbol-package (class-name class)))))
    (cond ((and home (sb-ext:package-locked-p home))
           (format nil "Its class ~A belongs to the locked package ~A." (class-name class) (package-name home)))
          ((and (typep object 'structure-object) (read-only-slot-p class name))
           (format nil "The slot ~A is read-only." name)))))

(defun read-only-slot-p (class name)
  (let* ((slot (find name (sb-mop:class-slots class) :key #'sb-mop:slot-definition-name))
         (accessor (and slot (slot-definition-defstruct-accessor-symbol slot))))
    (and accessor (not (fboundp `(setf ,accessor))))))

;;; Slots by the class that defines them

(defun inheritingp (object)
  "Return true if the slots of OBJECT come from more than one class."
  (rest (remove-duplicates (mapcar (lambda (slot) (slot-origin object slot)) (slots-of object)))))

(defun slot-origin (object slot)
  "Return the most specific class that defines SLOT."
  (let ((name (sb-mop:slot-definition-name slot)))
    (or (find-if (lambda (class)
                   (find name (ignore-errors (sb-mop:class-direct-slots class)) :key #'sb-mop:slot-definition-name))
                 (sb-mop:class-precedence-list (class-of object)))
        (class-of object))))

(defun slot-parts-by-class (object)
  "Return the slots grouped by the class that defines them, the most general class first."
  (let ((slots (mapcar (lambda (slot) (cons (slot-origin object slot) slot)) (slots-of object))))
    (loop for class in (reverse (sb-mop:class-precedence-list (class-of object)))
          append (loop for (origin . slot) in slots
                       when (eq origin class)
                         collect (slot-part object slot (class-label-of class))))))
