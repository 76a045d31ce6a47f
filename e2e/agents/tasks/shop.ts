/** The project of the tasks: a small stock-keeping program with tests, like a typical small side project. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const SHOP: Readonly<Record<string, string>> = {
  'larder.asd': `(defsystem "larder"
  :description "What is in the larder, what it is worth, and what to buy."
  :serial t
  :components ((:module "src"
                :serial t
                :components ((:file "package") (:file "items") (:file "stock") (:file "import") (:file "report"))))
  :in-order-to ((test-op (test-op "larder/tests"))))

(defsystem "larder/tests"
  :depends-on ("larder" "fiveam")
  :components ((:file "t/tests"))
  :perform (test-op (o c)
             (unless (symbol-call :fiveam :run! (find-symbol "LARDER" "LARDER/TESTS"))
               (error "Tests of larder failed."))))
`,
  'src/package.lisp': `(defpackage #:larder
  (:use #:cl)
  (:export #:item #:sku-of #:name-of #:price-of #:quantity-of
           #:make-store #:add-item #:find-item #:items-of
           #:restock #:withdraw #:low-stock #:total-value #:out-of-stock
           #:import-rows #:skip-row #:retry-row #:report-lines #:duplicate-names))
`,
  'src/items.lisp': `(in-package #:larder)

(defclass item ()
  ((sku :initarg :sku :reader sku-of)
   (name :initarg :name :accessor name-of)
   (price :initarg :price :accessor price-of :documentation "In cents.")
   (quantity :initarg :quantity :initform 0 :accessor quantity-of)))

(defmethod print-object ((item item) stream)
  (print-unreadable-object (item stream :type t)
    (format stream "~A ~D at ~D" (sku-of item) (quantity-of item) (price-of item))))

(defun make-store ()
  "Return an empty store."
  (make-hash-table :test #'equal))

(defun add-item (store sku name price &optional (quantity 0))
  "Put a new item into STORE and return it."
  (setf (gethash sku store) (make-instance 'item :sku sku :name name :price price :quantity quantity)))

(defun find-item (store sku)
  "Return the item of STORE with this SKU."
  (or (gethash sku store) (error "There is no item ~A." sku)))

(defun items-of (store)
  "Return all items of STORE, by their SKU."
  (sort (loop for item being the hash-values of store collect item) #'string< :key #'sku-of))
`,
  'src/stock.lisp': `(in-package #:larder)

(define-condition out-of-stock (error)
  ((item :initarg :item :reader item-of))
  (:report (lambda (condition stream) (format stream "Not enough of ~A." (item-of condition)))))

(defun restock (store sku count)
  "Add COUNT pieces and return how many there are."
  (incf (quantity-of (find-item store sku)) count))

(defun withdraw (store sku count)
  "Take COUNT pieces out and return how many are left."
  (let ((item (find-item store sku)))
    (when (> count (quantity-of item))
      (error 'out-of-stock :item item))
    (decf (quantity-of item) count)))

(defun low-stock (store &optional (least 3))
  "Return the items of which there are fewer than LEAST."
  (remove-if-not (lambda (item) (< (quantity-of item) least)) (items-of store)))

(defun total-value (store)
  "Return what all that is in STORE costs, in cents."
  (loop for item in (items-of store) sum (* (price-of item) (quantity-of item))))
`,
  'src/import.lisp': `(in-package #:larder)

(defun split-row (row)
  (loop with start = 0
        for end = (position #\\; row :start start)
        collect (subseq row start end)
        while end do (setf start (1+ end))))

(defun parse-price (text)
  "Return the cents of a price such as 1.20."
  (let ((point (position #\\. text)))
    (if point
        (+ (* 100 (parse-integer text :end point)) (parse-integer text :start (1+ point)))
        (* 100 (parse-integer text)))))

(defun import-row (store row)
  (destructuring-bind (sku name price quantity) (split-row row)
    (add-item store sku name (parse-price price) (parse-integer quantity))))

(defun import-rows (store rows)
  "Add an item for each of ROWS, such as A1;Apple;1.20;5, and return how many there are in STORE."
  (dolist (row rows (hash-table-count store))
    (loop
      (restart-case (return (import-row store row))
        (skip-row () :report "Leave this row out." (return))
        (retry-row () :report "Read this row again.")))))
`,
  'src/report.lisp': `(in-package #:larder)

(defun report-line (item)
  (format nil "~A ~A: ~D x ~D" (sku-of item) (name-of item) (quantity-of item) (price-of item)))

(defun report-lines (store)
  "Return a line for each item, and the total as the last one."
  (append (mapcar #'report-line (items-of store))
          (list (format nil "Total: ~D" (total-value store)))))

(defun duplicate-names (store)
  "Return the names that more than one item of STORE has, each once, in alphabetical order."
  (let ((found '()))
    (dolist (item (items-of store) (sort found #'string<))
      (dolist (other (items-of store))
        (when (and (not (eq item other))
                   (string= (name-of item) (name-of other))
                   (not (member (name-of item) found :test #'string=)))
          (push (name-of item) found))))))
`,
  't/tests.lisp': `(defpackage #:larder/tests
  (:use #:cl #:larder #:fiveam))
(in-package #:larder/tests)

(def-suite larder)
(in-suite larder)

(defun shop ()
  (let ((store (make-store)))
    (add-item store "A1" "Apple" 120 5)
    (add-item store "B2" "Bread" 300 1)
    store))

(test transactions
  (let ((store (shop)))
    (is (= 7 (restock store "A1" 2)))
    (is (= 4 (withdraw store "A1" 3)))
    (signals out-of-stock (withdraw store "B2" 2))))

(test values-and-lists
  (let ((store (shop)))
    (is (= 900 (total-value store)))
    (is (= 120 (price-of (find-item store "A1"))))
    (is (equal '("B2") (mapcar #'sku-of (low-stock store))))))

(test reports
  (let ((store (shop)))
    (is (equal '("A1 Apple: 5 x 120" "B2 Bread: 1 x 300" "Total: 900") (report-lines store)))
    (is (null (duplicate-names store)))
    (add-item store "C3" "Bread" 250 1)
    (is (equal '("Bread") (duplicate-names store)))))

(test imports
  (let ((store (make-store)))
    (is (= 2 (import-rows store '("A1;Apple;1.20;5" "B2;Bread;3;1"))))
    (is (= 900 (total-value store)))))
`,
};

export async function writeShop(folder: string): Promise<void> {
  for (const [name, text] of Object.entries(SHOP)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
