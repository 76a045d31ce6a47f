;;;; Coverage: records which code has been executed, if it was compiled with coverage. SBCL counts by source path. The operations return
;;;; places in the compiled text, which is stored for this purpose.

(in-package #:lisp-workbench/compilation)

(sb-ext:defglobal *covered* '())        ; COVERED structures, latest first

(defstruct covered
  "A text with coverage. FILE is its native name, KEY the name that SBCL uses for it."
  file key text)

;;; Texts

(defun policy-counts-p (policy)
  "Return true if POLICY, a wire object, requests coverage."
  (and policy (eql 3 (field policy "coverage"))))

(defun note-coverage (file key text counts &optional (compiled-as key))
  "Record that the TEXT of FILE was compiled and loaded, and whether it COUNTS coverage. COMPILED-AS is the file name under which the text
was compiled; SBCL uses KEY as the name of its code."
  (unless (lacking "coverage of code")
    (let ((records (and counts (take-records (list compiled-as key (standing-name file))))))
      (forget-covered file)
      (when counts
        (setf (gethash key (coverage-table)) records)
        (push (make-covered :file file :key key :text text) *covered*)))))

(defun standing-name (file)
  "Return the name that SBCL uses for a text compiled in place of FILE, if FILE exists; otherwise NIL. See STAND-FOR-SOURCE."
  (let ((there (ignore-errors (probe-file (sb-ext:parse-native-namestring file)))))
    (and there (namestring there))))

(defun take-records (names)
  "Remove the records under NAMES from SBCL's table. Return the records of the first name that has any."
  (let ((found nil))
    (dolist (name names found)
      (when name
        (let ((records (gethash name (coverage-table))))
          (when records
            (unless found (setf found records))
            (remhash name (coverage-table))))))))

(defun forget-covered (file)
  (let ((known (find-covered file)))
    (when known
      (setf *covered* (remove known *covered*))
      (remhash (covered-key known) (coverage-table)))))

(defun find-covered (file)
  (find file *covered* :key #'covered-file :test #'equal))

(defun coverage-table ()
  "Return SBCL's table that maps the name of a file to the file's coverage records."
  (car *code-coverage-info*))

;;; Records

(defun coverage-records (key)
  "Return (source-path . executed) for each counted form or branch of the file that SBCL calls KEY. A path has its innermost index first;
the path of a branch begins with :THEN or :ELSE. Call this only after the counts were refreshed."
  (let ((known (gethash key (coverage-table))))
    (if (listp known)
        (loop for (path . mark) in known collect (cons path (eq mark t)))
        (let ((executed (named-slot known "EXECUTED")))
          (loop for path across (named-slot known "PATHS")
                for index from 0
                collect (cons path (and (< index (length executed)) (= 1 (bit executed index)))))))))

(defun named-slot (object name)
  "Return the value of the slot called NAME of OBJECT, an SBCL structure."
  (slot-value object (sb-mop:slot-definition-name
                      (find name (sb-mop:class-slots (class-of object))
                            :key (lambda (slot) (symbol-name (sb-mop:slot-definition-name slot))) :test #'string=))))

(defstruct counted
  "A form with coverage. In a branch, THEN and ELSE are true if the branch was taken in that direction; in other forms they are :NONE."
  path executed (then :none) (else :none))

(defun counted-forms (covered)
  "Return the counted forms of COVERED except whole top-level forms, which run only once, when they are loaded."
  (let ((forms (make-hash-table :test #'equal)))
    (flet ((form (path)
             (or (gethash path forms) (setf (gethash path forms) (make-counted :path path)))))
      (loop for (path . executed) in (coverage-records (covered-key covered))
            do (case (first path)
                 (:then (setf (counted-then (form (rest path))) executed))
                 (:else (setf (counted-else (form (rest path))) executed))
                 (t (when executed (setf (counted-executed (form path)) t))
                    (form path)))))
    (loop for form being the hash-values of forms
          when (rest (counted-path form)) collect form)))

(defun summary-object (covered)
  (let ((forms (counted-forms covered)) (branches 0) (taken 0))
    (dolist (form forms)
      (dolist (way (list (counted-then form) (counted-else form)))
        (unless (eq way :none)
          (incf branches)
          (when way (incf taken)))))
    (object "file" (covered-file covered)
            "expressions" (length forms)
            "executed" (count-if #'counted-executed forms)
            "branches" branches
            "taken" taken)))

(defun place-objects (covered)
  "Return objects for the counted forms of COVERED that are found in its text, in the order of the text, outer forms first."
  (let* ((text (coerce (covered-text covered) 'simple-string))
         (tops (coerce (read-nodes text :features t) 'vector))
         (astral (find #xffff text :key #'char-code :test #'<)))
    (flet ((offset (position) (if astral (utf-16-offset text position) position))
           (way (value) (if (eq value :none) nil (json-boolean value))))
      (mapcar #'rest
              (sort (loop for form in (counted-forms covered)
                          for (top . path) = (reverse (counted-path form))
                          for node = (and (< top (length tops)) (node-at-path (aref tops top) path))
                          when node
                            collect (list* (cons (node-start node) (- (node-end node)))
                                           (object "start" (offset (node-start node))
                                                   "end" (offset (node-end node))
                                                   "executed" (json-boolean (counted-executed form))
                                                   "thenTaken" (way (counted-then form))
                                                   "elseTaken" (way (counted-else form)))))
                    (lambda (one other)
                      (if (= (car one) (car other)) (< (cdr one) (cdr other)) (< (car one) (car other))))
                    :key #'first)))))

;;; Operations

(define-operation "coverage" (:looking-up request)
  request
  (refresh-coverage-bits)
  (object "files" (array-of (mapcar #'summary-object (reverse *covered*)))))

(define-operation "coverage-marks" (:looking-up request)
  (let ((covered (find-covered (field request "file"))))
    (refresh-coverage-bits)
    (object "found" (json-boolean covered)
            "text" (if covered (covered-text covered) "")
            "forms" (array-of (and covered (place-objects covered))))))

(define-operation "reset-coverage" (:looking-up request)
  request
  (reset-coverage)
  (object "files" (length *covered*)))
