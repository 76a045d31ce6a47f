;;;; Recorders for definitions that a single key cannot describe: definitions that also define other names, definitions whose key is known
;;;; only afterwards, and removals.

(in-package #:lisp-workbench/definitions)

(sb-ext:defglobal *structure* nil)      ; (thread function-names . event) of the latest structure; the functions with these names are
                                        ; defined next

(defun record-defun (original name function &rest more)
  (let ((role (second more)) (structure *structure*))
    (cond ((not *recording*) (apply original name function more))
          ((and role structure (eq (first structure) sb-thread:*current-thread*)
                (member name (second structure) :test #'equal))
           (without-recording (apply original name function more)))
          (t (call-recorded (cons :function name) original (list* name function more))))))

(defun record-defstruct (original description &rest more)
  "Record a DEFSTRUCT. The structure's functions are defined after the DEFSTRUCT and belong to its event."
  (if (not *recording*)
      (apply original description more)
      (let ((names (structure-function-names description)))
        (setf *structure* (list sb-thread:*current-thread* names))
        (dolist (name names) (note-touched (cons :function name)))
        (call-recorded (cons :class (dd-name description)) original (list* description more)
                       (mapcar (lambda (name) (cons :function name)) names)))))

(defun structure-function-names (description)
  (let ((accessors (remove nil (mapcar #'dsd-accessor-name (dd-slots description)))))
    (remove nil (append (mapcar #'car (dd-constructors description))
                        (list (dd-predicate-name description) (dd-copier-name description))
                        accessors
                        (mapcar (lambda (accessor) (list 'setf accessor)) accessors)))))

(defun record-defclass (original name metaclass supers slots other readers writers &rest more)
  (let ((arguments (list* name metaclass supers slots other readers writers more)))
    (if *recording*
        (call-recorded (cons :class name) original arguments (accessor-keys readers writers))
        (apply original arguments))))

(defun record-define-condition (original name supers layout slots initargs readers writers &rest more)
  (let ((arguments (list* name supers layout slots initargs readers writers more)))
    (if *recording*
        (call-recorded (cons :class name) original arguments (accessor-keys readers writers))
        (apply original arguments))))

(defun accessor-keys (readers writers)
  (let ((keys (mapcar (lambda (name) (cons :function name)) (append readers writers))))
    (mapc #'note-touched keys)
    (remove-if (lambda (key) (fboundp (cdr key))) keys)))

(defun record-defmethod (original class name &rest more)
  "Record a DEFMETHOD. Its key is known only once the method exists. The method that it replaced is found in the earlier list of methods."
  (if (not *recording*)
      (apply original class name more)
      (let* ((function (sound (and (fboundp name) (fdefinition name))))
             (fresh (not (typep function 'generic-function)))
             (methods (if fresh '() (methods-now function)))
             (method (let ((method (without-recording (apply original class name more))))
                       (lend-method (fdefinition name) method)))
             (key (method-key method name))
             (replaced (find-if (lambda (other)
                                  (and (not (eq other method))
                                       (equal (third key) (qualifiers-of other))
                                       (equal (fourth key) (specializer-names other))))
                                methods)))
        (when fresh (note-touched (cons :function name)))
        (note-touched (cons :methods name))
        (when (recordable-p key)
          (record-event key (and replaced (list :method :method replaced :function function))
                        :parts (and fresh (list (cons (cons :function name)
                                                      (and function (list :function :function function)))))))
        method)))

(defun record-set-fdefinition (name function)
  "Record a (SETF FDEFINITION) before it takes effect."
  (let ((key (cons :function name)))
    (when (and *recording* (recordable-p key))
      (record-event key (capture key) :after (list (if (typep function 'generic-function) :generic-function :function)
                                                   :function function)))))

;;; Removals

(defun call-recording-removal (key original arguments)
  (if (and *recording* (recordable-p key) (capture key))
      (let ((name-text (event-name-text-of key)))
        (call-with-name-text name-text key original arguments))
      (without-recording (apply original arguments))))

(defun call-with-name-text (name-text key original arguments)
  (let ((before (capture key)) (package (key-package key)))
    (multiple-value-prog1 (without-recording (apply original arguments))
      (unless (capture key)
        (let ((event (record-event key before :name-text name-text :after nil)))
          (setf (event-package event) package))))))

(defun record-fmakunbound (original name)
  (call-recording-removal (cons :function name) original (list name)))

(defun record-makunbound (original symbol)
  (if (and *recording* (symbolp symbol) (boundp symbol) (recordable-p (cons :variable symbol)))
      (call-recorded (cons :variable symbol) original (list symbol))
      (funcall original symbol)))

(defun record-unintern (original symbol &optional (package *package*))
  (if (and *recording* (symbolp symbol) (symbol-package symbol)
           (eq (symbol-package symbol) (sound (find-package package)))
           (defined-p symbol))
      (call-recording-removal (cons :symbol symbol) original (list symbol package))
      (funcall original symbol package)))

(defun record-delete-package (original designator)
  (let ((package (and *recording* (sound (find-package designator)))))
    (if package
        (call-recording-removal (cons :package (package-name package)) original (list designator))
        (funcall original designator))))

(defun record-remove-method (original function method)
  (let ((key (and *recording*
                  (typep function 'generic-function) (typep method 'method)
                  (read-of-users nil
                    (and (eq function (sb-mop:method-generic-function method))
                         (method-key method (sb-mop:generic-function-name function)))))))
    (cond (key
           (note-touched (cons :methods (second key)))
           (call-recording-removal key original (list function method)))
          (t (without-recording (funcall original function method))))))
