;;;; Views of numbers, characters, readtables and weak pointers.

(in-package #:lisp-workbench/inspection)

(defmacro bits (float type size)
  "Return the SIZE bits of FLOAT, whose type is TYPE, as an integer."
  `(sb-alien:with-alien ((float ,type ,float))
     (sb-alien:deref (sb-alien:cast (sb-alien:addr float) (* (sb-alien:unsigned ,size))))))

(define-facts "number" (number)
  ("Decimal" (and (integerp number) (integer-text number 10)))
  ("Hexadecimal" (and (integerp number) (integer-text number 16)))
  ("Octal" (and (integerp number) (integer-text number 8)))
  ("Binary" (and (integerp number) (integer-text number 2)))
  ("Bits" (and (integerp number) (integer-length number)))
  ("Character" (and (typep number `(integer 0 (,char-code-limit)))
                    (label-text (code-char number))))
  ("Octets" (and (integerp number) (<= 0 number) (< (integer-length number) 2048)
                 (format nil "~{~2,'0X~^ ~}" (octets-of number))))
  ("As a date" (and (typep number '(integer 2208988800 5364662400)) (date-text number)))
  ("Exact value" (and (finitep number) (print-short (rational number) 300)))
  ("As a float" (and (typep number 'ratio) (print-short (ignore-errors (coerce number 'double-float)) 100)))
  ("Bit pattern" (typecase number
                   (single-float (format nil "~8,'0X" (bits number single-float 32)))
                   (double-float (format nil "~16,'0X" (bits number double-float 64)))))
  ("Magnitude" (and (complexp number) (print-short (abs number) 100)))
  ("Phase" (and (complexp number) (print-short (phase number) 100))))

(defun finitep (number)
  (and (floatp number)
       (not (sb-ext:float-infinity-p number))
       (not (sb-ext:float-nan-p number))))

(defun integer-text (integer base)
  (if (> (integer-length integer) 20000)
      (format nil "too long: ~D bits" (integer-length integer))
      (bounded (let ((*print-base* base) (*print-radix* nil)) (princ-to-string integer)))))

(defun octets-of (integer)
  "Return the octets of INTEGER, most significant first."
  (let ((count (max 1 (ceiling (integer-length integer) 8))))
    (loop for index from (1- count) downto 0 collect (ldb (byte 8 (* 8 index)) integer))))

(defun date-text (universal-time)
  (multiple-value-bind (second minute hour day month year) (decode-universal-time universal-time 0)
    (format nil "~4,'0D-~2,'0D-~2,'0D ~2,'0D:~2,'0D:~2,'0D UTC" year month day hour minute second)))

(define-view "number" "parts" (number :when (typep number '(or ratio complex float)))
  (etypecase number
    (ratio (list (part "Numerator" (lambda () (numerator number)))
                 (part "Denominator" (lambda () (denominator number)))))
    (complex (list (part "Real part" (lambda () (realpart number)))
                   (part "Imaginary part" (lambda () (imagpart number)))))
    (float (and (finitep number)
                (multiple-value-bind (significand exponent sign) (integer-decode-float number)
                  (list (part "Significand" (lambda () significand))
                        (part "Exponent" (lambda () exponent))
                        (part "Sign" (lambda () sign))))))))

(define-facts "character" (char)
  ("Name" (char-name char))
  ("Code" (char-code char))
  ("Hexadecimal" (format nil "U+~4,'0X" (char-code char)))
  ("Category" (string (sb-unicode:general-category char)))
  ("Script" (string (sb-unicode:script char)))
  ("UTF-8" (format nil "~{~2,'0X~^ ~}" (coerce (sb-ext:string-to-octets (string char) :external-format :utf-8) 'list)))
  ("Upper case" (and (lower-case-p char) (string (char-upcase char))))
  ("Lower case" (and (upper-case-p char) (string (char-downcase char))))
  ("Digit" (digit-char-p char 36)))

(define-view "character" "code" (char)
  (list (part "Code" (lambda () (char-code char)))))

(define-facts "readtable" (readtable)
  ("Case" (readtable-case readtable))
  ("Standard" (and (eq readtable (with-standard-io-syntax *readtable*)) "yes")))

(define-view "readtable" "macro characters" (readtable)
  (loop for code below 256
        for char = (code-char code)
        for function = (get-macro-character char readtable)
        when function
          collect (let ((function function))
                    (part char (lambda () function)
                          :note (and (dispatching-p char readtable) "dispatching")))))

(defun dispatching-p (char readtable)
  (ignore-errors (get-dispatch-macro-character char #\a readtable) t))

(define-view "readtable" "dispatching" (readtable :when (dispatching-p #\# readtable))
  (loop with illegal = (get-dispatch-macro-character #\# #\Space readtable)
        for code below 256
        for char = (code-char code)
        for function = (and (not (digit-char-p char)) (not (lower-case-p char))
                            (get-dispatch-macro-character #\# char readtable))
        when (and function (not (eq function illegal)))
          collect (let ((function function)) (part (format nil "# ~A" (print-short char 20)) (lambda () function)))))

(define-facts "weak-pointer" (pointer)
  ("State" (if (nth-value 1 (sb-ext:weak-pointer-value pointer)) "alive" "broken: its object was collected")))

(define-view "weak-pointer" "value" (pointer :when (nth-value 1 (sb-ext:weak-pointer-value pointer)))
  (list (part "Value" (lambda () (sb-ext:weak-pointer-value pointer)))))
