;;;; The label of an undo, which shows in advance what the undo will restore and what it cannot restore.

(in-package #:lisp-workbench/provenance)

(defconstant +counting-seconds+ 2 "The maximum time for counting instances, in seconds.")
(defconstant +most-callers+ 200)

(defun undo-label (event)
  "Return the label of an undo of EVENT, as a list (label &key why callers instances)."
  (let ((before (event-before event)))
    (cond ((state-fact before :dropped)
           '(:impossible :why "The former value was discarded when memory ran low."))
          ((and (by-text-p event) (not (earlier-text event)))
           '(:impossible :why "The source text of its former definition is not known."))
          (t (facet-label (car (event-key event)) event before)))))

(defun earlier-text (event)
  (let ((earlier (and (event-earlier event) (find-event (event-earlier event)))))
    (and earlier (event-text earlier))))

(defun facet-label (facet event before)
  (let ((name (cdr (event-key event))))
    (ecase facet
      (:function (function-label name event before))
      (:compiler-macro (callers-label (callers-by #'who-macroexpands name)))
      (:class (class-label name event before))
      (:package (package-undo-label name before))
      (:type (list :exact :why "Code that was compiled with the type keeps using it."))
      (:variable (if (or (eq :constant (event-kind event)) (eq :constant (state-kind before)))
                     (list :lossy :why "Code that was compiled with the constant keeps its value.")
                     (list :exact)))
      (:symbol (symbol-label name before))
      (:method-combination
       (list :impossible :why "A method combination cannot be undone."))
      (:proclamation (list :lossy :why "Code that was compiled with the declaration keeps using it."))
      ((:method :setf-expander :package-name :logical-host) (list :exact)))))

(defun function-label (name event before)
  (callers-label
   (cond ((or (eq :macro (event-kind event)) (eq :macro (state-kind before)))
          (callers-by #'who-macroexpands name))
         ((or (state-fact before :inlining) (info :function :inlining-data name))
          (callers-by #'who-calls name)))))

(defun callers-label (callers)
  (cond ((eq callers :unknown)
         (list :lossy :why "Code that was compiled with it still uses it; this SBCL does not record which code."))
        (callers (list :recompile :callers callers))
        (t (list :exact))))

(defun callers-by (who name)
  "Return the names of the functions that were compiled with the definition of NAME, without NAME itself. Return :UNKNOWN if they cannot be
determined. WHO is a function that returns the users of a name."
  (when (lacking "who-calls and other cross references") (return-from callers-by :unknown))
  (let ((names (ignore-errors
                (remove-duplicates (remove name (mapcar #'car (funcall who name)) :test #'equal) :test #'equal))))
    (remove-if-not (lambda (caller) (or (symbolp caller) (and (consp caller) (eq (first caller) 'setf))))
                   (subseq names 0 (min +most-callers+ (length names))))))

(defun class-label (name event before)
  (let* ((class (find-class name nil))
         (count (if class (count-instances class) 0))
         (structure (or (eq :structure (event-kind event)) (eq :structure (state-kind before)))))
    (cond ((null count)
           (list :lossy :why "Instances may be left without their class or some slots; this SBCL cannot list them."))
          ((and (plusp count) (null before))
           (list :lossy :instances count :why "Existing instances remain, without the name of their class and without its accessors."))
          ((and (plusp count) structure)
           (list :lossy :instances count :why "Instances of a structure become unusable when its slots change."))
          ((plusp count)
           (list :lossy :instances count :why "Existing instances lose the slots that the former class does not have."))
          (structure
           (callers-label (structure-callers event)))
          (t (list :exact)))))

(defun structure-callers (event)
  "Return the functions that were compiled with the structure's accessors; :UNKNOWN if they cannot be determined."
  (let* ((parts (mapcar #'cdar (event-parts event)))
         (callers (mapcar (lambda (part) (callers-by #'who-calls part)) parts)))
    (if (member :unknown callers)
        :unknown
        (remove-if-not #'fboundp
                       (set-difference (remove-duplicates (apply #'append callers) :test #'equal)
                                       parts :test #'equal)))))

(defun count-instances (class)
  "Return the number of live instances of CLASS and its subclasses after a garbage collection. If counting takes too long, return the number
counted so far; if instances cannot be counted, NIL. Do not count the prototype, an instance that SBCL itself creates for many classes."
  (when (lacking "counting objects in memory") (return-from count-instances nil))
  (sb-ext:gc :full t)
  (let ((count 0) (seen 0)
        (end (+ (get-internal-real-time) (* +counting-seconds+ internal-time-units-per-second)))
        (wrappers (make-hash-table :test #'eq)))
    (block counting
      (map-allocated-objects
       (lambda (object type size)
         (declare (ignore type size))
         (when (%instancep object)
           (when (and (instance-of-p object class wrappers)
                      (not (eq object (known-prototype (class-of object)))))
             (incf count))
           (when (and (zerop (logand (incf seen) 8191)) (> (get-internal-real-time) end))
             (return-from counting))))
       :dynamic))
    count))

(defun known-prototype (class)
  "Return the prototype of CLASS, or NIL if it does not exist yet. Do not call CLASS-PROTOTYPE, which would create one."
  (let ((slot (find "PROTOTYPE" (sb-mop:class-slots (class-of class))
                    :key (lambda (slot) (symbol-name (sb-mop:slot-definition-name slot))) :test #'string=)))
    (and slot
         (let ((name (sb-mop:slot-definition-name slot)))
           (and (slot-boundp class name) (slot-value class name))))))

(defun instance-of-p (object class known)
  "Return true if OBJECT is an instance of CLASS. The table KNOWN caches the result for each layout, because this test runs for every object
in the heap."
  (let ((layout (%instance-layout object)))
    (multiple-value-bind (answer found) (gethash layout known)
      (if found
          answer
          (setf (gethash layout known)
                (ignore-errors (and (member class (sb-mop:class-precedence-list (class-of object))) t)))))))

(defun package-undo-label (name before)
  (let ((package (find-package name)))
    (cond ((and (null before) package)
           (let ((users (package-used-by-list package)) (count 0))
             (map-own-symbols (symbol package) (when (meaningful-p symbol) (incf count)))
             (cond (users (list :impossible :why (format nil "~A uses it." (package-name (first users)))))
                   ((plusp count)
                    (list :lossy :why (format nil "~D definition~:P in the package would be lost." count)))
                   (t (list :exact)))))
          ((and before (null package))
           (list :lossy :why "The package is restored, but not the definitions in it."))
          (t (list :exact)))))

(defun symbol-label (symbol before)
  (let ((package (state-fact before :package)))
    (cond ((null before) (list :exact))
          ((null (package-name package)) (list :impossible :why "The symbol's package was deleted."))
          ((let ((other (find-symbol (symbol-name symbol) package))) (and other (not (eq other symbol))))
           (list :impossible :why "Another symbol has this name now."))
          (t (list :exact)))))
