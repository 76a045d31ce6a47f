;;;; Views of lists, arrays, strings and hash tables.

(in-package #:lisp-workbench/inspection)

;;; Lists

(defconstant +longest-list+ 1000000 "The maximum number of conses that are counted.")

(defun list-shape (list)
  "Return the number of different conses of LIST, at most +LONGEST-LIST+, and its end: :PROPER, :DOTTED, :CIRCULAR or :LONG."
  (let ((seen (make-hash-table :test #'eq)) (circular (circularp list)))
    (loop for tail = list then (cdr tail)
          for count from 0
          do (cond ((null tail) (return (values count :proper)))
                   ((atom tail) (return (values count :dotted)))
                   ((and circular (gethash tail seen)) (return (values count :circular)))
                   ((= count +longest-list+) (return (values count :long))))
             (when circular (setf (gethash tail seen) t)))))

(defun circularp (list)
  (loop for slow = list then (cdr slow)
        for fast = (and (consp list) (cdr list)) then (cddr fast)
        while (and (consp fast) (consp (cdr fast)))
          thereis (eq slow fast)))

(define-facts "list" (list)
  ("Length" (multiple-value-bind (length shape) (list-shape list)
              (if (eq shape :long) (format nil "more than ~D" length) length)))
  ("Shape" (case (nth-value 1 (list-shape list)) (:dotted "dotted") (:circular "circular") (t nil))))

(define-view "list" "elements" (list)
  (multiple-value-bind (count shape) (list-shape list)
    (let ((dotted (eq shape :dotted)))
      (counted (if dotted (1+ count) count)
               (lambda (start end)
                 (loop for index from start below end
                       for tail = (nthcdr start list) then (cdr tail)
                       collect (if (consp tail)
                                   (cons-part (princ-to-string index) tail)
                                   (part "." nil :place (tail-place (nthcdr (1- index) list))))))
               (eq shape :long)))))

(defun cons-part (label cons &rest more)
  (apply #'part label nil :place (make-place :reader (lambda () (car cons))
                                             :writer (lambda (value) (setf (car cons) value)))
         more))

(defun tail-place (cons)
  (make-place :reader (lambda () (cdr cons)) :writer (lambda (value) (setf (cdr cons) value))))

(define-view "list" "association list" (list :when (association-list-p list))
  (pairs-view (remove nil list)
              (lambda (pair)
                (part (car pair) nil :place (tail-place pair) :key (car pair)))))

(defun pairs-view (pairs function)
  (counted (length pairs)
           (lambda (start end) (mapcar function (subseq pairs start end)))))

(defun association-list-p (list)
  (multiple-value-bind (count shape) (list-shape list)
    (and (eq shape :proper) (< count 10000)
         (every #'listp list) (some #'consp list))))

(define-view "list" "property list" (list :when (property-list-p list))
  (pairs-view (loop for tail on list by #'cddr collect tail)
              (lambda (tail)
                (cons-part (car tail) (cdr tail) :key (car tail)))))

(defun property-list-p (list)
  (multiple-value-bind (count shape) (list-shape list)
    (and (eq shape :proper) (evenp count) (< count 10000)
         (loop for (key) on list by #'cddr always (and key (symbolp key))))))

(flet ((both (cons)
         (list (cons-part "CAR" cons) (part "CDR" nil :place (tail-place cons)))))
  (define-view "list" "cons" (cons) (both cons))
  (define-view "cons" "cons" (cons) (both cons)))

;;; Arrays

(define-facts "array" (array)
  ("Dimensions" (format nil "~{~D~^ × ~}" (array-dimensions array)))
  ("Element type" (array-element-type array))
  ("Fill pointer" (and (array-has-fill-pointer-p array) (fill-pointer array)))
  ("Adjustable" (and (adjustable-array-p array) "yes"))
  ("Displaced to" (displacement array))
  ("Ones" (and (typep array 'bit-vector) (count 1 array)))
  ("Literal" (and (literalp array) "yes")))

(defun displacement (array)
  (multiple-value-bind (target offset) (array-displacement array)
    (and target (format nil "~A from ~D" (print-short target 100) offset))))

(defun literalp (array)
  "Return true if ARRAY is a constant of compiled code. Constants that SBCL does not mark as such are not recognized."
  (and (typep array '(simple-array * (*)))
       (logtest (get-header-data array)
                (ash (logior +vector-shareable+ +vector-shareable-nonstd+) array-flags-data-position))))

(defun element-place (array index)
  (make-place :reader (lambda () (row-major-aref array index))
              :writer (lambda (value) (setf (row-major-aref array index) value))
              :type (array-element-type array)
              :refusal (and (literalp array) "The array is a literal in compiled code, which must not be changed.")))

(define-view "array" "rows" (array :when (= 2 (array-rank array)))
  (destructuring-bind (rows columns) (array-dimensions array)
    (indexed rows (lambda (row)
                    (part (princ-to-string row)
                          (lambda ()
                            (make-array columns :element-type (array-element-type array)
                                                :displaced-to array :displaced-index-offset (* row columns))))))))

(define-view "array" "elements" (array)
  (let ((vector (vectorp array)))
    (indexed (if vector (length array) (array-total-size array))
             (lambda (index)
               (part (if vector (princ-to-string index) (subscripts array index))
                     nil :place (element-place array index))))))

(defun subscripts (array index)
  (format nil "~{~D~^ ~}"
          (let ((rest index) (found '()))
            (dolist (dimension (reverse (array-dimensions array)) found)
              (multiple-value-bind (more subscript) (floor rest dimension)
                (push subscript found)
                (setf rest more))))))

(define-view "array" "beyond the fill pointer" (array :when (and (array-has-fill-pointer-p array)
                                                                 (< (fill-pointer array) (array-dimension array 0))))
  (let ((first (fill-pointer array)))
    (indexed (- (array-dimension array 0) first)
             (lambda (index)
               (part (princ-to-string (+ first index)) nil :place (element-place array (+ first index)))))))

;;; Strings

(define-facts "string" (string)
  ("Length" (length string))
  ("Lines" (1+ (count #\Newline string)))
  ("Element type" (array-element-type string))
  ("Fill pointer" (and (array-has-fill-pointer-p string) (fill-pointer string)))
  ("Displaced to" (displacement string))
  ("Literal" (and (literalp string) "yes")))

(define-view "string" "lines" (string)
  (let ((starts (coerce (cons 0 (loop for at from 0 below (length string)
                                      when (char= #\Newline (char string at)) collect (1+ at)))
                        'vector)))
    (indexed (length starts)
             (lambda (index)
               (let ((line (subseq string (aref starts index)
                                   (if (< (1+ index) (length starts))
                                       (1- (aref starts (1+ index)))
                                       (length string)))))
                 (text-part (princ-to-string (1+ index)) (bounded line)))))))

(define-view "string" "characters" (string)
  (indexed (length string)
           (lambda (index)
             (part (princ-to-string index) nil :place (element-place string index)))))

;;; Hash tables

(defconstant +most-sorted+ 20000 "The maximum number of entries of a table whose keys are sorted; larger tables keep their own order.")

(define-facts "hash-table" (table)
  ("Count" (hash-table-count table))
  ("Test" (hash-table-test table))
  ("Size" (hash-table-size table))
  ("Weakness" (sb-ext:hash-table-weakness table))
  ("Synchronized" (and (sb-ext:hash-table-synchronized-p table) "yes"))
  ("Rehash size" (hash-table-rehash-size table))
  ("Rehash threshold" (hash-table-rehash-threshold table)))

(define-view "hash-table" "entries" (table)
  (let ((keys (keys-in-order table)))
    (counted (length keys)
             (lambda (start end)
               (loop for index from start below end
                     collect (let ((key (aref keys index)))
                               (part key nil :place (entry-place table key) :key key)))))))

(defun entry-place (table key)
  (make-place :reader (lambda ()
                        (multiple-value-bind (value present) (gethash key table)
                          (if present value '%unbound)))
              :writer (lambda (value) (setf (gethash key table) value))
              :remover (lambda () (remhash key table))))

(defun keys-in-order (table)
  "Return the keys of TABLE, sorted if there are at most +MOST-SORTED+ keys and they can be compared. The table's lock is not taken, so
another thread may add keys in the meantime."
  (let ((keys (make-array (hash-table-count table) :adjustable t :fill-pointer 0)))
    (loop for key being the hash-keys of table do (vector-push-extend key keys))
    (cond ((> (length keys) +most-sorted+) keys)
          ((every #'realp keys) (sort keys #'<))
          ((every (lambda (key) (typep key '(or string symbol character))) keys)
           (sort keys #'string<))
          (t keys))))
