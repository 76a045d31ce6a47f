;;;; Breakpoints on lines within functions and methods. While such a breakpoint is set, its function is compiled for debugging, with a call
;;;; of the engine before the form of the line.

(in-package #:lisp-workbench/debugger)

(define-condition line-reached (condition)
  ((name :initarg :name :reader reached-name)
   (number :initarg :number :reader reached-number)) ; the line, counted from the first line of the definition, which is 0
  (:report (lambda (condition stream)
             (format stream "Breakpoint: ~A, line ~D of its definition."
                     (shown-target (reached-name condition)) (1+ (reached-number condition))))))

(defun shown-target (name)
  (print-short (if (method-name-p name) (method-name-words name) name) 200))

(defun stop-at-line (breakpoint name number)
  "Stop at line NUMBER of the function NAME, which has BREAKPOINT, if the person debugs the code. While the person steps, the step itself
stops at the form."
  (when (and *evaluation* (null *escape-from-debugger*) (steppable-p *evaluation*)
             (or (null (breakpoint-when breakpoint)) (member breakpoint *stopping*))
             (or (lacking "stepping") (not (stepping-enabled-p))))
    (with-simple-restart (continue "Continue.")
      (invoke-debugger (make-condition 'line-reached :name name :number number)))))

(defun breakpoint-of (name)
  "Return the breakpoint with lines on the function or method NAME, or NIL."
  (find-if (lambda (breakpoint) (and (inner-lines breakpoint) (equal name (breakpoint-name breakpoint)))) *breakpoints*))

(defun inner-lines (breakpoint)
  "Return the lines of BREAKPOINT, each (number text), without line 0, which stands for the call."
  (remove 0 (breakpoint-lines breakpoint) :key #'first))

(defun stops-at-call-p (breakpoint)
  (or (null (inner-lines breakpoint)) (find 0 (breakpoint-lines breakpoint) :key #'first)))

;;; Inserting the stops

(defstruct (stops (:copier nil) (:predicate nil))
  "The stops inserted into a definition for LINES, each (number text): FORM with the stops, and the PATHS in the original form of the forms
before which they are. PROBLEM is a sentence about a line without a form to stop at, or NIL."
  lines form (paths '()) (problem nil))

(defun with-stops (form name text definition)
  "Return the STOPS for FORM, the definition of the function or method NAME, read from the node DEFINITION of TEXT. Return NIL if NAME has
no breakpoint on a line."
  (let ((breakpoint (breakpoint-of name)))
    (when breakpoint
      (let ((stops (make-stops :lines (breakpoint-lines breakpoint) :form form)))
        (dolist (line (inner-lines breakpoint) stops)
          (destructuring-bind (number written) line
            (let* ((wanted (and definition (line-in-definition number written text definition)))
                   (path (and wanted (path-to-stop-at form text definition wanted))))
              (cond (path (pushnew path (stops-paths stops) :test #'equal))
                    (t (setf (stops-problem stops) (no-form-problem number name)))))))
        ;; Inner forms first, because a path must lead to its form through unchanged ones.
        (dolist (path (sort (copy-list (stops-paths stops)) #'> :key #'length))
          (setf (stops-form stops)
                (wrapped-at (stops-form stops) path
                            (let ((breakpoint breakpoint) (number (line-of-path text definition path)))
                              (lambda () (stop-at-line breakpoint name number))))))
        stops))))

(defun no-form-problem (number name)
  (format nil "Stopped at the call, because there is no form to stop at on or after line ~D of ~A." (1+ number) (shown-target name)))

(defun wrapped-at (form path function)
  "Return a copy of FORM in which FUNCTION is called before the form at PATH."
  (if (null path)
      ;; No step stops at the engine's own call.
      `(progn (locally (declare (optimize (debug 0))) (funcall ,function)) ,form)
      (let ((copy (copy-list form)))
        (setf (nth (first path) copy) (wrapped-at (nth (first path) copy) (rest path) function))
        copy)))

(defun without-stops (path paths)
  "PATH leads into a form with stops at PATHS. Return the path to the same form in the original form."
  (let ((done '()))
    (loop
      (when (member (reverse done) paths :test #'equal)
        (if (eql 2 (first path)) (pop path) (return (reverse done))))
      (when (null path) (return (reverse done)))
      (push (pop path) done))))

;;; Finding the form of a line

(defun path-to-stop-at (form text definition wanted)
  "Return the path in FORM to the first evaluated form that begins on the line WANTED of DEFINITION, the node in TEXT from which FORM was
read, or on a later line. Return NIL if there is none."
  (let ((evaluated (evaluated-conses form)))
    (loop for (path . node) in (nodes-with-paths definition)
          for part = (ignore-errors (form-at form path))
          when (and (consp part) path
                    (>= (lines-between text (node-start definition) (node-start node)) wanted)
                    (gethash part evaluated)
                    (not (place-p form path)))
            return path)))

(defun line-of-path (text definition path)
  (lines-between text (node-start definition) (node-start (node-at-path definition path))))

(defun nodes-with-paths (node)
  "Return (path . node) for each list within NODE, in the order of the text. Leave out lists within quotes and backquotes."
  (let ((found '()))
    (labels ((look (node path)
               (when (eq :list (node-kind node))
                 (push (cons (reverse path) node) found)
                 (loop for child in (node-children node)
                       for index from 0
                       do (look child (cons index path))))))
      (look node '())
      (sort (nreverse found) #'< :key (lambda (each) (node-start (cdr each)))))))

(defun evaluated-conses (form)
  "Return a table of the conses in FORM, a DEFUN or DEFMETHOD, that its body evaluates as forms. The table is empty if SBCL cannot expand
the body."
  (let ((seen (make-hash-table :test #'eq)) (at (position-if #'listp form :start 2)))
    (unless (lacking "breakpoints on lines")
      (ignore-errors
       (walk-form `(lambda ,(mapcar (lambda (parameter) (if (consp parameter) (first parameter) parameter))
                                    (required-parameters (nth at form)))
                     ,@(nth-value 1 (leading-declarations (nthcdr (1+ at) form))))
                  nil
                  (lambda (part context environment)
                    (declare (ignore environment))
                    (when (and (consp part) (eq context :eval)) (setf (gethash part seen) t))
                    part))))
    seen))

(defun place-p (form path)
  "Return true if the form at PATH in FORM is a place that its parent may change, such as in (INCF (CAR LIST))."
  (let* ((parent (form-at form (butlast path))) (index (first (last path))) (operator (and (consp parent) (first parent))))
    (case operator
      ((setf psetf) (oddp index))
      ((incf decf pop remf) (eql index 1))
      ((push pushnew) (eql index 2))
      ((rotatef shiftf) t))))

(defun line-in-definition (number written text definition)
  "Return the number of the line in DEFINITION, a node in TEXT, that a breakpoint on the line NUMBER with the text WRITTEN means: the
nearest line with this text. Lines are counted from the first line of DEFINITION, which is 0. Return NIL if no line has this text."
  (first (sort (loop for line in (definition-lines text definition)
                     for index from 0
                     when (string= line written) collect index)
               #'< :key (lambda (index) (abs (- index number))))))

(defun definition-lines (text definition)
  "Return the lines of DEFINITION, a node in TEXT, without indentation. The first and the last line contain all that TEXT has there."
  (let ((start (1+ (or (position #\Newline text :end (node-start definition) :from-end t) -1)))
        (end (or (position #\Newline text :start (node-end definition)) (length text))))
    (loop for from = start then (1+ to)
          for to = (or (position #\Newline text :start from :end end) end)
          collect (string-trim '(#\Space #\Tab #\Return) (subseq text from to))
          while (< to end))))

;;; Calls

(defun code-with-stops (name breakpoint function)
  "Return two values: the function to call for NAME, which has BREAKPOINT with lines and the code FUNCTION, compiled with the stops; and a
sentence for the person if it cannot stop at one of the lines, otherwise NIL."
  (flet ((current-p (entry)
           (and entry (recompiled-stops entry) (equal (breakpoint-lines breakpoint) (stops-lines (recompiled-stops entry))))))
    (unless (and (current-p (recompiled-function name)) (eq function (recompiled-new (recompiled-function name))))
      (forget-steppable name)
      ;; The person may also have compiled the function, without the stops.
      (when (recompiled-function name) (ignore-errors (without-recording (compile-for-debugging name))))
      (steppable-definition name (if (fboundp name) (fdefinition name) function)))
    (let ((entry (recompiled-function name)))
      (values (if (fboundp name) (fdefinition name) function)
              (cond ((null entry) (format nil "Stopped at the call. ~@?" (why-no-source-form name) name))
                    ((not (current-p entry)) (no-form-problem (first (first (inner-lines breakpoint))) name))
                    (t (stops-problem (recompiled-stops entry))))))))

(defun method-with-stops (name breakpoint)
  "Return the values of CODE-WITH-STOPS for the method NAME; the first value is the method."
  (let* ((method (steppable-method name)) (definition (compiled-method-p method)) (stops (and definition (definition-stops definition))))
    (values method
            (if (and stops (equal (breakpoint-lines breakpoint) (stops-lines stops)))
                (stops-problem stops)
                (no-form-problem (first (first (inner-lines breakpoint))) name)))))

;;; Checking a line

(defun line-problem (target number written)
  "Return a sentence that explains why a breakpoint on the function or method that the text TARGET names cannot stop at its line NUMBER with
the text WRITTEN; NIL if it can, or if the function does not exist yet."
  (let ((name (breakpoint-target target)))
    (cond ((lacking "breakpoints on lines") "This version of SBCL does not support breakpoints on lines.")
          ((or (null name) (not (if (method-name-p name) (named-method name) (fboundp name)))) nil)
          (t (multiple-value-bind (form text definition problem) (definition-to-stop-in name)
               (let ((wanted (and definition (line-in-definition number written text definition))))
                 (cond (problem problem)
                       ((null definition) (format nil "The text of ~A is not known." (shown-target name)))
                       ((null wanted)
                        (format nil "The line is not in the definition of ~A that was loaded. Compile the definition first."
                                (shown-target name)))
                       ((null (read-of-users nil (path-to-stop-at form text definition wanted)))
                        (format nil "No form that is evaluated begins on or after this line of ~A." (shown-target name))))))))))

(defun definition-to-stop-in (name)
  "Return four values: the form, the text and the node of the definition that is compiled for debugging when the function or method NAME
stops, each NIL if unknown; and a sentence if the definition cannot be compiled."
  (if (method-name-p name)
      (let* ((method (named-method name)) (definition (or (compiled-method-p method) (method-definition method))))
        (if definition
            (values (definition-form definition) (definition-text definition) (method-node definition) nil)
            (values nil nil nil (format nil "The source of ~A is not known, so it cannot be compiled for debugging." (shown-target name)))))
      (multiple-value-bind (form package origin) (source-form name)
        (declare (ignore package))
        (let ((compiled (origin-of name)))
          (cond ((null form) (values nil nil nil (format nil (why-no-source-form name) name)))
                (compiled (values (origin-form compiled) (origin-text compiled) (origin-definition compiled) nil))
                (t (multiple-value-bind (text definition) (text-of-form name origin)
                     (values form text definition nil))))))))

(defun method-node (definition)
  "Return the node of DEFINITION, if the method is written directly as a DEFMETHOD; otherwise NIL."
  (let ((top (and (definition-text definition) (null (definition-call definition)) (eql 0 (definition-shift definition))
                  (first (read-nodes (definition-text definition) :start (definition-start definition) :features t :count 1)))))
    (and top (node-at-path top (definition-path definition)))))

(defun text-of-form (name origin)
  "Return two values: the text and the node of the definition of the function NAME, from ORIGIN or from the evaluation that defined it."
  (if origin
      (values (origin-text origin) (origin-definition origin))
      (let* ((text (evaluated-text name (getf (source-plist-of (original-function name)) :evaluation)))
             (top (and text (first (read-nodes text :features t :count 1))))
             (definition (and top (find-definition-within top (breakpoint-symbol name)))))
        (values text definition))))

(defun original-function (name)
  "Return the function NAME as it was before it was compiled for debugging."
  (let ((entry (recompiled-function name))) (if entry (recompiled-old entry) (fdefinition name))))
