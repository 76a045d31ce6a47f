;;;; The filter of an inspector: finds the parts of a view whose label or value contains a text, for views of any size. A search runs for a
;;;; limited time and reports how far it came; the caller may continue from there. No handles are created for the searched parts.

(in-package #:lisp-workbench/inspection)

(defconstant +block+ 500 "The number of parts that are created per batch.")
(defconstant +most-found+ 10000 "The maximum number of parts that one search finds.")
(defconstant +looked-into+ 10000 "The number of characters of a string that are searched.")

(define-operation "find-parts" (:looking-up request)
  (multiple-value-bind (object found) (held-object (field request "handle"))
    (if found
        (found-object object request)
        (object "expired" t "found" (array-of '()) "next" nil "total" 0 "problem" nil))))

;; Returns the parts with the given numbers, for example the parts that `find-parts` found.
(define-operation "inspect-parts" (:looking-up request)
  (multiple-value-bind (object found) (held-object (field request "handle"))
    (with-page-time ()
      (let* ((*package* (page-package request))
             (parts (and found (carefully (counted-parts (wanted-view object request) object)))))
        (object "expired" (json-boolean (not found))
                "parts" (array-of (and parts
                                       (loop for index across (field request "indexes")
                                             collect (numbered-part parts index (field request "holder"))))))))))

(defun numbered-part (parts index holder)
  "Return the part with the number INDEX in its wire form, or NIL if it no longer exists."
  (and (< index (counted-total parts))
       (let ((part (first (carefully (funcall (counted-function parts) index (1+ index))))))
         (and part (part-object part holder)))))

(defun found-object (object request)
  "Return, in wire form, the numbers of the parts of OBJECT that contain the request's text, and the number from which to continue the
search."
  (let ((*package* (page-package request)))
    (multiple-value-bind (parts problem)
        (with-page-time () (carefully (counted-parts (wanted-view object request) object)))
      (multiple-value-bind (indexes next)
          (if parts
              (let ((*page-end* (+ (get-internal-real-time)
                                   (round (* (field request "milliseconds") internal-time-units-per-second) 1000))))
                (matching-indexes parts (text-matcher (field request "text")) (field request "from")))
              (values '() nil))
        (object "expired" :false
                "found" (array-of indexes)
                "next" next
                "total" (if parts (counted-total parts) 0)
                "problem" problem)))))

(defun wanted-view (object request)
  (view-among (views-of (object-kind object) object) request))

(defun counted-parts (view object)
  "Return the parts of VIEW as a COUNTED."
  (let ((parts (and view (funcall (third view) object))))
    (if (listp parts)
        (counted (length parts) (lambda (start end) (subseq parts start end)))
        parts)))

(defun matching-indexes (parts matcher from)
  "Return two values: the numbers of the PARTS from FROM on that MATCHER accepts, as many as are found in time; and the number from which to
continue, or NIL if all parts were searched. Each call searches at least one part, so repeated calls reach the end."
  (let ((found '()) (count 0) (total (counted-total parts)))
    (loop for start = from then (+ start +block+)
          while (< start total)
          do (loop for part in (funcall (counted-function parts) start (min total (+ start +block+)))
                   for next from (1+ start)
                   do (when (part-matches-p part matcher)
                        (push (1- next) found)
                        (incf count))
                      (when (and (< next total)
                                 (or (= count +most-found+) (>= (get-internal-real-time) *page-end*)))
                        (return-from matching-indexes (values (nreverse found) next)))))
    (values (nreverse found) nil)))

(defun part-matches-p (part matcher)
  (let ((label (part-label part)))
    (or (if (and (stringp label) (not (part-keyed part)))
            (funcall matcher label)
            (object-matches-p label matcher))
        (if (part-text part)
            (funcall matcher (part-text part))
            (multiple-value-bind (value problem) (part-value part)
              (cond (problem (funcall matcher problem))
                    ((eq value '%unbound) (funcall matcher "#<unbound>"))
                    (t (object-matches-p value matcher))))))))

(defun part-value (part)
  "Return the value of PART and NIL, or NIL and the reason why there is no value. Only slot readers run user code, so only calls of slot
readers are guarded."
  (if (part-group part)
      (carefully (funcall (part-reader part)))
      (handler-case (values (funcall (part-reader part)) nil)
        (error (condition) (values nil (problem-label condition))))))

(defun object-matches-p (object matcher)
  "Return true if MATCHER accepts the printed text of OBJECT. Printing a fixnum or a string does not run user code, so it is not guarded."
  (typecase object
    (fixnum (funcall matcher (fixnum-text object)))
    (string (or (funcall matcher (if (> (length object) +looked-into+) (subseq object 0 +looked-into+) object))
                (funcall matcher (value-text object))))
    (t (funcall matcher (value-text object)))))

(defun fixnum-text (integer)
  "Return INTEGER in decimal digits."
  (declare (type fixnum integer))
  (let ((digits (make-string 21)) (at 21) (rest (abs integer)))
    (declare (type (mod 22) at) (type (unsigned-byte 63) rest))
    (loop (multiple-value-bind (more digit) (truncate rest 10)
            (setf (schar digits (decf at)) (code-char (+ 48 digit))
                  rest more))
          (when (zerop rest) (return)))
    (when (minusp integer) (setf (schar digits (decf at)) #\-))
    (subseq digits at)))

(defun text-matcher (wanted)
  "Return a predicate that takes a string and returns true if the string contains WANTED in any case."
  (let* ((wanted (coerce wanted '(simple-array character (*))))
         (length (length wanted)))
    (macrolet ((search-in (type)
                 `(let ((text text))
                    (declare (type ,type text) (optimize speed))
                    (loop for start of-type fixnum from 0 to (- (length text) length)
                            thereis (loop for at of-type fixnum from 0 below length
                                          always (char-equal (schar wanted at) (schar text (+ start at))))))))
      (lambda (text)
        (declare (type string text))
        (let ((text (if (typep text 'simple-string) text (coerce text 'simple-string))))
          (typecase text
            ((simple-array character (*)) (search-in (simple-array character (*))))
            (simple-base-string (search-in simple-base-string))
            (t nil)))))))
