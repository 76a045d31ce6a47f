;;;; The operations that return text written by SBCL: `disassemble` and `describe`.

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
                      "size" (ignore-errors (machine-code-size function))
                      "cut" cut)))))))

(defun function-to-show (symbol)
  (and (fboundp symbol)
       (not (special-operator-p symbol))
       (or (macro-function symbol) (real-function (fdefinition symbol)))))

(define-operation "describe" (:looking-up request)
  (with-request-package (package request)
    (multiple-value-bind (symbol found) (request-symbol request)
      (multiple-value-bind (text cut)
          (if found (described-text symbol (field request "limit")) (values "" 0))
        (object "found" (json-boolean found) "text" text "cut" cut)))))

(defun described-text (object limit)
  "Return two values: the first LIMIT characters of the output of DESCRIBE, and the number of remaining characters."
  (multiple-value-bind (text cut)
      (print-guarded limit (lambda (stream)
                             (let ((*guarded-printing* t)) (with-plain-printing (describe object stream)))))
    (values (without-engine-lines text) cut)))

(defun without-engine-lines (text)
  "Return TEXT without lines that name a part of the engine, such as a method on one of its classes."
  (if (search "LISP-WORKBENCH" text)
      (format nil "~{~A~^~%~}"
              (remove-if (lambda (line) (search "LISP-WORKBENCH" line))
                         (loop for start = 0 then (1+ end)
                               for end = (position #\Newline text :start start)
                               collect (subseq text start end)
                               while end)))
      text))

(defun machine-code-size (function)
  "Return the size of FUNCTION's machine code in octets, as in a disassembly: without neighboring functions and padding."
  (reduce #'+ (get-fun-segments (%fun-fun function)) :key #'seg-length))
