;;;; The operations `inspect`, which returns a page of an object by its handle, and `inspect-name`.

(in-package #:lisp-workbench/inspection)

(defconstant +text-limit+ 4000 "The maximum length of an object's text, in characters.")
(defconstant +most-parts+ 500 "The maximum number of parts on one page.")

(define-operation "inspect" (:looking-up request)
  (multiple-value-bind (object found) (held-object (field request "handle"))
    (if found
        (page object request)
        (expired-page))))

;; Looks up a name: a variable, 'SYMBOL or #'FUNCTION. No code is read or evaluated.
(define-operation "inspect-name" (:looking-up request)
  (multiple-value-bind (object found) (named-object request)
    (object "found" (json-boolean found)
            "handle" (and found (hold object (field request "holder")))
            "page" (and found (page object request)))))

(defun named-object (request)
  "Return two values: the value of the variable that the request names, as code in the request's context sees the variable, or the symbol
itself if the variable has no value; and true if the name exists."
  (with-request-package (package request)
    (let* ((text (string-trim '(#\Space #\Tab #\Newline) (field request "name")))
           (function (prefixed-by-p "#'" text)))
      (multiple-value-bind (symbol status) (named-symbol text)
        (cond ((null status) (values nil nil))
              (function
               (let ((name (if (find #\( text) `(setf ,symbol) symbol)))
                 (if (fboundp name) (values (fdefinition name) t) (values nil nil))))
              ((find #\( text) (values nil nil))
              ((prefixed-by-p "'" text) (values symbol t))
              (t (values (variable-object symbol (field request "context")) t)))))))

(defun prefixed-by-p (prefix text)
  (and (>= (length text) (length prefix)) (string= prefix text :end2 (length prefix))))

(defun variable-object (symbol context)
  (multiple-value-bind (value own) (context-variable context symbol)
    (cond (own value)
          ((eq :macro (info :variable :kind symbol)) symbol) ; the symbol itself, because its expansion would be code
          (t (handler-case (sb-ext:symbol-global-value symbol)
               (unbound-variable () symbol))))))

(defun page (object request)
  "Return the page of OBJECT with the request's view, offset and limit. Create handles for the parts, but not for OBJECT itself, and retain
them for the request's holder."
  (with-page-time ()
    (let* ((*package* (page-package request))
           (kind (object-kind object))
           (views (views-of kind object))
           (view (view-among views request))
           (offset (field request "offset"))
           (limit (min +most-parts+ (field request "limit"))))
      (multiple-value-bind (parts total inexact problem) (page-parts view object offset limit)
        (multiple-value-bind (text cut) (object-text object)
          (object "expired" :false
                  "kind" kind
                  "title" (title object kind)
                  "type" (or (carefully (shown-type object)) "T")
                  "text" text
                  "cut" cut
                  "views" (array-of (mapcar #'first views))
                  "view" (first view)
                  "drawings" (array-of (and (zerop offset) (drawings-of object)))
                  "facts" (facts-of kind object)
                  "parts" (array-of (loop for part in parts collect (part-object part (field request "holder"))))
                  "total" total
                  "inexact" (json-boolean inexact)
                  "offset" offset
                  "more" (json-boolean (and (not problem) (or inexact (< (+ offset (length parts)) total))))
                  "problem" problem))))))

(defun view-among (views request)
  "Return the element of VIEWS that REQUEST names, or the first element if REQUEST names none."
  (or (find (field request "view") views :key #'first :test #'equal) (first views)))

(defun drawings-of (object)
  "Return the names of the operations that display OBJECT in other forms than its parts."
  (remove nil (list (and (carefully (table-of object)) "table")
                    (and (carefully (plottable-p object)) "plot")
                    (and (carefully (picture-type object)) "picture"))))

(defun expired-page ()
  "Return the page for a handle that was released, or that belongs to an earlier image."
  (object "expired" t "kind" "other" "title" "" "type" "" "text" "" "cut" 0 "views" (array-of '()) "view" nil "drawings" (array-of '())
          "facts" (array-of '()) "parts" (array-of '()) "total" 0 "inexact" :false "offset" 0 "more" :false "problem" nil))

(defun page-package (request)
  (or (and (field request "package") (designated-package (field request "package")))
      (find-package '#:common-lisp-user)))

(defun page-parts (view object offset limit)
  "Return four values: the parts from OFFSET on, the total number of parts, true if the total is only a lower bound, and the view's error or
NIL."
  (if (null view)
      (values '() 0 nil nil)
      (multiple-value-bind (found problem) (carefully (funcall (third view) object))
        (cond (problem (values '() 0 nil problem))
              ((listp found)
               (let* ((total (length found)) (start (min offset total)))
                 (values (subseq found start (min total (+ start limit))) total nil nil)))
              (t
               (let* ((total (counted-total found)) (start (min offset total)))
                 (multiple-value-bind (parts problem)
                     (carefully (funcall (counted-function found) start (min total (+ start limit))))
                   (values parts total (counted-inexact found) problem))))))))

(defun object-text (object)
  (let ((cut 0))
    (multiple-value-bind (text problem)
        (carefully (multiple-value-bind (text more) (print-value object +text-limit+)
                     (setf cut more)
                     text))
      (values (or problem text) cut))))

(defun title (object kind)
  "Return a short line that describes OBJECT."
  (multiple-value-bind (title problem)
      (carefully
        (typecase object
          (list (if object
                    (format nil "A ~A" kind)
                    "The empty list"))
          (hash-table (format nil "A hash table with ~D ~:[entries~;entry~]"
                              (hash-table-count object) (= 1 (hash-table-count object))))
          (package (format nil "The package ~A" (or (package-name object) "that was deleted")))
          (class (format nil "The class ~A" (class-label-of object)))
          (string (format nil "A string of ~D character~:P" (length object)))
          (vector (format nil "A vector of ~D element~:P" (length object)))
          (array (format nil "An array of ~{~D~^ × ~}" (array-dimensions object)))
          ((or structure-object standard-object condition)
           (let ((type (shown-type object)))
             (format nil "~:[A~;An~] ~A" (vowel-p type) type)))
          (t (print-short object 100))))
    (or title problem)))

(defun shown-type (object)
  "Return the type of OBJECT; for a stream of the engine, return STREAM."
  (if (engine-class-p (class-of object)) (string-upcase (object-kind object)) (type-label object)))

(defun vowel-p (text)
  (and (plusp (length text)) (find (char text 0) "AEIOUaeiou")))
