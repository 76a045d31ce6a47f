;;;; Finds the exact place of the form that a frame is executing: in the file from which it was compiled, or in the evaluated text.

(in-package #:lisp-workbench/debugger)

(defstruct (recompiled (:copier nil) (:predicate nil))
  "The function NAME while it is compiled for debugging: NEW replaces OLD, see recompilation.lisp. ORIGIN is NIL if the code was evaluated.
STOPS are the STOPS at lines that were inserted, or NIL."
  name new old origin stops)

(defstruct (origin (:copier nil) (:predicate nil))
  "The place in a file of a definition that was compiled for debugging: the native name of the FILE, the TEXT that was compiled, and the
node of the DEFINITION in it, from which FORM was read. NEWER is true if the definition is newer than the code that was loaded."
  file text definition form newer)

(sb-ext:defglobal *compiled-for-debugging* '()) ; the RECOMPILED functions, latest first

(defun recompiled-function (name)
  (find name *compiled-for-debugging* :key #'recompiled-name :test #'equal))

(defconstant +longest-text+ 20000 "The maximum length, in characters, of a top-level form that is sent.")

(defun place-object (text top node line evaluated &optional (end (and node (node-end node))))
  "Return the values of RUNNING-FORM in wire format: the text of the top-level form; its offset in the file (0 for evaluated text); the
start and END of the running form within the text; and the line of the file where the top-level form begins, or NIL if there is no file. If
the form is too long or unknown, return NIL."
  (let ((from (and top (node-start top))) (to (and top (node-end top))))
    (when (and top (<= (- to from) +longest-text+))
      (let ((shown (subseq text from to)))
        (object "text" shown
                "offset" (if evaluated 0 (utf-16-offset text from))
                "start" (utf-16-offset shown (- (node-start node) from))
                "end" (utf-16-offset shown (- end from))
                "line" line)))))

(defun line-of-frame (name location)
  "Return the file and line at which the function NAME is stopped at LOCATION; NIL if it has no file. If the function's definition has
changed since, the line is the first one of the current definition."
  (let ((line (nth-value 3 (running-form name location)))
        (source (code-location-debug-source location)))
    (and line
         (values (or (getf (debug-source-plist source) :file) (debug-source-file source)) line))))

(defun running-form (name location)
  "Return six values for the place of LOCATION in the function NAME: a text; the node of the top-level form in it; the node of the running
form; the line of the file where the running form begins (NIL if there is no file); true if the text was evaluated; and a keyword if the
file has changed since the code was compiled. With :FILE, the definition has not changed. With :DEFINITION, it has, or its compiled text is
unknown, and the node is the current definition. With :COMPILED, the text is the compiled one, because the file no longer has the definition
or because the code is compiled for debugging from an earlier text. Return NIL if SBCL does not know the place."
  (let* ((source (code-location-debug-source location)) (name (owner-name name source)) (method (definition-of-frame name)))
    ;; Code from a source file that LOAD evaluated has no form, but has the file's name.
    (cond ((not (and (core-debug-source-p source) (core-debug-source-form source)))
           (if (getf (debug-source-plist source) :evaluation)
               (form-of-compiled-text name source location)
               (form-of-file name source location)))
          (method (running-form-of-method method location))
          ((origin-of name) (form-compiled-again name (origin-of name) source location))
          (t (form-of-evaluation name source location)))))

(defun owner-name (name source)
  "If NAME is the name of a local function in code from SOURCE, such as (FLET X :IN Y), return the name of the function or method that
contains it. Otherwise return NAME."
  (let ((owner name))
    (loop while (and (consp owner) (member (first owner) '(flet labels lambda)) (getf (cddr owner) :in))
          do (setf owner (getf (cddr owner) :in)))
    ;; SBCL names the local functions of a method after the generic function, and the local functions of a file's top-level forms after the
    ;; file.
    (let ((method (and (not (eq owner name))
                       (ignore-errors (generic-name-p owner))
                       (method-from-source (fdefinition owner) source))))
      (if method
          `(:method ,owner ,@(qualifiers-of method) ,(specializer-names method))
          owner))))

(defun method-from-source (function source)
  "Return the method of the generic FUNCTION that was compiled from SOURCE, or NIL."
  (find-if (lambda (method) (eq source (ignore-errors (source-of-code (method-code method)))))
           (sb-mop:generic-function-methods function)))

(defun source-of-code (function)
  (code-location-debug-source (debug-fun-start-location (fun-debug-fun function))))

(defun origin-of (name)
  "Return the ORIGIN of the function NAME if it is currently compiled for debugging from a file; otherwise NIL."
  (let ((entry (recompiled-function name))) (and entry (recompiled-origin entry))))

(defun file-compiled-again (name source)
  "Return the source file of the function NAME, whose code comes from SOURCE, if the enclosing function or method is compiled for debugging.
Otherwise return NIL."
  (let* ((name (owner-name name source)) (method (definition-of-frame name)))
    (if method
        (definition-file method)
        (let ((origin (origin-of name))) (and origin (existing-file (origin-file origin)))))))

(defun original-path (name path)
  "PATH leads into the definition of the function NAME as it was compiled for debugging, perhaps with stops at lines. Return the path to the
same form in the definition."
  (let ((entry (recompiled-function name)))
    (if (and entry (recompiled-stops entry)) (without-stops path (stops-paths (recompiled-stops entry))) path)))

(defun form-compiled-again (name origin source location)
  "Return the values of RUNNING-FORM for the function NAME, compiled for debugging from ORIGIN. The form that the compiler saw was (LAMBDA
() (DECLARE …) (NAMED-LAMBDA …)), see COMPILE-FOR-DEBUGGING."
  (let* ((definition (origin-definition origin))
         (form (core-debug-source-form source))
         (path (form-path form location))
         (compiled (and path (form-at form (list (first path)))))
         (inner (and (consp compiled) (original-path name (source-path (rest path) compiled definition)))))
    (form-now (origin-file origin) (origin-text origin) (top-around (origin-text origin) definition)
              (or (and inner (node-at-path definition inner)) definition)
              t)))

(defun form-now (file compiled top node &optional exactly)
  "Return the values of RUNNING-FORM for NODE within TOP in COMPILED, the text of FILE that was compiled, by the current text of FILE. If
EXACTLY, and the definition has changed, return its place in COMPILED, because the person steps through it."
  (let ((text (and (existing-file file) (file-text file))))
    (if (and text (or (eq text compiled) (string= text compiled)))
        (values text top node (line-and-column text (node-start node)) nil nil)
        (multiple-value-bind (top-now node-now changed) (and text (counterpart compiled node text))
          (if (and top-now (not (and exactly (eq changed :definition))))
              (values text top-now node-now (line-and-column text (node-start node-now)) nil changed)
              (values compiled top node nil nil :compiled))))))

(defun form-of-file (name source location)
  "Return the values of RUNNING-FORM for the function NAME, whose code was loaded from a file. If the file has changed since, find the
definition in the current text."
  (multiple-value-bind (text compiled file) (source-texts (debug-source-namestring source) (debug-source-created source))
    (if compiled
        (let* ((top (top-level-node compiled (code-location-toplevel-form-offset location)))
               (number (code-location-form-number location))
               (numbered (and top (numbered-nodes top))))
          (when top (form-now file compiled top (if (< number (length numbered)) (aref numbered number) top))))
        (let ((definition (and text (definition-by-name (key-of-frame name) text))))
          (when definition
            (values text (or (top-around text definition) definition) definition
                    (line-and-column text (node-start definition)) nil :definition))))))

(defun form-of-compiled-text (name source location)
  "Return the values of RUNNING-FORM for a text that was compiled like a file, so that its functions have an origin."
  (let* ((plist (debug-source-plist source))
         (text (or (and *loaded-form* (funcall *loaded-form* plist))
                   (evaluated-text name (getf plist :evaluation))
                   (text-in-file plist)))
         (top (and text (first (read-nodes text :features t :count 1))))
         (numbered (and top (numbered-nodes top)))
         (number (code-location-form-number location)))
    (when top
      (let ((node (if (< number (length numbered)) (aref numbered number) top)))
        (values text top node (line-of-file source (line-and-column text (node-start node))) t)))))

(defun text-in-file (plist)
  "Return, from the file, the text of the compiled top-level form that PLIST describes; NIL if the file now contains another form at that
place."
  (let* ((file (existing-file (getf plist :file)))
         (text (and file (getf plist :offset) (file-text file)))
         (top (and text (top-level-at text (character-offset text (getf plist :offset)))))
         (form (and top (subseq text (node-start top) (node-end top)))))
    (and form (eql (sxhash form) (getf plist :hash)) form)))

(defun top-level-at (text start)
  (and (< start (length text))
       (first (read-nodes text :start start :features t :count 1))))

(defun form-of-evaluation (name source location)
  (let* ((symbol (if (consp name) (second name) name))
         (text (and symbol (symbolp symbol) (evaluated-text name (getf (debug-source-plist source) :evaluation))))
         (top (and text (first (read-nodes text :features t :count 1))))
         (definition (and top (find-definition-within top symbol)))
         (path (and definition (original-path name (path-in-definition source location definition))))
         (node (and definition (or (node-at-path definition path) definition))))
    (when node
      (values text top node (line-of-file source (line-and-column text (node-start node))) t))))

(defun path-in-definition (source location definition)
  "Return the path in DEFINITION, an evaluated DEFUN, that corresponds to LOCATION in the form that the compiler saw. If the function was
compiled for debugging, that form was (LAMBDA () (DECLARE …) (NAMED-LAMBDA …))."
  (let* ((form (core-debug-source-form source))
         (path (form-path form location)))
    (if (and path (consp form) (eq (first form) 'lambda))
        (source-path (rest path) (form-at form (list (first path))) definition)
        (source-path path form definition))))

(defun line-of-file (source line)
  "Return the line in the file that corresponds to LINE, counted from 1, of a text that was evaluated from the file; NIL if the text is not
from a file."
  (let ((first (getf (debug-source-plist source) :line)))
    (and first line (+ first line -1))))

(defun evaluated-text (name evaluation)
  "Return the text of the form that defined the function NAME in EVALUATION, from the record of definitions."
  (map-events (lambda (event)
                (when (and (equal (event-evaluation event) evaluation)
                           (equal (event-key event) (key-of-frame name))
                           (event-text event))
                  (return-from evaluated-text (event-text event))))))

(defun key-of-frame (name)
  "Return the key of the definition whose code a frame with this NAME runs."
  (if (and (consp name) (member (first name) '(:method sb-pcl::fast-method sb-pcl::slow-method)))
      (destructuring-bind (generic &rest more) (rest name)
        (list :method generic (butlast more) (first (last more))))
      (cons :function name)))

(defun source-path (path form definition)
  "PATH leads into the (NAMED-LAMBDA NAME LAMBDA-LIST … (BLOCK NAME . BODY)) that DEFUN creates. Return the path to the same form in
DEFINITION."
  (let ((block (position-if (lambda (part) (and (consp part) (eq (first part) 'block))) form))
        (leading (length (leading-nodes (nthcdr 3 (node-children definition))))))
    (when (and block (eql (first path) block) (rest path))
      (list* (+ 3 leading (- (second path) 2)) (cddr path)))))

(defun leading-nodes (nodes)
  "Return the nodes of the documentation and the declarations at the start of NODES, a body."
  (loop for (node . more) on nodes
        while (or (equal "DECLARE" (operator-name node))
                  (and (eq (node-kind node) :string) more))
        collect node))
