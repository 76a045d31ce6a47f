;;;; The marks of a text: forms in it whose values are to be recorded. A recorder is inserted around the form that the compiler has read,
;;;; after the compiler has recorded the places of all forms. The text and all its places therefore stay unchanged.

(in-package #:lisp-workbench/compilation)

(defstruct (mark (:copier nil) (:predicate nil))
  "A form of the text from START to before END, in characters. FOUND is true if the form was read, or if the mark was refused. SWITCH is a
function that inserts the recorder around the form; called with NIL, it removes the recorder."
  id start end (found nil) (switch nil))

(defun marks-of (request)
  (let ((text (field request "text")))
    (map 'list (lambda (each)
                 (make-mark :id (field each "form") :start (character-offset text (field each "start")) :end (character-offset text (field each "end"))))
         (or (field request "marks") #()))))

(defun refused-marks (compilation)
  "Return objects for the marks that COMPILATION refuses, each with the reason as a sentence for the person. Call this after the
compilation."
  (loop for mark in (compilation-marks compilation)
        for reason = (refusal-reason mark)
        when reason collect (object "form" (mark-id mark) "reason" reason)))

(defun refusal-reason (mark)
  (cond ((lacking "recording the values of marked forms") "This version of SBCL cannot record the values of forms.")
        ((refusal-of (mark-id mark)))
        ((not (mark-found mark)) "The definition could not be read up to this form.")
        ((not (compiled-p (mark-id mark)))
         "This is part of the syntax of the surrounding form, such as a list of bindings, and has no value. Mark the surrounding form, or a form inside.")))

;;; Planting

(defun plant-marks-after (original form &rest more)
  "Advice on the function that records the places of all forms in a top-level FORM."
  (multiple-value-prog1 (apply original form more)
    (let ((reading (and *compilation* (compilation-marks *compilation*) (current-text-reading))))
      (when reading
        (let ((top (gethash form (reading-places reading))))
          (dolist (mark (compilation-marks *compilation*))
            (when (and top (<= (car top) (mark-start mark)) (<= (mark-end mark) (cdr top)))
              (plant mark form reading))))))))

(defun plant (mark form reading)
  "Insert the recorder of MARK around its form within FORM, or record the reason why the recorder cannot be inserted."
  (flet ((refuse-mark (sentence)
           (setf (mark-found mark) t)
           (note-refusal (mark-id mark) sentence)))
    (multiple-value-bind (replace parents) (marked-place mark form reading)
      (cond ((equal (gethash form (reading-places reading)) (cons (mark-start mark) (mark-end mark)))
             (refuse-mark "This is a whole top-level form. Mark a form inside it."))
            ((null replace)
             (refuse-mark "The value of this form never changes. Mark a call or a variable."))
            ((member 'quote parents :key #'car)
             (refuse-mark "This form is quoted data, which is never evaluated. Mark the form around it."))
            ((member 'quasiquote parents :key #'car)
             (refuse-mark "This form is part of a backquote template, which is not evaluated here. Mark the whole template."))
            ((member 'declare parents :key #'car)
             (refuse-mark "A declaration is not evaluated. Mark a form after it."))
            ((member 'defstruct parents :key #'car)
             (refuse-mark "The defaults of a structure's slots are copied into every structure that includes it. Mark a form inside the function that is called here."))
            ((find-if (lambda (list) (copied-p list form)) parents)
             (refuse-mark "This function is inline: its calls are copies of its code. Declaim it NOTINLINE first."))
            (t
             (setf (mark-found mark) t
                   (mark-switch mark) replace)
             (funcall replace t))))))

(defparameter *inline-words* '(inline sb-ext:maybe-inline))

(defun copied-p (definition form)
  "Return true if DEFINITION, a list within the top-level FORM, defines an inline function, whose source is copied into its callers."
  (sound
    (and (eq (first definition) 'defun)
         (let ((name (second definition)))
           (or (declaims-inline-p name form)
               (member (info :function :inlinep name) *inline-words*))))))

(defun declaims-inline-p (name form)
  (and (consp form)
       (case (first form)
         (declaim (some (lambda (each)
                          (and (consp each) (member (first each) *inline-words*) (member name (rest each) :test #'equal)))
                        (rest form)))
         ((progn eval-when) (some (lambda (each) (declaims-inline-p name each)) (rest form))))))

(defun find-context-as-read (original &rest arguments)
  "Advice on the function that uses a path to find the form that the compiler reports on. Remove the recorders during the search, so that it
finds the form that was read."
  (let ((switches (and *compilation* (remove nil (mapcar #'mark-switch (compilation-marks *compilation*))))))
    (dolist (switch switches) (funcall switch nil))
    (unwind-protect (apply original arguments)
      (dolist (switch switches) (funcall switch t)))))

(defun marked-place (mark form reading)
  "Return two values. The first is a function that inserts the recorder around MARK's form within FORM; called with NIL, it removes the
recorder. The first value is NIL if the form is not found. The second value is the list of enclosing lists, innermost first. A form after a
comma does not count as part of its template."
  (let ((seen (make-hash-table :test #'eq))
        (symbols (symbols-before mark reading)))
    (labels ((is-it (object parent)
               (if (consp object)
                   (let ((place (gethash object (reading-places reading))))
                     (and place (= (car place) (mark-start mark)) (= (cdr place) (mark-end mark))))
                   (and (eq (car symbols) parent)
                        (eq object (cadr symbols))
                        (minusp (decf (cddr symbols))))))
             (look-at (object list parents put)
               (when (is-it object list)
                 (let ((recorder (list *operator* (mark-id mark) object)))
                   (return-from marked-place (values (lambda (on) (funcall put (if on recorder object))) parents))))
               (cond ((consp object) (look object parents))
                     ((comma-p object)
                      (look-at (comma-expr object) list (rest (member 'quasiquote parents :key #'car))
                               (lambda (new) (funcall put (unquote new (comma-kind object))))))))
             (look (list outer)
               (unless (gethash list seen)
                 (setf (gethash list seen) t)
                 (loop for cell = list then (cdr cell)
                       while (consp cell)
                       do (let ((cell cell))
                            (look-at (car cell) list (cons list outer) (lambda (new) (setf (car cell) new))))
                       when (and (consp (cdr cell)) (gethash (cdr cell) seen)) do (return)))))
      (look form '())
      nil)))

(defun symbols-before (mark reading)
  "If MARK is at a symbol, return (list symbol . number): the enclosing list, and the number of earlier direct occurrences of the symbol in
it."
  (let ((token (find-if (lambda (token) (and (= (cadr token) (mark-start mark)) (= (cddr token) (mark-end mark)))) (reading-tokens reading))))
    (when token
      (let ((list (innermost-list (mark-start mark) reading)))
        (list* list (car token)
               (count-if (lambda (other)
                           (and (eq (car other) (car token))
                                (< (cadr other) (mark-start mark))
                                (eq list (innermost-list (cadr other) reading))))
                         (reading-tokens reading)))))))

(defun innermost-list (position reading)
  "Return the innermost list around the character at POSITION."
  (let ((best nil))
    (loop for entry in (reading-forms reading)
          for (nil start . end) = entry
          when (and (<= start position) (< position end) (or (null best) (< (- end start) (- (cddr best) (cadr best)))))
            do (setf best entry))
    (car best)))
