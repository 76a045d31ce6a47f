;;;; The operations whose answer is a text that SBCL writes: `disassemble`, `describe`, and `documentation`.

(in-package #:lisp-workbench/introspection)

(define-operation "disassemble" (:looking-up request)
  (with-request-package (package request)
    (multiple-value-bind (symbol found setf) (request-symbol request)
      (let ((function (and found (if setf (fboundp-setf symbol) (function-to-show symbol)))))
        (if (null function)
            (object "found" :false "text" "" "size" nil "cut" 0)
            (multiple-value-bind (text cut)
                (print-guarded (field request "limit")
                               (lambda (stream) (with-plain-printing (disassemble function :stream stream))))
              (object "found" t
                      "text" text
                      "size" (ignore-errors (%code-text-size (fun-code-header function)))
                      "cut" cut)))))))

(defun function-to-show (symbol)
  (and (fboundp symbol)
       (not (special-operator-p symbol))
       (or (macro-function symbol) (fdefinition symbol))))

(define-operation "describe" (:looking-up request)
  (with-request-package (package request)
    (multiple-value-bind (symbol found) (request-symbol request)
      (multiple-value-bind (text cut)
          (if found (described-text symbol (field request "limit")) (values "" 0))
        (object "found" (json-boolean found) "text" text "cut" cut)))))

(defun described-text (object limit)
  "The first LIMIT characters of what DESCRIBE says, and how many more there were."
  (multiple-value-bind (text cut)
      (print-guarded limit (lambda (stream)
                             (let ((*guarded-printing* t)) (with-plain-printing (describe object stream)))))
    (values (without-engine-lines text) cut)))

(defun without-engine-lines (text)
  "TEXT without lines that name something of ours, such as a method on one of our classes."
  (if (search "LISP-WORKBENCH" text)
      (format nil "~{~A~^~%~}"
              (remove-if (lambda (line) (search "LISP-WORKBENCH" line))
                         (loop for start = 0 then (1+ end)
                               for end = (position #\Newline text :start start)
                               collect (subseq text start end)
                               while end)))
      text))

(defparameter *documentation-types* '(function compiler-macro setf variable type structure method-combination))

(define-operation "documentation" (:looking-up request)
  (with-request-package (package request)
    (multiple-value-bind (symbol found) (request-symbol request)
      (object "found" (json-boolean found)
              "symbol" (if found (printed-from-cl-user symbol) (field request "symbol"))
              "documentation" (array-of (and found (documentation-records symbol)))))))

(defun documentation-records (symbol)
  "Of each kind of thing that SYMBOL names; a structure's is told once."
  (let ((records '()))
    (flet ((note (type text)
             (when (and (stringp text) (not (find text records :key (lambda (record) (field record "text")) :test #'eq)))
               (push (object "type" type "text" (subseq text 0 (min 20000 (length text)))) records))))
      (dolist (type *documentation-types*)
        (note (string-downcase type) (ignore-errors (documentation symbol type))))
      (note "setf-function" (ignore-errors (documentation `(setf ,symbol) 'function)))
      (let ((named (and (not (keywordp symbol)) (find-package (symbol-name symbol)))))
        (when (and named (not (engine-package-p named)))
          (note "package" (documentation named t)))))
    (nreverse records)))
